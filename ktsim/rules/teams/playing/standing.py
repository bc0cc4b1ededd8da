"""What team rules change as long as they hold: stats, weapon rules, dice, damage, actions, targets, control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Die
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy, Profile
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.state import MarkerState, OperativeState, OrderName, Side
from ktsim.rules.engine.table import TargetRuling, contests
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.equipment.grenades import FRAG, KRAK, OwnSmokeGrenade, OwnStunGrenade
from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.language.values import Term, Whom
from ktsim.rules.teams.playing.bound_rule import Unknown
from ktsim.rules.teams.playing.clauses import conditions_of
from ktsim.rules.teams.playing.conditions import is_rule, is_weapon
from ktsim.rules.teams.playing.force import Doing, attacking
from ktsim.rules.teams.playing.in_sequences import SequenceRules, changed, is_for, is_one_of, names, numbers
from ktsim.rules.teams.playing.sequences import (
    TEAM,
)
from ktsim.sight.scene import EPS

T = TypeVar("T")
WORSE_IS_MORE = ("save", "hit")
"""Stats of which a lower number is better."""
ONE_OF_EACH = tuple(Die(face) for face in range(1, 7))
OUTSIDE_CORE = Precedence(is_outside_core=True)
GRENADES = {"frag": FRAG, "krak": KRAK}
THROWN: dict[str, Action] = {"smoke": OwnSmokeGrenade(), "stun": OwnStunGrenade()}


class StandingRules(SequenceRules):
    """The hooks a rule answers while it holds."""

    equipment_weapons: tuple[Profile, ...] = ()

    # -- stats ---------------------------------------------------------------------------------------

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        kind, _, action = stat.partition(":")
        if kind == "ap":
            return self._ap_cost(battle, who, action, number)
        if kind == "repeat":
            return self._repeats(battle, who, action, number)
        if stat == "counteract actions":
            for clause, term, _ in self.found(battle, "extra-action", who, (Doing("always", who),)):
                number = number.plus(numbers(term), TEAM, clause.title)
        if stat not in ("apl", "move", "save", "hit"):
            return number
        for clause, term, _ in self.found(battle, "stat", who, (Doing("always", who),)):
            if term.main != stat or term.get("weapons") or (term.get("not-with-injury") and battle.is_injured(who)):
                continue
            number = number.to(changed(term, number.value, stat in WORSE_IS_MORE), TEAM, clause.title)
        return number

    def _ap_cost(self, battle: Battle, who: OperativeState, name: str, number: Reasoned) -> Reasoned:
        action = next((each for each in battle.actions(who) if each.name == name), None)
        if action is None:
            return number
        for clause, term, scene in self.found(battle, "ap-cost", who, (Doing("always", who),)):
            if is_one_of(action, term, "actions") and self.is_left(scene):
                number = number.plus(numbers(term), TEAM, clause.title)
        return number

    def _repeats(self, battle: Battle, who: OperativeState, name: str, number: Reasoned) -> Reasoned:
        now = battle.state.activation
        for clause, term, _ in self.found(battle, "allow", who, (Doing("always", who),)):
            if name not in names(term) or not numbers(term, "times") or now is None:
                continue
            others = [each for each in names(term) if each != name]
            if term.get("either") and any(now.actions.count(each) > 1 for each in others):
                continue
            if name in names(term, "except"):
                continue
            number = number.plus(numbers(term, "times") - 1, TEAM, clause.title)
        return number

    # -- actions -------------------------------------------------------------------------------------

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        for clause, term, _ in self.found(battle, "forbid", who, (Doing("always", who),)):
            if is_one_of(action, term):
                return Claim(False, f"{action.name}: {clause.title}.", OUTSIDE_CORE)
        return None

    def waives(self, battle: Battle, who: OperativeState, action: Action, bar: str) -> bool:
        for _, term, _ in self.found(battle, "allow", who, (Doing("always", who),)):
            if not is_one_of(action, term):
                continue
            if bar.replace(" ", "-") in names(term, "while"):
                return True
            if bar.startswith("after ") and bar[6:] in names(term, "after"):
                return True
        return False

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        found: dict[str, Action] = {}
        for _, term, scene in self.found(battle, "allow", who, (Doing("always", who),)):
            if term.get("regardless") and self.is_left(scene):
                own = (OwnSmokeGrenade(), OwnStunGrenade())
                found |= {each.name: each for each in own if each.counts_as in names(term)}
        for _, term, _ in self.found(battle, "use-grenades", who, (Doing("always", who),)):
            found |= {THROWN[name].name: THROWN[name] for name in names(term) if name in THROWN}
        return tuple(found.values())

    def forbids_order(self, battle: Battle, who: OperativeState, order: OrderName) -> bool:
        return any(
            term.main == order for _, term, _ in self.found(battle, "forbid-order", who, (Doing("always", who),))
        )

    def may_counteract(self, battle: Battle, who: OperativeState) -> bool:
        return any(True for _ in self.found(battle, "counteract", who, (Doing("always", who),)))

    def forbids_retaliation(self, battle: Battle, who: OperativeState) -> bool:
        return any(True for _ in self.found(battle, "forbid-retaliation", who, (Doing("always", who),)))

    def forbids_assist(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        return any(True for _ in self.found(battle, "forbid-assist", friend, (Doing("always", friend),)))

    # -- weapons -------------------------------------------------------------------------------------

    def weapons(self, battle: Battle, who: OperativeState) -> Sequence[Profile]:
        found: dict[str, Profile] = {}
        for _, term, _ in self.found(battle, "add-weapon", who, (Doing("always", who),)):
            for each in self.equipment_weapons:
                if any(is_weapon(each, name) for name in names(term)):
                    found[each.key] = each
        for _, term, _ in self.found(battle, "use-grenades", who, (Doing("always", who),)):
            for name in names(term):
                if name in GRENADES:
                    given = GRENADES[name]
                    own = replace(given, key=f"own-{given.key}", hit=max(2, given.hit - numbers(term, "hit")))
                    found[own.key] = own
        return tuple(found.values())

    def forbids_weapon(self, battle: Battle, who: OperativeState, weapon: Profile) -> str | None:
        for clause, term, _ in self.found(battle, "forbid-weapons", who, (Doing("always", who),)):
            if not term.get("not-own") or weapon not in battle.card(who).weapons:
                return f"{weapon.name}: {clause.title}."
        for clause, term, scene in self.found(battle, "add-weapon", who, (Doing("always", who),)):
            if any(is_weapon(weapon, name) for name in names(term)) and not self.is_left(scene):
                return f"{weapon.name}: used already ({clause.title})."
        return self._forbids_second(battle, who, weapon)

    def _forbids_second(self, battle: Battle, who: OperativeState, weapon: Profile) -> str | None:
        """Of two Shoot actions one must be with such a weapon, and psychic ones are used once."""
        used = self._used(battle, who, weapon)
        if not used:
            return None
        for clause, term, _ in self.found(battle, "allow", who, (Doing("always", who),)):
            if "Shoot" not in names(term) or not numbers(term, "times"):
                continue
            wanted = names(term, "weapons")
            both = (*used, weapon)
            if wanted and not any(is_weapon(each, name) for each in both for name in wanted):
                return f"{weapon.name}: {clause.title}, one of the two must be with {' or '.join(wanted)}."
            if term.get("must") and not all(any(is_weapon(each, name) for name in wanted) for each in both):
                return f"{weapon.name}: {clause.title}, both must be with {' or '.join(wanted)}."
            if term.get("psychic-once") and "psychic" in weapon.traits and any("psychic" in w.traits for w in used):
                return f"{weapon.name}: {clause.title}, a psychic weapon only once."
        return None

    def _used(self, battle: Battle, who: OperativeState, weapon: Profile) -> list[Profile]:
        """The ranged weapons it has shot with in its activation."""
        now = battle.state.activation
        if now is None or now.operative != who.id or now.kind != "activation" or weapon.kind != "ranged":
            return []
        all_of = {each.key: each for each in battle.weapons(who)}
        return [all_of[key] for key in now.weapons if key in all_of and all_of[key].kind == "ranged"]

    def weapon_ap(self, battle: Battle, who: OperativeState, weapon: Profile) -> int:
        used = self._used(battle, who, weapon)
        if not used:
            return 0
        for _, term, _ in self.found(battle, "allow", who, (Doing("always", who),)):
            dear = names(term, "dear")
            named = [name for name in dear if is_weapon(weapon, name)]
            if any(is_weapon(each, name) for each in used for name in named):
                return 1
        return 0

    def weapon_texts(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None,
        ruling: TargetRuling | None,
        texts: list[str],
    ) -> list[str]:
        doings = attacking(battle, who, weapon, target, ruling)
        for _, term, scene in self.found(battle, "grant", who, doings):
            if not is_for(term, scene, weapon):
                continue
            gone = names(term, "instead-of")
            texts = [each for each in texts if each not in gone] + list(names(term))
        for _, term, scene in self.found(battle, "remove-rule", who, doings):
            if is_for(term, scene, weapon):
                texts = _without(texts, names(term))
        if target is None:
            return texts
        for _, term, _ in self.found(battle, "ignore-rule", target, doings):
            texts = _without(texts, names(term))
        for _, term, _ in self.found(battle, "unaffected", target, doings):
            if not term.get("unless-target"):
                texts = _without(texts, names(term))
        for _, term, scene in self.found(battle, "weaken-rule", target, doings):
            if self.is_left(scene):
                texts = [weaker for text in texts for weaker in _weakened(text, str(term.main), numbers(term, "by"))]
        for _, term, _ in self.found(battle, "replace-rule", target, doings):
            texts = [str(term.get("with")) if is_rule(text, str(term.main)) else text for text in texts]
        return texts

    # -- targets -------------------------------------------------------------------------------------

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        mine = Doing("shooting", who, target, ruling=ruling)
        theirs = Doing("shot-at", target, who, ruling=ruling)
        doings = (mine, theirs, replace(theirs, doing="always"))
        for clause, _, _ in self.found(battle, "obscure", target, doings):
            reasons = (*ruling.reasons, (TEAM, f"{clause.title}: obscured."))
            ruling = replace(ruling, is_obscured=True, defender_chooses=False, reasons=reasons)
        for clause, term, _ in self.found(battle, "reveal", target, doings):
            if term.main in ("obscured", "both") and ruling.is_obscured:
                reasons = (*ruling.reasons, (TEAM, f"{clause.title}: not obscured."))
                ruling = replace(ruling, is_obscured=False, reasons=reasons)
            if term.main in ("cover", "both") and ruling.in_cover:
                reasons = (*ruling.reasons, (TEAM, f"{clause.title}: not in cover."))
                ruling = replace(ruling, in_cover=False, is_improved=False, reasons=reasons)
        for clause, term, _ in self.found(battle, "forbid-target", target, doings):
            if not ruling.is_valid or ruling.distance <= float(str(term.get("unless-within") or 0)) + EPS:
                continue
            if who.side != target.side:
                reasons = (*ruling.reasons, (TEAM, f"{clause.title}: cannot be selected."))
                ruling = replace(ruling, is_valid=False, reasons=reasons)
        return ruling

    # -- the battle ----------------------------------------------------------------------------------

    def control_apl(self, battle: Battle, who: OperativeState, marker: MarkerState, apl: int) -> int:
        doing = (Doing("control", who), Doing("always", who))
        for clause, term, _ in self.found(battle, "control-apl", who, doing):
            kind = next((each.main for each in clause.rule.on if each.word == "control"), None)
            if kind == "objective" and marker.kind != "objective":
                continue
            if term.get("total") and not self._is_first(battle, who, marker, term):
                continue
            apl = numbers(term, "set") if term.get("set") is not None else max(0, apl + numbers(term))
        return apl

    def _is_first(self, battle: Battle, who: OperativeState, marker: MarkerState, term: Term) -> bool:
        """Whether *who* is the first of those that count less in sum: the sum is less once."""
        for one in battle.state.side(who.side):
            if one.is_incapacitated or not contests(battle.table, battle.state, one, marker):
                continue
            doing = (Doing("control", one), Doing("always", one))
            if any(each == term for _, each, _ in self.found(battle, "control-apl", one, doing)):
                return one is who
        return False

    def counts_for_kills(self, battle: Battle, who: OperativeState) -> bool:
        card = battle.card(who)
        for clause, _, _ in self.by_effect.get("not-counted", ()):
            if who.side == self.side and (not clause.kinds or card.type in clause.kinds):
                return False
        return True

    def ploy_cost(self, battle: Battle, side: Side, ploy: Ploy, cost: int) -> int:
        return self.cheaper(battle, side, ploy.id, cost, None)

    def cheaper(self, battle: Battle, side: Side, ploy_id: str, cost: int, who: OperativeState | None) -> int:
        """What a ploy costs its side, used for *who*."""
        if side != self.side:
            return cost
        for clause, _, term in self.by_effect.get("ploy-cost", ()):
            if ploy_id not in map(id_of, names(term)):
                continue
            for outer in self.bindings(battle, clause):
                scene = outer.but(who=outer.me)
                specified = term.get("specified")
                try:
                    early = conditions_of(clause.rule, term)[0]
                    is_due = all(scene.holds(scene, each, None) for each in early)
                    if isinstance(specified, Whom):
                        is_due = is_due and who is not None and scene.is_meant(specified, who)
                except Unknown:
                    continue
                if is_due and self.is_left(scene):
                    cost = min(cost, numbers(term, "cp"))
        return cost


def _without(texts: list[str], gone: Sequence[str]) -> list[str]:
    return [text for text in texts if not any(is_rule(text, name) for name in gone)]


def _weakened(text: str, name: str, by: int) -> list[str]:
    """The rule with a lower number, or nothing when that is used up."""
    if not is_rule(text, name):
        return [text]
    words, _, number = text.rpartition(" ")
    left = int(number) - by
    return [f"{words} {left}"] if left > 0 else []
