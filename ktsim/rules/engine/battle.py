"""A battle: what stays the same during a game, and what the rules ask about its state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any, TypeVar

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import WeaponRule
from ktsim.rules.engine.board import Board, Footprint
from ktsim.rules.engine.cards import Datacard, Profile, Team, another
from ktsim.rules.engine.conditions import holds
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.mission import Mission
from ktsim.rules.engine.precedence import Claim, refusal
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, Effect, MarkerState, OperativeState, Point, Side, State, other
from ktsim.rules.engine.table import CONTROL_RANGE, Table, TargetRuling, contests
from ktsim.rules.engine.values import Reasoned
from ktsim.sight.dates import Correction
from ktsim.sight.scene import RULES_DATES, RulesDate

T = TypeVar("T")

LEAST_MOVE = 4


class Battle:
    """The edition, the board, the teams and the rules in force, over a state that events change."""

    def __init__(
        self,
        edition: EditionRules,
        board: Board,
        teams: Mapping[Side, Team],
        cards: Mapping[str, Datacard],
        table: Table,
        mission: Mission,
        rules: Iterable[Rule] = (),
        rules_as_of: RulesDate = RULES_DATES[0],
    ) -> None:
        self.edition, self.board, self.teams, self.cards, self.table = edition, board, teams, cards, table
        self.mission, self.rules_as_of = mission, rules_as_of
        self._fixed_rules: Sequence[Rule] = (*rules, mission)
        self._rules_for: tuple[dict[str, str] | None, Sequence[Rule]] = (None, ())
        self.state = State(edition.id)
        self._parsed: dict[tuple[str, ...], tuple[WeaponRule, ...]] = {}
        self._having: dict[str, Sequence[Rule]] = {}
        self._at_moment: dict[str, Sequence[Rule]] = {}
        self._answers: dict[tuple[Hashable, str], Any] | None = None
        self.duelling: tuple[str, str] | None = None
        """Who fights whom while a Fight action is performed: the one who retaliates is the second."""
        self.armed: tuple[str, str] = ("", "")
        """The keys of the weapons the two fight each other with; empty for who has none."""
        self.fights: frozenset[tuple[str, str]] = frozenset()
        """Who fought whom in the action that is or was just performed, free ones within it included."""
        self.targets: frozenset[str] = frozenset()
        """The targets of the action that is or was just performed, those hit as well included."""
        self.aimed = ""
        """The target that was selected in the action that is or was just performed, if it has got that far."""
        self.only: frozenset[str] | None = None
        """Whom alone the action under way can be about, where a rule says so."""
        self.before: State | None = None
        """The state as the action that is or was just performed began."""
        self.former_order = ""
        """The order the operative had that was activated last, before it was given one."""
        self.is_amid = False
        """Whether an action is under way, or the incapacitated are being removed after it."""
        self.in_use: frozenset[str] = frozenset()
        """The team rules that are being carried out: none is used again by what it sets off itself."""

    def forget(self) -> None:
        """Nothing is under way: the battle goes on from its state alone."""
        self.duelling, self.targets, self.aimed, self.before, self.former_order = None, frozenset(), "", None, ""
        self.is_amid, self.in_use, self.fights, self.only = False, frozenset(), frozenset(), None

    @contextmanager
    def amid(self, is_so: bool = True) -> Iterator[None]:
        """Inside, an action is under way, or none is."""
        outer, self.is_amid = self.is_amid, is_so
        try:
            yield
        finally:
            self.is_amid = outer

    def twin(self) -> Battle:
        """The same battle over a copy of its state: what happens in one does not happen in the other."""
        twin = copy(self)
        twin.state, twin.table, twin._answers = self.state.copy(), self.table.twin(), None
        return twin

    def watched_by(self, rule: Rule) -> None:
        """Have one more rule in force, for somebody who only wants to know what happens."""
        self._fixed_rules, self._rules_for = (*self._fixed_rules, rule), (None, ())

    @contextmanager
    def while_nothing_happens(self) -> Iterator[None]:
        """Inside, no event is applied: what many rules ask about one operative is answered once and remembered.

        Within such a time it begins another, for what is asked as if something were different."""
        outer, self._answers = self._answers, {}
        try:
            yield
        finally:
            self._answers = outer

    @property
    def remembers(self) -> bool:
        """Whether answers are remembered now: nothing happens."""
        return self._answers is not None

    def once(self, question: Hashable, who: OperativeState, answer: Callable[[OperativeState], T]) -> T:
        """The answer about *who*, remembered while nothing happens."""
        if self._answers is None:
            return answer(who)
        key = (question, who.id)
        if key not in self._answers:
            self._answers[key] = answer(who)
        known: T = self._answers[key]
        return known

    @property
    def rules(self) -> Sequence[Rule]:
        """Every rule in force: the killzone's, the teams', the mission's, and what was chosen for the battle."""
        if self._rules_for[0] is not self.state.choices:
            self._heed_choices()
        return self._rules_for[1]

    def _heed_choices(self) -> None:
        choices = self.state.choices
        self._rules_for = (choices, (*self._fixed_rules, *self.mission.chosen(choices)))
        self._having, self._at_moment = {}, {}

    def is_corrected(self, by: Correction) -> bool:
        """Whether a correction of the rules is in force (KT24-DATED)."""
        return by.holds(self.rules_as_of)

    def having(self, hook: str) -> Sequence[Rule]:
        """The rules in force that say something in *hook* (most say nothing in most), those that say *cannot* last."""
        if self._rules_for[0] is not self.state.choices:
            self._heed_choices()
        found = self._having.get(hook)
        if found is None:
            said = (rule for rule in self._rules_for[1] if rule.answers(hook))
            found = self._having[hook] = tuple(sorted(said, key=lambda rule: rule.says_cannot))
        return found

    def in_turn(self, hook: str) -> Sequence[Rule]:
        """The rules in force with something to do at a moment, those of the player with initiative before the other's:
        so that player would have it (KT24-SIMUL), and it does not matter who is red."""
        second = other(self.state.initiative or "red")
        return sorted(self.having(hook), key=lambda rule: getattr(rule, "side", None) == second)

    def at_moment(self, kind: str) -> Sequence[Rule]:
        """The rules in force that may have something to offer at a moment."""
        rules = self.rules
        if kind not in self._at_moment:
            self._at_moment[kind] = tuple(rule for rule in rules if kind in rule.moments)
        return self._at_moment[kind]

    def drop_zone(self, side: Side) -> Outline:
        """The drop zone *side* plays from."""
        own = self.mission.drop_zone(self.board, self.state.choices, side)
        return self.board.drop_zones[self.half(side)] if own is None else own

    def territory(self, side: Side) -> Outline:
        return self.board.territories[self.half(side)]

    def half(self, side: Side) -> Side:
        """Which half of the board is whose: as drawn, unless the drop zones were picked otherwise."""
        return other(side) if self.state.choices.get("drop zones") == "swapped" else side

    # -- operatives ----------------------------------------------------------------------------------

    def card(self, who: OperativeState) -> Datacard:
        return self.cards[who.card]

    def footprint(self, who: OperativeState, at: Point | None = None) -> Footprint:
        """Its base where it is, or at a point, turned as it is now."""
        return Footprint.at(at or who.point, self.card(who).base, who.turn)

    def name(self, id: str) -> str:
        """What the players call an operative, a side, a marker or a terrain feature, as it stands in a sentence."""
        if id in self.state.operatives:
            return self.state.operatives[id].name
        if id in ("red", "blue"):
            return f"{self.teams[id].name} ({id})"  # type: ignore[index]
        if named := self.mission.name_of(self, id):
            return named
        side, _, what = id.partition("-")
        if side not in SIDES:
            return id.replace("-", " ")
        kind, _, number = what.rpartition("-")
        is_only = number == "1" and f"{side}-{kind}-2" not in self.state.pieces
        return f"{side}'s {(kind if is_only else what).replace('-', ' ')}"

    def ready(self, side: Side) -> list[OperativeState]:
        """Those of a side that are ready and can be activated."""
        forbidding = self.having("forbids_activation")
        found = self.state.ready(side)
        return [who for who in found if not any(rule.forbids_activation(self, who) for rule in forbidding)]

    def is_wounded(self, who: OperativeState) -> bool:
        return who.wounds < self.card(who).wounds

    def is_injured(self, who: OperativeState) -> bool:
        """KT24-DAMAGE, KT21-INJURED: below half of its starting wounds, unless rules say otherwise.

        Being injured for several reasons is being injured once; a rule that says *cannot* wins (KT24-PREC).
        """
        claims = [claim for rule in self.having("injured") if (claim := rule.injured(self, who)) is not None]
        if 2 * who.wounds < self.card(who).wounds:
            claims.append(Claim(True, "fewer than half its wounds"))
        return bool(claims) and refusal(claims) is None

    def counts_for_kills(self, who: OperativeState) -> bool:
        """Whether the kill op counts it, as one of its team and as one incapacitated."""
        return all(rule.counts_for_kills(self, who) for rule in self.having("counts_for_kills"))

    # -- numbers with reasons ------------------------------------------------------------------------

    def changed(self, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        """*number* as effects and rules in force change it (``Rule.stat`` lists the stats)."""
        for effect in self.state.effects:
            if effect.stat == stat and not effect.is_pending and self._is_meant(effect, who):
                number = number.plus(effect.amount, effect.rule, effect.source)
        for rule in self.having("stat"):
            number = rule.stat(self, who, stat, number)
        return number

    def _is_meant(self, effect: Effect, who: OperativeState, target: OperativeState | None = None) -> bool:
        """Whether an effect is about the operative (against *target*) now."""
        is_about = effect.target == who.id or (effect.target is None and effect.side == who.side)
        return is_about and (not effect.only_if or holds(effect.only_if, self, who, target))

    def has_mark(self, who: OperativeState, mark: str) -> bool:
        """Whether an effect marks the operative: one whose stat is the mark."""
        return any(effect.stat == mark and effect.target == who.id for effect in self.state.effects)

    def apl(self, who: OperativeState) -> Reasoned:
        """Never more than 1 away from what is printed (KT24-STATS)."""
        return self.once("apl", who, self._apl)

    def _apl(self, who: OperativeState) -> Reasoned:
        number = self.changed(who, "apl", Reasoned.of(self.card(who).apl))
        kept = max(0, number.printed - 1, min(number.printed + 1, number.value))
        return number.to(kept, self.edition.cites.stats, "at most 1 from the printed APL")

    def move(self, who: OperativeState) -> Reasoned:
        """Never changed to less than 4" (KT24-STATS)."""
        number = Reasoned.of(self.card(who).move)
        if self.is_injured(who):
            number = number.plus(-2, self.edition.cites.injured, "injured")
        number = self.changed(who, "move", number)
        least = min(LEAST_MOVE, number.printed)
        return number.to(max(least, number.value), self.edition.cites.stats, 'Move is never changed below 4"')

    def save(self, who: OperativeState) -> Reasoned:
        return self.changed(who, "save", Reasoned.of(self.card(who).save))

    def hit(self, who: OperativeState, weapon: Profile, assists: Sequence[str] = ()) -> Reasoned:
        number = Reasoned.of(weapon.hit)
        if self.is_injured(who):
            number = number.plus(1, self.edition.cites.injured, "injured")
        for name in assists:
            number = number.plus(-1, self.edition.cites.support, f"assisted by {name}")
        number = self.changed(who, "hit", number)
        return number.to(max(2, number.value), self.edition.cites.dice, "a 1 always fails")

    def ap_left(self, who: OperativeState) -> int:
        """What the operative that is acting may still spend. Its APL counts as it is now (KT24-STATS), or as it was
        when it was activated in editions in which AP are generated then (KT21-ACTIVATE)."""
        now = self.state.activation
        if now is None or now.operative != who.id:
            return 0
        return max(0, (now.apl if self.edition.generates_ap else self.apl(who).value) - now.ap_spent)

    def ap_cost(self, who: OperativeState, action: Action) -> int:
        """What *action* costs, never below 0 (KT24-STATS)."""
        return max(0, self.changed(who, f"ap:{action.name}", Reasoned.of(action.ap)).value)

    def waived(self, who: OperativeState, action: Action, bar: str) -> bool:
        """Whether a rule in force lets the operative perform *action* in spite of *bar* (``Rule.waives``)."""
        return any(rule.waives(self, who, action, bar) for rule in self.having("waives"))

    def forbids_weapon(self, who: OperativeState, weapon: Profile) -> str | None:
        """Why a rule in force keeps the operative from using the weapon now."""
        for rule in self.having("forbids_weapon"):
            if (why := rule.forbids_weapon(self, who, weapon)) is not None:
                return why
        more, left = self.weapon_ap(who, weapon), self.ap_left(who)
        if more and self.before is None:  # the action itself is still to be paid for
            left -= next((self.ap_cost(who, each) for each in self.edition.actions if each.name == "Shoot"), 0)
        return f"{weapon.name}: costs {more}AP more, {max(0, left)}AP left." if more > left else None

    def weapon_ap(self, who: OperativeState, weapon: Profile) -> int:
        """AP that using the weapon costs beyond the action's own."""
        return sum(rule.weapon_ap(self, who, weapon) for rule in self.having("weapon_ap"))

    def support_distance(self, who: OperativeState, inches: float) -> float:
        """A SUPPORT distance of *who*, all rules in force heard."""
        for rule in self.having("support_distance"):
            inches = rule.support_distance(self, who, inches)
        return inches

    # -- actions and weapons -------------------------------------------------------------------------

    def actions(self, who: OperativeState) -> list[Action]:
        """The actions of the edition and of the rules in force."""
        brought = [action for rule in self.having("actions") for action in rule.actions(self, who)]
        return [*self.edition.actions, *brought]

    def weapons(self, who: OperativeState) -> Sequence[Profile]:
        """The weapons of its datacard and those rules in force give it, each under a key of its own.

        A weapon it has just so is not brought again; one of the same name that is not the same is another weapon."""
        return self.once("weapons", who, self._weapons)

    def _weapons(self, who: OperativeState) -> Sequence[Profile]:
        found = list(self.card(who).weapons)
        for rule in self.having("weapons"):
            for weapon in rule.weapons(self, who):
                if weapon not in found:
                    keys = {each.key for each in found}
                    found.append(weapon if weapon.key not in keys else another(weapon, keys))
        return found

    def weapon(self, who: OperativeState, key: str) -> Profile:
        return next(weapon for weapon in self.weapons(who) if weapon.key == key)

    def weapon_rules(
        self,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None = None,
        ruling: TargetRuling | None = None,
    ) -> tuple[WeaponRule, ...]:
        """Printed on the weapon, granted by effects (at once, KT24-STATS) and by rules in force.

        With a *target* also what the weapon has against that target only, seen as *ruling* says.
        """
        texts = self.rules_had(who, weapon, target)
        for rule in self.having("weapon_rules"):
            texts += rule.weapon_rules(self, who, weapon)
        if target is not None:
            for rule in self.having("weapon_rules_against"):
                texts += rule.weapon_rules_against(self, who, weapon, target)
        for rule in self.having("weapon_texts"):
            texts = rule.weapon_texts(self, who, weapon, target, ruling, texts)
        key = tuple(texts)
        if key not in self._parsed:
            self._parsed[key] = self.edition.weapon_rules.parse_all(key)
        return self._parsed[key]

    def rules_had(self, who: OperativeState, weapon: Profile, target: OperativeState | None = None) -> list[str]:
        """The weapon rules printed on the weapon and granted to it by effects whose conditions hold, as printed."""
        texts = list(weapon.rules)
        for effect in self.state.effects:
            is_kind = effect.grants and effect.weapons in ("", weapon.kind)
            if is_kind and self._is_meant(effect, who, target):
                texts.append(effect.grants)
        return texts

    # -- the table -----------------------------------------------------------------------------------

    def engaged_with(self, who: OperativeState) -> list[OperativeState]:
        """The enemies in its control range."""
        return self.once("engaged with", who, self._engaged_with)

    def _engaged_with(self, who: OperativeState) -> list[OperativeState]:
        return [e for e in self.state.enemies(who.id) if self.table.in_control_range(self.state, who.id, e.id)]

    def controller(self, marker: MarkerState) -> Side | None:
        """KT24-MARKER: whose contesting operatives have the greater APL in sum."""
        if marker.carrier is not None:
            return self.state.operatives[marker.carrier].side
        totals = dict.fromkeys(SIDES, 0)
        far = marker.radius + 1000 * (self.table.widest + CONTROL_RANGE) + 2
        left, right, lower, upper = marker.x - far, marker.x + far, marker.y - far, marker.y + far
        for who in self.state.operatives.values():
            if not (left <= who.x <= right and lower <= who.y <= upper):
                continue  # as most are, and bots ask this all the time
            is_there = who.is_in_killzone and not who.is_incapacitated
            if is_there and contests(self.table, self.state, who, marker):
                counted = self.apl(who).value
                for rule in self.having("control_apl"):
                    counted = rule.control_apl(self, who, marker, counted)
                totals[who.side] += counted
        if totals["red"] == totals["blue"]:
            return None
        return "red" if totals["red"] > totals["blue"] else "blue"
