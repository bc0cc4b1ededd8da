"""Guard (KZ-GUARD) and interrupting (KZ-GUARD-INTERRUPT).

Our readings: a counteraction is not an activation and is not interrupted; an attack that is cancelled does not use up
the interrupt of that activation, and another one may be tried; whoever can complete no attack stays on guard although
the enemy is near; when somebody interrupts, nobody else on guard loses it for that action; a point-blank shot may
choose any enemy in the shooter's control range, whichever friends are near that enemy.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible, refuses
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.attack import Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Noted, Told
from ktsim.rules.engine.operative_events import TokenChanged
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.targets import choose_origin, rule_on, target_refusal
from ktsim.rules.engine.state import OperativeState, Path, Side, other
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.table_events import GuardInterrupted

ON_GUARD = "on guard"
HATCHWAY_FIGHT = "KZ-HATCH-FIGHT"


def is_on_guard(who: OperativeState) -> bool:
    return ON_GUARD in who.tokens


def leave_guard(who: OperativeState, told: str = "{0} is not on guard any more.") -> Steps[None]:
    if is_on_guard(who):
        yield TokenChanged(who.id, ON_GUARD, -1, told)


class Guard(Action):
    name, id = "Guard", "KZ-GUARD"
    counts_as = "Shoot"
    can_counteract = False

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if who.order == "conceal":
            return "Guard: not on a Conceal order."
        if near := battle.engaged_with(who):
            return f"Guard: not with {near[0].name} in {battle.edition.near}."
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield Told("{0} goes on guard.", self.id, (who.id,))


def engaged_target(
    battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
) -> Steps[tuple[OperativeState, TargetRuling]]:
    """An enemy in control range, whichever friends are near it."""
    near = engaged_targets(battle, who, rules)
    if not near:
        raise Impossible(f"no enemy in {battle.edition.near}")
    options = [Option(id, f"{battle.name(id)}: {ruling.words()}") for id, ruling in near.items()]
    prompt = f"{weapon.name}: who is the target?"
    chosen = yield from pick(who.side, "target", prompt, options, {id: id for id in near})
    ruling = yield from choose_origin(who, near[chosen])
    return battle.state.operatives[chosen], ruling


def engaged_targets(battle: Battle, who: OperativeState, rules: Rules) -> dict[str, TargetRuling]:
    """The enemies in control range. Each is a target, also one that only sees the operative and is not seen by it."""
    rulings = {enemy.id: rule_on(battle, who, enemy, rules) for enemy in battle.engaged_with(who)}
    return {id: replace(ruling, is_visible=True, is_valid=True) for id, ruling in rulings.items()}


def activation_number(battle: Battle) -> int:
    """A number for the activation in progress: no other one has it in the game."""
    return battle.state.notes.get("activations", 0)


class OnGuard(Rule):
    """What may be done on guard is its edition's: *attacks*, and *across* where there are hatchways. Of the attacks
    *shooting* is a kind, and *point_blank* shooting a kind of that."""

    id, name = "KZ-GUARD", "Guard"
    attacks: ClassVar[tuple[Action, ...]]
    across: ClassVar[Action]
    shooting: ClassVar[type[Action]]
    point_blank: ClassVar[type[Action]]

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (Guard(),)

    def guard_attacks(self, battle: Battle) -> Sequence[Action]:
        is_known = HATCHWAY_FIGHT in battle.board.terrain.rules
        return (*self.attacks, self.across) if is_known else self.attacks

    # -- who is on guard -----------------------------------------------------------------------------

    def activation_begins(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield Noted("activations", activation_number(battle) + 1)
        if who.order != "engage":
            yield from leave_guard(who)

    def moved(self, battle: Battle, who: OperativeState, path: Path) -> Steps[None]:
        yield from leave_guard(who)

    def set_up_again(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from leave_guard(who)

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        for who in battle.state.operatives.values():
            yield from leave_guard(who, "")

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        yield from leave_guard(who, "")

    def forbids_retaliation(self, battle: Battle, who: OperativeState) -> bool:
        now = battle.state.activation
        is_same = battle.state.notes.get(f"{who.id}:point-blank") == activation_number(battle)
        return now is not None and now.operative != who.id and is_same

    def action_ends(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        if action.name == Guard.name:
            if who.is_in_killzone and not is_on_guard(who):
                yield TokenChanged(who.id, ON_GUARD, 1, "")
        else:
            yield from leave_guard(who)
        now = battle.state.activation
        if now is None or now.operative != who.id or battle.is_amid:
            return
        spared: set[str] = set()
        done = now.kind == "activation" and (yield from self.interrupt(battle, other(who.side), spared))
        if not done and who.is_in_killzone:
            for guard in self.on_guard(battle, other(who.side)):
                if guard.id not in spared and battle.table.in_control_range(battle.state, guard.id, who.id):
                    told = f"{{0}} is not on guard any more: {who.name} is too near. [{self.id}]"
                    yield from leave_guard(guard, told)

    # -- interrupting --------------------------------------------------------------------------------

    def on_guard(self, battle: Battle, side: Side) -> list[OperativeState]:
        return [who for who in battle.state.side(side) if is_on_guard(who) and not who.is_incapacitated]

    def interrupt(self, battle: Battle, side: Side, spared: set[str]) -> Steps[bool]:
        """Offer *side* one attack by an operative on guard; whether one was made.

        Whoever has no attack, or none that could be completed, is *spared* and stays on guard.
        """
        now = battle.state.activation
        assert now is not None
        if any(battle.state.operatives[id].side == side for id in now.interrupts):
            return False
        foiled: set[str] = set()
        while True:
            able = {f"{who.id} {action.name}": (who, action) for who, action in self.able(battle, side)}
            able = {key: attack for key, attack in able.items() if key not in foiled}
            spared |= {who.id for who in self.on_guard(battle, side)} - {who.id for who, _ in able.values()}
            if not able:
                return False
            options = [
                Option(key, f"{who.name}: {action.name}", None, action.id) for key, (who, action) in able.items()
            ]
            options.append(Option("no", "Do not interrupt"))
            prompt = f"Interrupt {battle.name(now.operative)} with an operative on guard?"
            key = yield from pick(side, "interrupt", prompt, options, {k: k for k in (*able, "no")}, default="no")
            if key == "no":
                return False
            who, action = able[key]
            yield Told("{0} interrupts {1}.", "KZ-GUARD-INTERRUPT", (who.id, now.operative))
            if (yield from perform(battle, who, action, 0)):
                yield GuardInterrupted(who.id)
                return True
            foiled.add(key)

    def able(self, battle: Battle, side: Side) -> Iterator[tuple[OperativeState, Action]]:
        """Who on guard has an attack with a target."""
        for who in self.on_guard(battle, side):
            for action in self.guard_attacks(battle):
                if refuses(battle, who, action) is None and self.has_target(battle, who, action):
                    yield who, action

    def has_target(self, battle: Battle, who: OperativeState, action: Action) -> bool:
        """Whether an attack that is not refused has somebody to attack: a shot with any of the weapons, others have."""
        if not isinstance(action, self.shooting):
            return True
        offered = [option.key for option in self.guard_weapons(battle, who) if option.refusal is None]
        if isinstance(action, self.point_blank):
            return bool(offered and battle.engaged_with(who))
        enemies = battle.state.enemies(who.id)
        usable = (battle.weapon_rules(who, battle.weapon(who, key)) for key in offered)
        return any(is_target(battle, who, enemy, rules) for rules in usable for enemy in enemies)

    @abstractmethod
    def guard_weapons(self, battle: Battle, who: OperativeState) -> Sequence[Option]:
        """What it may shoot with on guard."""


def is_target(battle: Battle, who: OperativeState, enemy: OperativeState, rules: Rules) -> bool:
    """Whether a shot could be aimed at the enemy."""
    return target_refusal(battle, who, enemy.id, rule_on(battle, who, enemy, rules), rules) is None
