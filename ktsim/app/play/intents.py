"""What a click on an enemy could mean: to shoot it with one of the weapons, to charge it, or to fight it; and answering
the questions that lead there, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ktsim.app.play.chances import Aimed, Chance, Engaged, aim, engage
from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.activation import refuses_to_choose
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.shoot.targets import weapon_options, why_none
from ktsim.rules.engine.state import Activation, OperativeState
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest
from ktsim.sight.pads import pads_of
from ktsim.sight.scene import EPS

TOO_FAR = ": the target is"
"""What is only said of a target that is out of a weapon's range."""
TOPICS = ("order", "action")
"""The questions at which an enemy can be clicked."""


@dataclass(frozen=True)
class Intent:
    """One thing to do to *enemy*: the answers that lead there by their topics. With a *refusal* it cannot be done."""

    key: str
    title: str
    enemy: str
    icon: str
    answers: tuple[tuple[str, Any], ...] = ()
    note: str = ""
    odds: str = ""
    refusal: str = ""


@dataclass(frozen=True)
class Attacks:
    """Everything an operative could do to its enemies from where it stands."""

    operative: str
    answers: tuple[tuple[str, Any], ...]
    """What is to be answered before the action: the order, where it has none yet."""
    shots: tuple[tuple[str, Aimed], ...] = ()
    """Each with the weapon's name."""
    fights: tuple[tuple[str, Engaged], ...] = ()
    barred: tuple[tuple[str, str], ...] = ()
    """Ranged weapons that cannot be used now, each with why."""
    refusals: tuple[tuple[str, str], ...] = ()
    """By the name of an action why it cannot be performed."""
    far: tuple[tuple[str, str], ...] = ()
    """By enemy why no Charge reaches it, as far as the distance alone says."""

    def why_not(self, action: str) -> str:
        return dict(self.refusals).get(action, "")


def attacks_from(battle: Battle, operative: str, topic: str) -> Attacks:
    """What *operative* could do now; asked for its order as if it had Engage. *battle* is a twin and is changed."""
    who = battle.state.operatives[operative]
    before: tuple[tuple[str, Any], ...] = ()
    if topic == "order":
        who.order = "engage"
        battle.state.activation = Activation(operative, "activation", battle.apl(who).value)
        before = (("order", "engage"),)
    actions = {action.name: action for action in battle.actions(who)}
    refusals = {name: refuses_to_choose(battle, who, action) or "" for name, action in actions.items()}
    shots, barred = ([], []) if refusals.get("Shoot", "no") else _shots(battle, who, actions["Shoot"])
    if not refusals.get("Shoot", "no") and all(aimed.refusal for _, aimed in shots):
        names = battle.name
        others = "".join(f" {weapon}: {why}" for weapon, why in barred)
        refusals["Shoot"] = f"No weapon has a valid target: {why_none(_whys(shots, names))}{others}"
    fights = []
    if not refusals.get("Fight", "no"):
        melee = [weapon for weapon in battle.weapons(who) if weapon.kind == "melee"]
        for enemy in battle.engaged_with(who):
            theirs = next((each for each in battle.weapons(enemy) if each.kind == "melee"), None)
            fights += [(mine.name, engage(battle, who, mine, enemy, theirs)) for mine in melee if theirs is not None]
    charge, enemies = actions.get("Charge"), battle.state.enemies(operative)
    far = _too_far(battle, who, charge.limited(battle, who)) if isinstance(charge, Move) else {}
    if enemies and len(far) == len(enemies) and not refusals["Charge"]:
        away = min(battle.table.distance(battle.state, operative, enemy.id) for enemy in enemies)
        refusals["Charge"] = f'No enemy is near enough: the nearest is {away:.1f}" away.'
    kept = tuple((name, why.removeprefix(f"{name}: ")) for name, why in refusals.items() if why)
    return Attacks(operative, before, tuple(shots), tuple(fights), tuple(barred), kept, tuple(far.items()))


def _too_far(battle: Battle, who: OperativeState, charge: MoveRequest) -> dict[str, str]:
    """The enemies that the Charge does not reach even in a straight line; where there are teleport pads nobody is too
    far."""
    if pads_of(battle.board.terrain):
        return {}
    reach, found = charge.allowance, {}
    for enemy in battle.state.enemies(who.id):
        away = battle.table.distance(battle.state, who.id, enemy.id)
        if away > reach + CONTROL_RANGE + EPS:
            found[enemy.id] = f'it is {away:.1f}" away, and a Charge goes {reach}".'
    return found


def _whys(shots: Sequence[tuple[str, Aimed]], name: Any) -> dict[str, str]:
    """Why each enemy cannot be shot, by its name: with a weapon that is long enough, if there is one."""
    by_reach = sorted(shots, key=lambda shot: TOO_FAR not in shot[1].refusal)
    return {name(aimed.target): aimed.refusal for _, aimed in by_reach}


def _shots(
    battle: Battle, who: OperativeState, action: Action
) -> tuple[list[tuple[str, Aimed]], list[tuple[str, str]]]:
    """Every weapon the action offers at every enemy; and those it does not offer now, with why."""
    enemies = battle.state.enemies(who.id)
    options = weapon_options(battle, who)
    question: object = None
    with suppress(Impossible, StopIteration):
        question = next(step for step in action.perform(battle, who) if isinstance(step, Decision))
    if isinstance(question, Pick) and question.topic == "weapon":
        options = list(question.options)  # of a single weapon nobody asks
    whys = {option.key: option.refusal for option in options}
    guns = [weapon for weapon in battle.weapons(who) if weapon.key in whys]
    barred = [(gun.name, (whys[gun.key] or "").removeprefix(f"{gun.name}: ")) for gun in guns if whys[gun.key]]
    able = [gun for gun in guns if not whys[gun.key]]
    return [(gun.name, aim(battle, who, gun, enemy)) for gun in able for enemy in enemies], barred


def solved_attacks(found: Attacks) -> dict[tuple[str, str], tuple[Chance, ...]]:
    """The odds of all of them, by weapon and enemy; takes a while."""
    odds: dict[tuple[str, str], tuple[Chance, ...]] = {}
    for _, aimed in found.shots:
        if not aimed.refusal:
            odds[aimed.weapon, aimed.target] = (aimed.chance(),)
    for _, fight in found.fights:
        odds[fight.weapon, fight.enemy] = fight.chances()
    return odds


def intents_at(found: Attacks, enemy: str, name: str, odds: dict[tuple[str, str], tuple[Chance, ...]]) -> list[Intent]:
    """What can be done to *enemy*, what can first."""
    rows = []
    for weapon, aimed in found.shots:
        if aimed.target == enemy:
            steps = (*found.answers, ("action", "Shoot"), ("weapon", aimed.weapon), ("target", enemy))
            chance = odds.get((aimed.weapon, enemy))
            shown = f"{chance[0].kill:.0%} out · {chance[0].damage:.1f} dmg" if chance else "..."
            words = shown if chance or not aimed.refusal else ""
            refusal = aimed.refusal.removeprefix(f"{name}: ")
            note = aimed.ruling.words() if not refusal else ""
            key, title = f"shoot-{aimed.weapon}", f"Shoot: {weapon}"
            rows.append(Intent(key, title, enemy, "target", steps, note, words, refusal))
    for weapon, why in found.barred:
        rows.append(Intent(f"shoot-{weapon}", f"Shoot: {weapon}", enemy, "target", refusal=why))
    for weapon, fight in found.fights:
        if fight.enemy == enemy:
            steps = (*found.answers, ("action", "Fight"), ("enemy", enemy), ("melee weapon", fight.weapon))
            both = odds.get((fight.weapon, enemy))
            words = f"{both[0].kill:.0%} out · {both[0].damage:.1f} dmg" if both else "..."
            note = f"Suffers {both[1].damage:.1f} damage in return." if both else "Suffers ... in return."
            rows.append(Intent(f"fight-{fight.weapon}", f"Fight: {weapon}", enemy, "swords", steps, note, words))
    if not any(row.icon == "target" for row in rows):
        why = found.why_not("Shoot") or "No weapon can be used."
        rows.append(Intent("shoot", "Shoot", enemy, "target", refusal=why))
    steps = (*found.answers, ("action", "Charge"))
    note = "The planner picks the place; nothing is final before you finish the move."
    why = found.why_not("Charge") or dict(found.far).get(enemy, "")
    rows.append(Intent("charge", "Charge", enemy, "charge", steps, note, refusal=why))
    rows = [replace(row, refusal=row.refusal[:1].upper() + row.refusal[1:]) for row in rows]
    return sorted(rows, key=lambda row: bool(row.refusal))


class Intended:
    """The answers that lead to what was chosen; whatever else is asked is for the player, who may then have changed
    his mind: nothing more is answered after it."""

    def __init__(self) -> None:
        self._left: list[tuple[str, Any]] = []
        self.charged = ""
        """The enemy a Charge is to end beside, until its place is found."""

    def begin(self, intent: Intent) -> None:
        self._left = list(intent.answers)
        self.charged = intent.enemy if intent.key == "charge" else ""

    def answer(self, decision: Decision[Any]) -> Any:
        """The answer to *decision* on the way; ``None`` where there is none, which ends the way."""
        while self._left:
            topic, answer = self._left.pop(0)
            if topic == decision.topic and decision.check(answer) is None:
                return answer
            # Where there is one choice only nobody asks: on to what comes after it.
        return None

    def stop(self) -> None:
        self._left.clear()
        self.charged = ""
