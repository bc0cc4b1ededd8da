"""Which rules of a team's texts are in force, and about whom: what every hook of the language begins with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self, TypeAlias

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Datacard, Profile, own_key
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Effect, OperativeState, Side
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.language.values import TeamText, Term, Whom, terms_of
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown, is_called
from ktsim.rules.teams.playing.clauses import (
    Clause,
    about,
    conditions_of,
    is_psychic,
)
from ktsim.rules.teams.playing.conditions import holds
from ktsim.rules.teams.playing.words import PAID

OPPOSITE = {"shooting": "shot-at", "shot-at": "shooting", "fighting": "retaliating", "retaliating": "fighting"}


class Doing(NamedTuple):
    """*who* does something, against *foe* in a sequence; *also* are further moments it is."""

    doing: str
    who: OperativeState | None
    foe: OperativeState | None = None
    weapon: Profile | None = None
    foe_weapon: Profile | None = None
    ruling: TargetRuling | None = None
    also: tuple[str, ...] = ()

    def is_at(self, moments: frozenset[str]) -> bool:
        return self.doing in moments or any(each in moments for each in self.also)


def attacking(
    battle: Battle,
    who: OperativeState,
    weapon: Profile,
    target: OperativeState | None,
    ruling: TargetRuling | None = None,
) -> tuple[Doing, ...]:
    """What an attack is: for the one who makes it, and for its target."""
    does = "shooting"
    if weapon.kind == "melee":
        does = "fighting" if is_fighting(battle, who) else "retaliating"
    found = [Doing(each, who, target, weapon, None, ruling) for each in ("always", does)]
    if target is not None:
        found += [Doing(each, target, who, None, weapon, ruling) for each in ("always", OPPOSITE[does])]
    return tuple(found)


def is_fighting(battle: Battle, who: OperativeState) -> bool:
    """Whether *who* is the one that fights, not the one that retaliates: who acts, unless a fight is under way."""
    if battle.duelling is not None:
        return battle.duelling[0] == who.id
    now = battle.state.activation
    return now is not None and now.operative == who.id


def reach_of(scene: BoundRule, inches: float) -> float:
    """A distance of a SUPPORT rule or a PSYCHIC action, as equipment and the team's rules make it longer."""
    one = scene.me or scene.who
    if one is None:
        return inches
    if scene.clause.is_support:
        inches = scene.battle.support_distance(one, inches)
    return inches + scene.distance(one, scene.clause.text)


def is_immune(battle: Battle, text: TeamText, one: OperativeState) -> bool:
    """Whether a rule of either side keeps what the text does away from the operative."""
    if not is_psychic(text) or text.kind != "action":
        return False
    return any(isinstance(rule, InForce) and rule.stands(battle, one, "immune", "psychic") for rule in battle.rules)


class _Effect(NamedTuple):
    """An effect of a clause that holds, with what is asked about it all the time."""

    clause: Clause
    term: Term
    whom: Whom | None
    mains: tuple[object, ...]
    is_own: bool
    """Whether nobody but the operative that has the rule can have the effect."""
    is_of_a_card: bool
    conditions: tuple[Term, ...]
    """Those that can be told before dice are rolled."""
    unless: tuple[Term, ...] | None
    """The conditions on which the effect after it takes its place."""

    @staticmethod
    def of(clause: Clause, number: int, term: Term) -> _Effect:
        rule, whom, after = clause.rule, about(term), clause.rule.do[number + 1 : number + 2]
        is_self = rule.who.role == "self"
        return _Effect(
            clause,
            term,
            whom,
            term.main if isinstance(term.main, tuple) else (term.main,),
            is_self and (whom is None or whom.role in ("self", "who")),
            is_self and clause.holds_by == "text" and bool(clause.kinds),
            conditions_of(rule, term)[0],
            conditions_of(rule, after[0])[0] if after and after[0].get("instead") else None,
        )

    def is_about_such(self, battle: Battle, one: OperativeState, side: Side) -> bool:
        """Whether it can be about *one* for all that its side and its datacard say; *side* is the rule's own."""
        whom = self.whom or self.clause.rule.who
        is_of_a_side = whom.role in ("friend", "enemy") or (whom.role == "self" and self.whom is None)
        if is_of_a_side and (one.side == side) == (whom.role == "enemy"):
            return False
        if self.is_of_a_card and self.whom is None and battle.card(one).type not in self.clause.kinds:
            return False
        return is_called(battle, one, whom)

    @property
    def is_of_its_text(self) -> bool:
        """Whether it holds because of its text: a ploy or an action does something only once it is paid for."""
        return self.clause.holds_by == "effect" or self.clause.text.kind not in ("firefight", "action")

    def is_about(self, scene: BoundRule, one: OperativeState) -> bool:
        return scene.who is one if self.whom is None else scene.is_meant(self.whom, one)

    def is_due(self, scene: BoundRule) -> bool:
        if not all(holds(scene, each) for each in self.conditions):
            return False
        return self.unless is None or not all(holds(scene, each) for each in self.unless)


class _InForceNow(NamedTuple):
    """What has clauses of a team in force: keys of lasting effects, ploys, equipment taken."""

    lasting: frozenset[str]
    ploys: frozenset[str]
    equipment: str


class _Looked(NamedTuple):
    """Where was last looked for what is in force: its values are held, so that no others can be taken for them."""

    effects: Sequence[Effect] = ()
    ploys: Sequence[str] = ()
    choices: Mapping[str, str] | None = None
    cards: Mapping[str, Datacard] | None = None
    counts: tuple[int, int] = (0, 0)
    """How many effects and ploys there were."""


_Asked: TypeAlias = tuple[str, Side, str]
"""A word, and the side and the datacard of whom it is asked about."""

MOST_KEPT = 64
"""Of how many sorts of moments a team keeps which rules speak."""


class InForce(Rule):
    """The clauses of one side's team, found by what they do and when."""

    def __init__(self, side: Side, clauses: Sequence[Clause]) -> None:
        self.side = side
        self.by_effect: dict[str, list[tuple[Clause, int, Term]]] = {}
        self.by_moment: dict[str, list[Clause]] = {}
        for clause in clauses:
            if clause.is_standing:
                for number, term in enumerate(clause.rule.do):
                    self.by_effect.setdefault(term.word, []).append((clause, number, term))
            else:
                for moment in clause.moments:
                    self.by_moment.setdefault(moment, []).append(clause)
        self._ids: dict[str, set[str]] = {}
        for clause in clauses:
            self._ids.setdefault(id_of(clause.text.name), set()).add(clause.text.id)
        self._markers: dict[str, tuple[object, ...]] = {}
        self._about_markers: dict[str, list[Clause]] = {}
        for clause in clauses:
            for term in clause.rule.do:
                if term.word == "marker":
                    self._note_marker(clause, term)
        asking = [term for clause in clauses for term in (*clause.rule.limit, *terms_of(clause.rule))]
        self.asked_about = {id_of(str(each.main)) for each in asking if _asks_of_the_turn(each)}
        """The names of texts of which some rule asks whether they were used in the turning point."""
        self._effects: dict[str, list[_Effect]] = {}
        for word, rows in self.by_effect.items():
            found = [_Effect.of(*row) for row in rows]
            self._effects[word] = [each for each in found if word in PAID or each.is_of_its_text]
        self._asking: set[tuple[str, str, str]] = set()
        self._beside: tuple[Sequence[Rule], tuple[Self, ...]] = ((), ())
        self._said: frozenset[str] = frozenset()
        """The words of all that holds by the rules of either side."""
        self._leading: dict[str, bool] = {}
        self._equipment: tuple[dict[str, str] | None, frozenset[str]] = (None, frozenset())
        self._keys = frozenset(each.key for each in clauses if each.holds_by == "effect")
        self._ploys = frozenset(f"{side}:{each.text.id}" for each in clauses if each.text.kind == "strategy")
        self._looked = _Looked()
        self._of_moments: dict[_InForceNow, dict[_Asked, tuple[_Effect, ...]]] = {}
        self._speaking: dict[_Asked, tuple[_Effect, ...]] = {}

    def _note_marker(self, clause: Clause, term: Term) -> None:
        for name in (str(each) for each in (term.main, term.get("either")) if each is not None):
            if isinstance(until := term.get("until"), tuple):
                self._markers.setdefault(name, until)
            if clause.rule.then:
                self._about_markers.setdefault(name, []).append(clause)

    # -- bound to whom -------------------------------------------------------------------------------

    def ids_of(self, name: str) -> frozenset[str]:
        """The ids of the texts called *name*, by which the state remembers them: a file has ids of its own."""
        return frozenset(self._ids.get(id_of(name), ()))

    def marker_lasts(self, name: str) -> tuple[object, ...]:
        """How long a marker of a name lies there, whichever rule places it; nothing: until it is removed."""
        return self._markers.get(name, ())

    def about_marker(self, name: str) -> Sequence[Clause]:
        """The rules that place a marker of a name and say what it does there."""
        return self._about_markers.get(name, ())

    def has_equipment(self, battle: Battle, text_id: str) -> bool:
        choices = battle.state.choices
        if self._equipment[0] is not choices:
            self._equipment = (choices, frozenset(choices.get(f"{self.side}:equipment", "").split(",")))
        return own_key(text_id) in self._equipment[1]

    def is_in_force(self, battle: Battle, clause: Clause) -> bool:
        """Whether the text of the clause holds now, operatives' own options aside."""
        kind = clause.text.kind
        if kind == "strategy":
            return f"{self.side}:{clause.text.id}" in battle.state.ploys_used
        if kind == "equipment":
            return self.has_equipment(battle, clause.text.id)
        return True

    def scene(self, battle: Battle, clause: Clause, me: OperativeState | None = None) -> BoundRule:
        return BoundRule(
            battle=battle, team=self, clause=clause, holds=holds, me=me, reach=reach_of if clause.is_support else None
        )

    def distance(self, battle: Battle, one: OperativeState, text: TeamText) -> float:
        """How many inches longer the distances of *text* are for the operative."""
        if text.kind != "action" or not is_psychic(text):
            return 0
        return sum(float(str(term.main)) for _, term, _ in self.found(battle, "distance", one))

    def bindings(self, battle: Battle, clause: Clause, me: OperativeState | None = None) -> Iterator[BoundRule]:
        """The rule bound to each operative that has it (or only *me*), or to what an effect of the state says."""
        if clause.holds_by == "effect":
            for effect in battle.state.effects:
                if effect.clause == clause.key and effect.side == self.side and not effect.is_pending:
                    yield self.bound(battle, clause, effect)
            return
        if not self.is_in_force(battle, clause):
            return
        if not clause.kinds and not clause.chosen:
            yield self.scene(battle, clause)
            return
        for one in battle.state.operatives.values() if me is None else (me,):
            if one.side == self.side and one.is_in_killzone and self.has(battle, clause, one):
                if clause.is_psychic_rule and self.cannot_use(battle, one):
                    continue
                yield self.scene(battle, clause, one)

    def cannot_use(self, battle: Battle, one: OperativeState) -> bool:
        """Whether a rule of either side keeps the operative from using additional rules marked PSYCHIC."""
        return any(
            rule.stands(battle, one, "forbid-rules", "psychic") for rule in battle.rules if isinstance(rule, InForce)
        )

    def has(self, battle: Battle, clause: Clause, one: OperativeState) -> bool:
        """Whether the text is on the operative's datacard, or was chosen for it."""
        card = battle.card(one)
        if clause.chosen:
            return clause.chosen in {option.lower() for option in card.options}
        if clause.kinds and card.type not in clause.kinds:
            return False
        rule = clause.weapon_rule  # of a weapon that it may not have chosen
        return not rule or any(rule in (each.lower() for each in weapon.shown) for weapon in card.weapons)

    def bound(self, battle: Battle, clause: Clause, effect: Effect) -> BoundRule:
        """The rule as an effect of the state has it."""
        all_of = battle.state.operatives
        picked = tuple(all_of[id] for id in effect.picked if id in all_of)
        told = dict(each.split("=", 1) for each in effect.picked if "=" in each)
        return self.scene(battle, clause).but(
            me=all_of.get(effect.by),
            who=all_of.get(effect.target or ""),
            foe=all_of.get(effect.foe),
            picked=picked,
            order=told.get("order", ""),
            marker=told.get("marker", ""),
            held=effect.weapons,
        )

    # -- what holds ----------------------------------------------------------------------------------

    def found(
        self, battle: Battle, word: str, one: OperativeState, doings: Sequence[Doing] = (), main: str = ""
    ) -> Iterable[tuple[Clause, Term, BoundRule]]:
        """Every effect *word* that *one* has by the rules in force, in any of the *doings* (always, unless they say);
        each rule once.

        With *main* only those with that as main argument, or among it."""
        speaking = self.speaking(battle, word, one)
        if not speaking:
            return ()
        found = self._holding(battle, speaking, one, doings or (Doing("always", one),), main)
        if doings or main or not battle.remembers:
            return found
        return battle.once((self, word), one, lambda _: tuple(found))

    def beside(self, battle: Battle) -> tuple[Self, ...]:
        """The same rules of both sides."""
        rules = battle.rules
        if self._beside[0] is not rules:
            self._beside = (rules, tuple(each for each in rules if type(each) is type(self)))
            self._said, self._leading = frozenset(word for each in self._beside[1] for word in each._effects), {}
        return self._beside[1]

    def leads(self, battle: Battle, hook: str) -> bool:
        """Whether it answers *hook* for both sides: where what one rule says changes what is left for another, the
        order of the sides may not decide."""
        laws = self.beside(battle)
        if hook not in self._leading:
            self._leading[hook] = next((each for each in laws if each.answers(hook)), self) is self
        return self._leading[hook]

    def of_both(
        self, battle: Battle, word: str, one: OperativeState, doings: Sequence[Doing] = ()
    ) -> Iterable[tuple[Self, Clause, Term, BoundRule]]:
        """Every effect *word* that *one* has by the rules of either side, as in :meth:`found`, with whose it is."""
        laws = self.beside(battle)
        if word not in self._said:  # as for most words
            return ()
        speaking = [law for law in laws if law.speaking(battle, word, one)]
        if not speaking:
            return ()
        return ((law, *each) for law in speaking for each in law.found(battle, word, one, doings))

    def _holding(
        self, battle: Battle, speaking: Sequence[_Effect], one: OperativeState, doings: Sequence[Doing], main: str
    ) -> Iterator[tuple[Clause, Term, BoundRule]]:
        for effect in speaking:
            if main and main not in effect.mains:
                continue
            clause, whom = effect.clause, effect.whom
            able = doings if whom is not None else [each for each in doings if each.who is None or each.who is one]
            due = [each for each in able if each.is_at(clause.moments)]
            if not due:
                continue
            scene = self._holds(battle, effect, one, due, one if effect.is_own else None)
            if scene is not None:
                yield clause, effect.term, scene

    def is_said(
        self, battle: Battle, word: str, one: OperativeState, doings: Sequence[Doing] = (), main: str = ""
    ) -> bool:
        """Whether *one* has any effect *word*, as in :meth:`found`."""
        return any(True for _ in self.found(battle, word, one, doings, main))

    def speaking(self, battle: Battle, word: str, one: OperativeState) -> tuple[_Effect, ...]:
        """The effects *word* that may hold for *one*, for all that effects of the state, ploys, equipment and its
        datacard say. Hooks ask for this all the time, so it is kept, by what it follows from."""
        if word not in self._effects:
            return ()
        state, looked = battle.state, self._looked
        if (
            looked.effects is not state.effects
            or looked.ploys is not state.ploys_used
            or looked.choices is not state.choices
            or looked.cards is not battle.cards
            or looked.counts != (len(state.effects), len(state.ploys_used))
        ):
            self._look(battle)
        asked = (word, one.side, one.card)
        if (known := self._speaking.get(asked)) is None:
            now = self._now(battle)
            known = tuple(each for each in self._effects[word] if self._may_concern(battle, now, each, one))
            self._speaking[asked] = known
        return known

    def _look(self, battle: Battle) -> None:
        """Have what is in force by *battle* at hand. Effects and ploys used are only ever added to, or another list;
        choices and datacards are never changed."""
        state = battle.state
        if self._looked.cards is not battle.cards or len(self._of_moments) > MOST_KEPT:
            self._of_moments = {}
        counts = (len(state.effects), len(state.ploys_used))
        self._looked = _Looked(state.effects, state.ploys_used, state.choices, battle.cards, counts)
        self._speaking = self._of_moments.setdefault(self._now(battle), {})

    def _now(self, battle: Battle) -> _InForceNow:
        state = battle.state
        lasting = self._keys.intersection([each.clause for each in state.effects])
        equipment = state.choices.get(f"{self.side}:equipment", "")
        return _InForceNow(lasting, self._ploys.intersection(state.ploys_used), equipment)

    def _may_concern(self, battle: Battle, now: _InForceNow, effect: _Effect, one: OperativeState) -> bool:
        """Whether the clause could say something about *one*, wherever everybody is and whatever is being done."""
        clause = effect.clause
        if clause.holds_by == "effect":
            is_there = clause.key in now.lasting
        else:
            is_owned = effect.is_own and bool(clause.kinds or clause.chosen)
            is_there = self.is_in_force(battle, clause) and (not is_owned or self.has(battle, clause, one))
        return is_there and effect.is_about_such(battle, one, self.side)

    def _holds(
        self,
        battle: Battle,
        effect: _Effect,
        one: OperativeState,
        doings: Sequence[Doing],
        me: OperativeState | None,
    ) -> BoundRule | None:
        for doing in doings:
            for outer in self.bindings(battle, effect.clause, me):
                try:
                    scene = self.placed(outer, doing, effect.whom)
                    if effect.is_about(scene, one) and effect.is_due(scene):
                        return scene
                except Unknown:
                    continue
        return None

    def placed(self, outer: BoundRule, doing: Doing, whom: Whom | None = None) -> BoundRule:
        """The rule in what is being done, for its effect on *whom*; raises :class:`Unknown` when it is not about
        that."""
        rule, who = outer.clause.rule, doing.who
        if who is None and rule.who.role in ("self", "who"):
            who = outer.me or outer.who
        if doing.doing in ("always", "control") and whom is not None and whom.role != "who":
            who = outer.me or outer.who
        foe = doing.foe or outer.foe
        inside = outer.but(
            foe=foe, doing=doing.doing, weapon=doing.weapon, foe_weapon=doing.foe_weapon, ruling=doing.ruling
        )
        clause = outer.clause
        if who is None and not (rule.who.role in ("friend", "enemy", "anyone") and clause.is_about_a_role):
            raise Unknown("who")
        if who is not None and not matches(outer, inside, rule.who, who):
            raise Unknown("who")
        scene = inside.but(who=who)
        if rule.foe is not None and clause.foe_wanted == "such":
            if foe is None or not matches(outer, scene, rule.foe, foe):
                raise Unknown("foe")
        elif clause.foe_wanted == "enemy" and foe is not None and foe.side == self.side:
            raise Unknown("foe")
        return scene

    def stands(self, battle: Battle, one: OperativeState, word: str, name: str) -> bool:
        """Whether a rule in force puts *one* into a state, or has it count as having something."""
        asked = (one.id, word, name)
        if not self.speaking(battle, word, one):
            return False
        if asked in self._asking:  # a state that would hold because it holds does not
            return False
        self._asking.add(asked)
        try:
            with battle.while_nothing_happens():  # what is found out meanwhile is not so outside
                return self.is_said(battle, word, one, main=name)
        finally:
            self._asking.remove(asked)


def matches(outer: BoundRule, inner: BoundRule, whom: Whom, one: OperativeState) -> bool:
    """Whether *one* is whom a rule is about: roles are those of the rule around it, conditions those of the moment."""
    bound = outer.role(whom.role)
    if bound is None:
        return inner.is_meant(whom, one)
    return one in bound and inner.is_such(whom, one)


def _asks_of_the_turn(term: Term) -> bool:
    return term.word == "not-with" or (term.word == "used-rule" and term.get("during") == "turning-point")
