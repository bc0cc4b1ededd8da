"""Breach (KZ-TOMB-BREACH): opening breach points, for good.

Our readings: paying 1AP is the choice of whoever may, so Breach and Quick Breach are two actions that count as one;
Piercing 2 is Piercing 2 or more, of any weapon of the datacard; the words are looked for in everything the datacard
says, as whole words, of one or several. On which side of the wall somebody is, is where the middle of its base is, and
who has the access point in its control range is asked before the breach wall falls. What the falling wall does, the
operative that breached has done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ktsim.rules.engine.action import Action, Impossible, after, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick, roll
from ktsim.rules.engine.events import EffectBegan, Told
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Effect, OperativeState
from ktsim.rules.engine.table_events import TerrainChanged
from ktsim.rules.moving.openings import access_opening, breach_points, is_open, reaches
from ktsim.sight.scene import WallLine

ID = "KZ-TOMB-BREACH"
HARMED_ON = 4
TOOLS = re.compile(r"\b(breach markers?|grenadiers?|mines?)\b", re.IGNORECASE)
"""What a datacard says of those who breach quickly."""

PIERCING = re.compile(r"Piercing (?:Crits )?[2-9]$", re.IGNORECASE)

SPREADING = re.compile(r"(?:Blast|Torrent)\b", re.IGNORECASE)
BARRED = ("Charge", "Shoot")


class BreachRule(Rule):
    id, name = ID, "Breach"

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (Breach(), QuickBreach()) if is_quick(battle, who) else (Breach(),)

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        """After a Quick Breach it neither charges nor shoots; the other way round the Quick Breach itself says no."""
        now = battle.state.activation
        if now is None or now.operative != who.id or QuickBreach.name not in now.actions:
            return None
        if action.counted not in BARRED:
            return None
        return Claim(False, f"{action.name}: not after {QuickBreach.name}.", Precedence(is_outside_core=True))


def is_quick(battle: Battle, who: OperativeState) -> bool:
    """Whether the datacard lets the operative breach for 1AP."""
    card = battle.card(who)
    texts = [card.name, *card.keywords, *(weapon.name for weapon in card.weapons)]
    texts += [text for ability in card.abilities for text in (ability.name, ability.text)]
    texts += [text for each in battle.teams[who.side].shown(card) for text in (each.title, each.text)]
    return any(map(TOOLS.search, texts)) or any(map(pierces, card.weapons))


def pierces(weapon: Profile) -> bool:
    """Piercing 2 or Piercing Crits 2, without Blast or Torrent."""
    rules = (*weapon.rules, *weapon.shown)
    return any(map(PIERCING.match, rules)) and not any(map(SPREADING.match, rules))


class Breach(Action):
    name, id, ap = "Breach", ID, 2

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return refuses_close(battle, self.name, near)
        return None if self.in_reach(battle, who) else f"{self.name}: no closed breach point in control range."

    def in_reach(self, battle: Battle, who: OperativeState) -> list[WallLine]:
        return [line for line in breach_points(battle) if not is_open(battle, line) and reaches(battle, who, line)]

    def opens(self, battle: Battle, who: OperativeState) -> Sequence[str]:
        return [line.id for line in self.in_reach(battle, who)]

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {line.id: line for line in self.in_reach(battle, who)}
        if not found:
            raise Impossible("no closed breach point is in control range")
        options = [Option(id, f"Open {battle.name(id)}") for id in found]
        line = yield from pick(who.side, "breach", "Which breach point is opened?", options, found)
        opening = access_opening(line)
        beyond = [
            each
            for each in battle.state.operatives.values()
            if each.is_in_killzone and opening.separates(who, each) and reaches(battle, each, line)
        ]
        yield TerrainChanged(line.id, "open")
        for each in beyond:
            yield from self.blast(battle, who, each)

    def blast(self, battle: Battle, who: OperativeState, each: OperativeState) -> Steps[None]:
        """What the falling wall does to somebody behind it."""
        (face,) = yield from roll(1, "breach die", f"The breach wall falls on {each.name}", who.side)
        if face < HARMED_ON:
            yield Told(f"The breach wall falls: {face} for {{0}}, which is not hurt.", ID, (each.id,))
            return
        yield Told(f"The breach wall falls on {{0}}: {face}, and {HARMED_ON}+ hurts.", ID, (each.id,))
        yield EffectBegan(Effect(self.name, ID, "next-activation", each.id, stat="apl", amount=-1, is_pending=True))
        yield Wounded(each.id, (face + 1) // 2, self.name, who.id)


class QuickBreach(Breach):
    """For those who have the tools for it."""

    name, ap, counts_as = "Quick Breach", 1, "Breach"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return super().refusal(battle, who) or after(battle, who, self.name, *BARRED)
