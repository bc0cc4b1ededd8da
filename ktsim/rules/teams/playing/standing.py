"""What team rules change as long as they hold: stats, weapon rules, dice, damage, actions, targets, control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Die
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy, Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import MarkerAppeared
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.state import MarkerState, OperativeState, OrderName, Point, Side, inches, other
from ktsim.rules.engine.table import MoveRequest, TargetRuling, contests
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.equipment.grenades import FRAG, KRAK, OwnSmokeGrenade, OwnStunGrenade
from ktsim.rules.teams.language.values import TeamText, Term, Whom
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import Clause, conditions_of
from ktsim.rules.teams.playing.equipping import more_equipment
from ktsim.rules.teams.playing.force import Doing, is_fighting
from ktsim.rules.teams.playing.ignored_changes import WORSE_IS_MORE
from ktsim.rules.teams.playing.in_sequences import changed, is_action, is_one_of, names, numbers, rank
from ktsim.rules.teams.playing.past import walks
from ktsim.rules.teams.playing.prepared import asks_standing_still
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.weapon_names import has_better, is_weapon
from ktsim.rules.teams.playing.weapon_texts import WeaponTexts
from ktsim.sight.scene import EPS

T = TypeVar("T")
ONE_OF_EACH = tuple(Die(face) for face in range(1, 7))
OUTSIDE_CORE = Precedence(is_outside_core=True)
ALL_CONTROL = 1000
"""What an operative counts as that always controls a marker: more than any others together."""
COUNTERACTING = "Counteract"
"""Among the actions by which somebody may move further: further than a counteraction lets it."""
GRENADES = {"frag": FRAG, "krak": KRAK}
THROWN: dict[str, Action] = {"smoke": OwnSmokeGrenade(), "stun": OwnStunGrenade()}


class StandingRules(WeaponTexts):
    """The hooks a rule answers while it holds."""

    equipment_weapons: tuple[Profile, ...] = ()
    texts: dict[str, TeamText]
    """The texts that are played, by id."""

    # -- stats ---------------------------------------------------------------------------------------

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if not self.leads(battle, "stat"):
            return number
        kind, _, action = stat.partition(":")
        if kind == "ap":
            return self._ap_cost(battle, who, action, number)
        if kind == "repeat":
            return self._repeats(battle, who, action, number)
        if stat == "counteract actions":
            for _, clause, term, _ in self.of_both(battle, "extra-action", who):
                number = number.plus(numbers(term), TEAM, clause.title)
        if stat == "counteract move":
            for _, clause, term, _ in self.of_both(battle, "move-extra", who):
                if COUNTERACTING in names(term, "actions"):
                    number = number.plus(numbers(term), TEAM, clause.title)
        if stat not in ("apl", "move", "save", "hit"):
            return number
        for _, clause, term, _ in sorted(self.of_both(battle, "stat", who), key=lambda row: rank(row[2])):
            if term.main != stat or term.get("weapons") or (term.get("not-with-injury") and battle.is_injured(who)):
                continue
            number = number.to(changed(term, number.value, stat in WORSE_IS_MORE), TEAM, clause.title)
        return number

    def _ap_cost(self, battle: Battle, who: OperativeState, name: str, number: Reasoned) -> Reasoned:
        costs, allows = (tuple(self.of_both(battle, word, who)) for word in ("ap-cost", "allow"))
        if not costs and not any(term.get("free-once") for _, _, term, _ in allows):
            return number  # before all actions are asked for
        action = next((each for each in battle.actions(who) if each.name == name), None)
        if action is None:
            return number
        for law, clause, term, scene in costs:
            if is_one_of(action, term, "actions") and law.is_left(scene):
                number = number.plus(numbers(term), TEAM, clause.title)
        for law, clause, term, _ in allows:
            if is_one_of(action, term) and law.is_free(battle, clause.key, term, who):
                number = number.to(0, TEAM, clause.title)
        return number

    def is_free(self, battle: Battle, key: str, term: Term, who: OperativeState) -> bool:
        """Whether a rule lets the operative, in its activation, perform an action once for free, and it has not yet."""
        now = battle.state.activation
        is_acting = now is not None and now.operative == who.id and now.kind == "activation"
        return is_acting and bool(term.get("free-once")) and not self.was_free(battle, key, who)

    def was_free(self, battle: Battle, key: str, who: OperativeState) -> bool:
        """Whether the operative has performed, in this activation, the action that a rule lets it perform for free."""
        return any(
            e.clause == f"{key}!free" and e.target == who.id and e.side == self.side for e in battle.state.effects
        )

    def _repeats(self, battle: Battle, who: OperativeState, name: str, number: Reasoned) -> Reasoned:
        """How often more than once it may perform the action, or any that counts as the same: rules that each let it do
        so twice let it do so twice."""
        now, own = battle.state.activation, {name, Action.counted_as(name)}
        done = [Action.counted_as(each) for each in now.actions] if now is not None else []
        for _, clause, term, _ in self.of_both(battle, "allow", who):
            if own.isdisjoint(names(term)) or not numbers(term, "times") or now is None:
                continue
            if term.get("either") and any(done.count(each) > 1 for each in names(term) if each not in own):
                continue
            if not own.isdisjoint(names(term, "except")):
                continue
            number = number.to(max(number.value, numbers(term, "times") - 1), TEAM, clause.title)
        return number

    # -- actions -------------------------------------------------------------------------------------

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        if not action.is_act:  # a ploy used between actions is none that could be barred
            return None
        for clause, term, _ in self.found(battle, "forbid", who):
            if is_one_of(action, term):
                return Claim(False, f"{action.name}: {clause.title}.", OUTSIDE_CORE)
        for clause, term, _ in self.found(battle, "extra-action", who):
            if self._is_other_of_both(battle, who, action, names(term, "not-both")):
                return Claim(False, f"{action.name}: {clause.title}, not both in one counteraction.", OUTSIDE_CORE)
        return self._stays(battle, who) if action.is_move else None

    def _is_other_of_both(self, battle: Battle, who: OperativeState, action: Action, both: Sequence[str]) -> bool:
        """Whether, in its counteraction, it has performed another one of these actions already."""
        now = battle.state.activation
        if (
            now is None
            or now.operative != who.id
            or now.kind != "counteraction"
            or not any(is_action(action, name) for name in both)
        ):
            return False
        done = {Action.counted_as(name) for name in now.actions} - {action.counted}
        return not done.isdisjoint(both)

    def _stays(self, battle: Battle, who: OperativeState) -> Claim | None:
        """Who has performed an action twice because it does not move cannot move any more."""
        now = battle.state.activation
        if now is None or now.operative != who.id or now.kind != "activation" or now.moves:
            return None
        for clause, term, _ in self.found(battle, "allow", who):
            done = [name for name in now.actions if Action.counted_as(name) in names(term)]
            if numbers(term, "times") and asks_standing_still(clause.rule) and len(done) > 1:
                return Claim(False, f"{clause.title}: it does not move in this activation.", OUTSIDE_CORE)
        return None

    def move_request(self, battle: Battle, who: OperativeState, action: Action, request: MoveRequest) -> MoveRequest:
        """The rest of another move only, or some inches more."""
        if not self.leads(battle, "move_request"):
            return request
        now = battle.state.activation
        for law, _, term, _ in self.of_both(battle, "allow", who):
            came_after = now is not None and any(name in names(term, "after") for name in now.moves)
            if (most := term.get("leftover")) is not None and is_one_of(action, term) and came_after:
                left = [int(each.picked[0][5:]) for each in walks(battle.state, law.side, who)]
                request = replace(request, allowance=min(int(float(str(most))), *left, request.allowance))
        for _, _, term, _ in self.of_both(battle, "move-extra", who):
            if not names(term, "actions") or is_one_of(action, term, "actions"):
                request = replace(request, allowance=request.allowance + numbers(term))
        return self._upright(battle, who, request)

    def _upright(self, battle: Battle, who: OperativeState, request: MoveRequest) -> MoveRequest:
        """Climbs that count as less, drops that count as nothing, climbs and jumps that are not allowed."""
        for _, _, term, _ in self.of_both(battle, "climb", who):
            request = replace(request, climb=min(numbers(term), 99 if request.climb is None else request.climb))
        if any(law.is_said(battle, "drop", who) for law in self.beside(battle)):
            request = replace(request, drops_free=True)
        for _, _, term, _ in self.of_both(battle, "forbid-move", who):
            barred = names(term)
            can_climb, can_jump = "climb" not in barred, "jump" not in barred
            request = replace(
                request, can_climb=request.can_climb and can_climb, can_jump=request.can_jump and can_jump
            )
        return request

    def shoots_past_friends(self, battle: Battle, who: OperativeState, target: OperativeState) -> bool:
        doings = (Doing("shooting", who, target), Doing("always", who, target))
        if self.is_said(battle, "shoot-past-friends", who, doings):
            return True
        return self._is_point_blank(battle, who) and battle.table.in_control_range(battle.state, who.id, target.id)

    def _is_point_blank(self, battle: Battle, who: OperativeState) -> bool:
        """Whether it shoots, by a rule of its own, while enemies are within its control range."""
        allowed = self.found(battle, "allow", who)
        return any(term.get("only-foe-engaged") for _, term, _ in allowed) and bool(battle.engaged_with(who))

    def waives(self, battle: Battle, who: OperativeState, action: Action, bar: str) -> bool:
        for _, term, _ in self.found(battle, "allow", who):
            if not is_one_of(action, term):
                continue
            if bar.replace(" ", "-") in names(term, "while"):
                return True
            if bar.startswith("after ") and bar[6:] in names(term, "after"):
                return True
        return bar.startswith("after ") and battle.has_mark(who, f"may {action.counted}")

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        found: dict[str, Action] = {}
        for _, term, scene in self.found(battle, "allow", who):
            if term.get("regardless") and self.is_left(scene):
                own = (OwnSmokeGrenade(), OwnStunGrenade())
                found |= {each.name: each for each in own if each.counts_as in names(term)}
        for _, term, _ in self.found(battle, "use-grenades", who):
            found |= {THROWN[name].name: THROWN[name] for name in names(term) if name in THROWN}
        return tuple(found.values())

    def forbids_activation(self, battle: Battle, who: OperativeState) -> bool:
        return any("activation" in names(term) for _, term, _ in self.found(battle, "forbid", who))

    def forbids_order(self, battle: Battle, who: OperativeState, order: OrderName) -> bool:
        return any(term.main == order for _, term, _ in self.found(battle, "forbid-order", who))

    def may_counteract(self, battle: Battle, who: OperativeState) -> bool:
        return self.is_said(battle, "counteract", who)

    def more_equipment(self, battle: Battle, side: Side, types: Sequence[str]) -> int:
        return more_equipment(self.texts.values(), types) if side == self.side else 0

    def forbids_retaliation(self, battle: Battle, who: OperativeState) -> bool:
        return self.is_said(battle, "forbid-retaliation", who)

    def forbids_assist(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        fights = Doing("fighting" if is_fighting(battle, enemy) else "retaliating", enemy)
        return self.is_said(battle, "forbid-assist", friend, (Doing("always", friend), fights))

    def assists(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        return self.is_said(battle, "assist", friend)

    # -- weapons -------------------------------------------------------------------------------------

    def weapons(self, battle: Battle, who: OperativeState) -> Sequence[Profile]:
        found: dict[str, Profile] = {}
        mine = battle.card(who).weapons
        for _, term, _ in self.found(battle, "add-weapon", who):
            for each in self.equipment_weapons:
                is_meant = any(is_weapon(each, name) for name in names(term))
                if is_meant and not (term.get("unless-better") and any(has_better(one, each) for one in mine)):
                    found[each.key] = each
        for _, term, _ in self.found(battle, "use-grenades", who):
            for name in names(term):
                if name in GRENADES:
                    given = GRENADES[name]
                    own = replace(given, key=f"own-{given.key}", hit=max(2, given.hit - numbers(term, "hit")))
                    found[own.key] = own
        return tuple(found.values())

    def is_given(self, battle: Battle, who: OperativeState, weapon: Profile, term: Term) -> bool:
        """Whether *weapon* is one that an ``add-weapon`` gives, and not one of that name on the datacard."""
        return weapon not in battle.card(who).weapons and any(is_weapon(weapon, name) for name in names(term))

    def forbids_weapon(self, battle: Battle, who: OperativeState, weapon: Profile) -> str | None:
        for clause, term, _ in self.found(battle, "forbid-weapons", who):
            if not all(is_weapon(weapon, name) for name in names(term)):
                continue
            if not term.get("not-own") or weapon not in battle.card(who).weapons:
                return f"{weapon.name}: {clause.title}."
        for clause, term, scene in self.found(battle, "add-weapon", who):
            if self.is_given(battle, who, weapon, term) and not self.is_left(scene):
                return f"{weapon.name}: used already ({clause.title})."
        return self._forbids_second(battle, who, weapon)

    def _forbids_second(self, battle: Battle, who: OperativeState, weapon: Profile) -> str | None:
        """Of two Shoot actions one must be with such a weapon, and psychic ones are used once."""
        used = self._used(battle, who, weapon)
        if not used:
            return None
        for clause, term, _ in self.found(battle, "allow", who):
            if "Shoot" not in names(term) or not numbers(term, "times"):
                continue
            wanted = names(term, "weapons")
            both = (*used, weapon)
            if wanted and not any(is_weapon(each, name) for each in both for name in wanted):
                return f"{weapon.name}: {clause.title}, one of the two must be with {' or '.join(wanted)}."
            if term.get("must") and not all(any(is_weapon(each, name) for name in wanted) for each in both):
                return f"{weapon.name}: {clause.title}, both must be with {' or '.join(wanted)}."
            own = weapon.key.partition("/")[0]
            is_same = any(each.key.partition("/")[0] == own for each in used)
            if term.get("psychic-once") and "psychic" in weapon.traits and is_same:
                return f"{weapon.name}: {clause.title}, the same psychic weapon only once."
        return None

    def _used(self, battle: Battle, who: OperativeState, weapon: Profile) -> list[Profile]:
        """The ranged weapons it has shot with in its activation."""
        now = battle.state.activation
        if now is None or now.operative != who.id or now.kind != "activation" or weapon.kind != "ranged":
            return []
        if not now.weapons:
            return []
        all_of = {each.key: each for each in battle.weapons(who)}
        return [all_of[key] for key in now.weapons if key in all_of and all_of[key].kind == "ranged"]

    def weapon_ap(self, battle: Battle, who: OperativeState, weapon: Profile) -> int:
        used = self._used(battle, who, weapon)
        if not used:
            return 0
        for _, term, _ in self.found(battle, "allow", who):
            dear = names(term, "dear")
            named = [name for name in dear if is_weapon(weapon, name)]
            if any(is_weapon(each, name) for each in used for name in named):
                return 1
            if any(is_weapon(each, name) for each in (*used, weapon) for name in names(term, "dear-once")):
                return 1
        return 0

    # -- targets -------------------------------------------------------------------------------------

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        if not self.leads(battle, "ruling"):
            return ruling
        for _, clause, _, _ in self.of_both(battle, "obscure", target, _aiming(who, target, ruling)):
            reasons = (*ruling.reasons, (TEAM, f"{clause.title}: obscured."))
            ruling = replace(ruling, is_obscured=True, defender_chooses=False, reasons=reasons)
        if ruling.is_valid and (why := self.why_no_target(battle, who, target, ruling)) is not None:
            ruling = replace(ruling, is_valid=False, reasons=(*ruling.reasons, (TEAM, why)))
        return ruling

    def why_no_target(
        self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling
    ) -> str | None:
        """By which rule of either side *target* cannot be selected, however it is seen."""
        for _, clause, term, _ in self.of_both(battle, "forbid-target", target, _aiming(who, target, ruling)):
            is_far = ruling.distance > float(str(term.get("unless-within") or 0)) + EPS
            if is_far and who.side != target.side:
                return f"{clause.title}: cannot be selected."
        laws = [law for law in self.beside(battle) if law.side == who.side and "allow" in law.by_effect]
        is_close = any(law._is_point_blank(battle, who) for law in laws)
        if is_close and not battle.table.in_control_range(battle.state, who.id, target.id):
            return "not within its control range."
        return None

    # -- the battle ----------------------------------------------------------------------------------

    def control_apl(self, battle: Battle, who: OperativeState, marker: MarkerState, apl: int) -> int:
        if not self.leads(battle, "control_apl"):
            return apl
        doing = (Doing("control", who), Doing("always", who))
        for _, clause, _, _ in self.of_both(battle, "controls", who, doing):
            if marker.owner in (None, who.side) and _is_about(clause, marker):
                return ALL_CONTROL
        found = sorted(self.of_both(battle, "control-apl", who, doing), key=lambda row: _rank_for_control(row[2]))
        for law, clause, term, _ in found:
            if not _is_about(clause, marker):
                continue
            if term.get("total") and not law._is_first(battle, who, marker, term):
                continue
            apl = numbers(term, "set") if term.get("set") is not None else max(0, apl + numbers(term))
            apl = max(apl, numbers(term, "at-least"))
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

    # -- markers that somebody carries ---------------------------------------------------------------

    def carriers(self, battle: Battle, name: str) -> list[OperativeState]:
        """Those whose rules have them carry the marker."""
        return [
            one
            for one in battle.state.side(self.side)
            if any(term.main == name for _, term, _ in self.found(battle, "carries", one))
        ]

    def may_pick_up(self, battle: Battle, who: OperativeState, marker: MarkerState) -> bool:
        is_carried = any(term.main == marker.kind for _, _, term in self.by_effect.get("carries", ()))
        return marker.owner != self.side or not is_carried or who in self.carriers(battle, marker.kind)

    def refuses_marker_at(self, battle: Battle, marker: MarkerState, point: Point) -> str | None:
        kept = [term for _, _, term in self.by_effect.get("carries", ()) if term.get("not-near-enemy")]
        if marker.owner != self.side or not any(term.main == marker.kind for term in kept):
            return None
        for enemy in battle.state.side(other(self.side)):
            if battle.table.reaches(battle.state, enemy.id, point, inches(marker.radius)):
                return f"The marker would be within {enemy.name}'s control range."
        return None

    def bring_markers(self, battle: Battle) -> Steps[None]:
        """In the first Ready step, whatever operatives carry as the battle begins."""
        if battle.state.turning_point != 1:
            return
        for _, _, term in self.by_effect.get("carries", ()):
            name = str(term.main)
            marker = marker_id(self.side, name)
            if marker not in battle.state.markers and (found := self.carriers(battle, name)):
                yield MarkerAppeared(marker, name, found[0].point, MARKER_RADIUS, True, found[0].id, self.side)

    def ploy_cost(self, battle: Battle, side: Side, ploy: Ploy, cost: int) -> int:
        return self.cheaper(battle, side, ploy.id, cost, None)

    def cheapening(
        self, battle: Battle, side: Side, ploy_id: str, who: OperativeState | None
    ) -> Iterator[tuple[BoundRule, int]]:
        for clause, _, term in self.by_effect.get("ploy-cost", ()):
            if side != self.side or not any(ploy_id in self.ids_of(name) for name in names(term)):
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
                    yield scene, numbers(term, "cp")


def _rank_for_control(term: Term) -> tuple[bool, bool, bool, int]:
    """What an operative counts as is said before it is more or less, and at least how much after that; last what all of
    them together count less."""
    return bool(term.get("total")), term.get("at-least") is not None, term.get("set") is None, numbers(term, "set")


def _aiming(who: OperativeState, target: OperativeState, ruling: TargetRuling) -> tuple[Doing, ...]:
    """What it is to look at a target, for either of the two."""
    theirs = Doing("shot-at", target, who, ruling=ruling)
    return Doing("shooting", who, target, ruling=ruling), theirs, theirs._replace(doing="always")


def _is_about(clause: Clause, marker: MarkerState) -> bool:
    """Whether what a clause says of control is said of the marker too."""
    kind = next((each.main for each in clause.rule.on if each.word == "control"), None)
    return kind != "objective" or marker.kind == "objective"


def marker_id(side: Side, name: str) -> str:
    """The id of a side's marker of that name."""
    return f"{side}-{name}".lower().replace(" ", "-")
