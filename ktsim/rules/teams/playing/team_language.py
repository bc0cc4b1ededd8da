"""The rules of one side's team texts in a battle: what they offer and do at the moments of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile, Team
from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.events import EffectBegan, EffectsDropped, Told
from ktsim.rules.engine.operative_events import MarkerGone, Survived
from ktsim.rules.engine.precedence import Claim
from ktsim.rules.engine.rule import Gambit, Moment, Offer
from ktsim.rules.engine.state import Effect, OperativeState, Side
from ktsim.rules.teams.language.values import TeamText, Term, terms_of
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import Clause, clauses_of
from ktsim.rules.teams.playing.conditions import holds
from ktsim.rules.teams.playing.doings import as_fallen, doings
from ktsim.rules.teams.playing.effects import STEADFAST
from ktsim.rules.teams.playing.force import Doing
from ktsim.rules.teams.playing.happening import Use, carry_out, only_begins
from ktsim.rules.teams.playing.in_sequences import is_action, is_one_of, names
from ktsim.rules.teams.playing.near_markers import NearMarkers
from ktsim.rules.teams.playing.past import began, remembered, remembered_for, walked
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.unique_actions import BetweenActions, TextAction
from ktsim.rules.teams.playing.usefulness import is_useful
from ktsim.rules.teams.playing.weapon_names import is_weapon
from ktsim.rules.teams.playing.words import MOMENT_HOOKS, STANDING, WINDOWS


class TeamLanguage(NearMarkers):
    """Everything the texts of a team say that can be played; a hook without such a rule is not answered."""

    id, name = TEAM, "Team rules"

    def __init__(self, side: Side, team: Team, texts: Sequence[TeamText]) -> None:
        clauses = [clause for clause in clauses_of(texts) if clause.text.kind != "weapon-rule"]
        super().__init__(side, clauses)
        self.texts = {text.id: text for text in texts}
        self.clauses = clauses
        self.equipment_weapons = team.equipment_weapons
        self.moments = tuple(  # type: ignore[misc]
            kind for kind, words in WINDOWS.items() if any(self._offered(word) for word in words)
        )
        self._past = frozenset(remembered_for(term) for clause in clauses for term in terms_of(clause.rule)) - {""}
        self._whiles = dict(_whiles(clauses))
        self._hooks = frozenset(self._answered())

    def _answered(self) -> Iterator[str]:
        for word in self.by_effect:
            yield from STANDING[word].hooks if word in STANDING else ()
        for moment in self.by_moment:
            yield from MOMENT_HOOKS.get(moment, ())
        if any(clause.text.kind == "strategy" for clause in self.clauses):
            yield "gambits"
        terms = [term for clause in self.clauses for term in terms_of(clause.rule)]
        if any(term.get("then-forbid") or term.get("only-once") or term.word == "cancel" for term in terms):
            yield "claim"
        if any(each.word in ("strike",) for clause in self.clauses for each in clause.rule.do):
            yield "duel"
        if any(term.get("leaves") for term in terms):
            yield "waives"
        if any(term.get("steadfast") for term in terms):
            yield "action_ends"
        if any(clause.rule.limit for clause in self.clauses):
            yield from ("action_ends", "sequence_ends")
        if self._whiles:
            yield from ("action_ends", "activation_begins")
        if self._past:
            yield from ("action_ends", "sequence_ends", "incapacitated", "activation_begins", "walked", "fought")
        if any(term.word == "marker" for term in terms):
            yield from ("ready_step", "activation_begins")

    @property
    def brings_smoke(self) -> bool:
        """Whether its rules let somebody throw smoke."""
        terms = [term for word in ("allow", "use-grenades") for _, _, term in self.by_effect.get(word, ())]
        return any({"Smoke Grenade", "smoke"} & set(names(term)) for term in terms)

    def answers(self, hook: str) -> bool:
        return hook in self._hooks

    def _offered(self, word: str) -> list[Clause]:
        return [each for each in self.by_moment.get(word, ()) if each.rule.may or each.is_paid]

    # -- scenes of moments ---------------------------------------------------------------------------

    def scenes(
        self, battle: Battle, clause: Clause, doing: Doing, action: Action | None = None, fallen: bool = False
    ) -> Iterator[BoundRule]:
        """The rule in what happens, for each operative that has it, where it can be used and would do something."""
        return (scene for scene in self.possible(battle, clause, doing, action, fallen) if is_useful(scene))

    def possible(
        self, battle: Battle, clause: Clause, doing: Doing, action: Action | None = None, fallen: bool = False
    ) -> Iterator[BoundRule]:
        """The same where its conditions hold and its limits allow it, whether or not it would do something."""
        if any(term.word == "strike" for term in clause.rule.do):
            return  # part of the fight itself
        for outer in self.bindings(battle, clause):
            if _key(outer) in battle.in_use:
                continue
            try:
                scene = self.placed(outer.but(action=action, fallen=fallen), doing)
                met = (holds(scene, each) for each in clause.rule.conditions if each.word != "first-time")
                if self._is_the_action(clause, doing, action) and all(met) and self.refuses_then(scene) is None:
                    yield scene
            except Unknown:
                continue

    def refuses_then(self, scene: BoundRule) -> str | None:
        """Why the rule cannot be used as something happens: what a strategy ploy does then was paid for."""
        return self.refuses(scene) if scene.clause.is_paid else self.why_spent(scene)

    def _is_the_action(self, clause: Clause, doing: Doing, action: Action | None) -> bool:
        """Whether the moment is about this action or weapon, where it names some."""
        for term in clause.rule.on:
            wanted = names(term)
            if term.word in ("done", "doing") and wanted and action is not None:
                return any(is_action(action, each) for each in wanted) and not any(
                    is_action(action, each) for each in names(term, "except")
                )
            if term.word == "choosing-weapon" and wanted and doing.weapon is not None:
                return any(is_weapon(doing.weapon, each) for each in wanted)
            if term.word == "rolled" and doing.doing in ("shooting", "shot-at"):
                return (term.get("by") == "foe") == (doing.doing == "shot-at")
        return True

    def use(self, scene: BoundRule, moment: Moment | None = None) -> Steps[None]:
        """Pay for the rule and carry it out; what cannot be completed is left."""
        yield from self.paid_events(scene) if scene.clause.is_paid else self.used_events(scene)
        use, battle = Use(scene, moment), scene.battle
        outer, battle.in_use = battle.in_use, battle.in_use | {_key(scene)}
        try:
            yield from carry_out(use)
        except Impossible as why:
            yield Told(f"{why}.", TEAM)
        finally:
            battle.in_use = outer
        if use.is_cancelled and scene.clause.only_acts and scene.clause.text.kind not in ("strategy", "firefight"):
            # an action that could not be completed was not performed, so nothing was used for it
            by = "" if scene.me is None else scene.me.id
            yield EffectsDropped(self.side, f"{scene.clause.key}!", by, only_again=False)
        if scene.clause.holds_by == "effect" and scene.clause.moments <= {"expended"}:
            by = "" if scene.me is None else scene.me.id
            yield EffectsDropped(self.side, scene.clause.key, by, only_again=False)

    def happens(
        self,
        battle: Battle,
        word: str,
        doing: Doing,
        action: Action | None = None,
        fallen: bool = False,
        begins: bool | None = None,
    ) -> Steps[None]:
        """Rules that must be used at a moment; if *begins* is said only those of which something only begins to hold,
        or only the others."""
        for clause in self.by_moment.get(word, ()):
            is_used = clause.text.kind == "action" and clause.holds_by == "text"  # and not what follows from it
            if clause.rule.may or clause.is_paid or is_used or begins not in (None, only_begins(clause)):
                continue
            for scene in list(self.scenes(battle, clause, doing, action, fallen)):
                yield from self.use(scene)

    def asks(self, battle: Battle, word: str, doing: Doing, fallen: bool = False) -> Steps[None]:
        """Rules that may be used at a moment without a window of its own: their player is asked about each.

        What happens to somebody is answered once; at a step of the turning point each that has the rule may use it."""
        for clause in self._offered(word):
            is_used = False
            for scene in self.scenes(battle, clause, doing, None, fallen):
                cost = f" ({self.cost(scene)}CP)" if clause.is_paid else ""
                prompt = f"Use {clause.title}{cost}? {clause.text.text}".strip()
                if (yield from confirm(self.side, "team option", prompt, default=False)):
                    is_used = True
                    yield from self.use(scene)
                    if doing.who is not None or scene.me is None:
                        break
            if not is_used:
                yield from self._let_pass(battle, clause, doing, fallen)

    def _let_pass(self, battle: Battle, clause: Clause, doing: Doing, fallen: bool) -> Steps[None]:
        """The first time something happens has passed, though the rule was not used or what it needs was not given: it
        is the first of what happens, not of the rule's use, and whoever lets it pass waits for the next period."""
        conditions = clause.rule.conditions
        number = next((n for n, each in enumerate(conditions) if each.word == "first-time"), None)
        for outer in () if number is None else self.bindings(battle, clause):
            try:
                scene = self.placed(outer.but(fallen=fallen), doing)
                has_happened = all(holds(scene, each) for each in conditions[:number])
            except Unknown:
                continue
            if has_happened and self.is_left(scene):  # not used on whoever may be removed now
                is_each = bool(conditions[number or 0].get("each"))
                yield from self.used_events(scene if is_each else scene.but(who=None))

    # -- windows -------------------------------------------------------------------------------------

    def offers(self, battle: Battle, moment: Moment) -> Sequence[Offer]:
        found: dict[str, Offer] = {}
        for word in WINDOWS[moment.kind]:
            for clause in self._offered(word):
                for doing in doings(battle, word, moment):
                    if clause.text.kind == "firefight" and word == "activation":
                        continue
                    for scene in self.scenes(battle, clause, doing, moment.action, moment.kind == "incapacitated"):
                        key = f"{clause.key} {scene.me.id}" if scene.me is not None else clause.key
                        if key not in moment.used:
                            found[key] = self._offer(key, scene, moment)
        return tuple(found.values())

    def _offer(self, key: str, scene: BoundRule, moment: Moment) -> Offer:
        text = scene.clause.text
        cost = f" ({self.cost(scene)}CP)" if scene.clause.is_paid else ""
        by = f" ({scene.me.name})" if scene.me is not None and scene.me is not moment.who else ""
        words = f"{text.name}{cost}{by}" + (f": {text.text}" if text.text else "")
        return Offer(key, words, self.side, partial(self._take_up, key, scene, moment), text)

    def _take_up(self, key: str, scene: BoundRule, moment: Moment) -> Steps[None]:
        moment.used.add(key)
        if moment.kind == "action begins" and not scene.clause.is_paid and only_begins(scene.clause):
            moment.begins.append(partial(self._take_hold, scene, moment))
        else:
            yield from self.use(scene, moment)

    def _take_hold(self, scene: BoundRule, moment: Moment) -> Steps[None]:
        if self.refuses_then(scene) is None:  # others with the rule may have used it up
            yield from self.use(scene, moment)

    # -- gambits and actions -------------------------------------------------------------------------

    def gambits(self, battle: Battle, side: Side) -> Sequence[Gambit]:
        if side != self.side:
            return ()
        found = []
        for text in self.texts.values():
            if text.kind == "strategy":
                found.append(self._strategy(battle, text))
        for clause in self.by_moment.get("gambit", ()):
            for outer in self.bindings(battle, clause):
                scene = outer.but(who=outer.me)
                key = clause.key if outer.me is None else f"{clause.key} {outer.me.id}"
                why = self.refuses(scene) or self._unmet(scene)
                by = "" if outer.me is None else f" ({outer.me.name})"
                words = f"{clause.title}{by}" + (f": {clause.text.text}" if clause.text.text else "")
                found.append(Gambit(key, words, partial(self.use, scene), why, TEAM, source=clause.text))
        return found

    def _strategy(self, battle: Battle, text: TeamText) -> Gambit:
        clauses = [each for each in self.clauses if each.text is text and each.holds_by == "text"]
        scenes = [self.scene(battle, clause) for clause in clauses]
        used = [scene for scene in scenes if "used" in scene.clause.moments]
        why = next((why for scene in scenes if (why := self.refuses(scene)) is not None), None)
        why = why or next((why for scene in used if (why := self._unmet(scene)) is not None), None)
        words = f"{text.name} ({self.cost(scenes[0])}CP)" + (f": {text.text}" if text.text else "")

        def perform() -> Steps[None]:
            yield from self.paid_events(scenes[0])
            for scene in used:
                try:
                    yield from carry_out(Use(scene))
                except Impossible as reason:
                    yield Told(f"{reason}.", TEAM)

        return Gambit(text.id, words, perform, why, battle.edition.cites.ploys, source=text)

    def _unmet(self, scene: BoundRule) -> str | None:
        """Why the rule would do nothing now."""
        try:
            if not all(holds(scene, each) for each in scene.clause.rule.conditions):
                return f"{scene.clause.title}: its conditions do not hold."
        except Unknown:
            return f"{scene.clause.title}: its conditions do not hold."
        return None if is_useful(scene) else f"{scene.clause.title}: nobody to choose."

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        found: list[Action] = list(super().actions(battle, who))
        for clause in self.by_moment.get("used", ()):
            if clause.text.kind == "action" and clause.holds_by == "text" and clause.key.endswith("#0"):
                for outer in self.bindings(battle, clause, who):
                    parts = [each for each in self.clauses if each.text is clause.text and each.holds_by == "text"]
                    scenes = [outer.but(clause=each, who=outer.me) for each in parts if "used" in each.moments]
                    found.append(TextAction(self, clause.text, scenes))
        now = battle.state.activation
        if now is not None and now.operative == who.id:
            for clause in self.by_moment.get("activation", ()):
                if now.kind != "activation" and not any(term.get("or-counteraction") for term in clause.rule.on):
                    continue
                # Whether it would do something is asked later: that asks for actions itself.
                for scene in self.possible(battle, clause, Doing("activation", who)):
                    found.append(BetweenActions(self, scene))
        return found

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        now = battle.state.activation
        is_activated = now is not None and now.operative == who.id and now.kind == "activation"
        for name in (action.name, action.counted):
            if battle.has_mark(who, f"no {name}") or (is_activated and battle.has_mark(who, f"no {name} activated")):
                return Claim(False, f"{action.name}: not any more now.")
        return super().claim(battle, who, action)

    # -- moments -------------------------------------------------------------------------------------

    def ready_step(self, battle: Battle) -> Steps[None]:
        yield from self._clear_markers(battle)
        yield from self.bring_markers(battle)
        yield from self.look_around(battle)
        yield from self.happens(battle, "ready-step", Doing("ready-step", None))
        yield from self.asks(battle, "ready-step", Doing("ready-step", None))

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        yield from self.happens(battle, "turning-point-ended", Doing("turning-point-ended", None))
        yield from self.asks(battle, "turning-point-ended", Doing("turning-point-ended", None))

    def firefight_begins(self, battle: Battle) -> Steps[None]:
        yield from self.happens(battle, "firefight-begins", Doing("firefight-begins", None))
        yield from self.asks(battle, "firefight-begins", Doing("firefight-begins", None))

    def firefight_ends(self, battle: Battle) -> Steps[None]:
        yield from self.happens(battle, "firefight-ends", Doing("firefight-ends", None))
        yield from self.asks(battle, "firefight-ends", Doing("firefight-ends", None))

    def activation_begins(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from self._clear_markers(battle)
        yield from began(battle, self.side, who, self._past)
        now = battle.state.activation
        word = "counteracts" if now is not None and now.kind == "counteraction" else "activated"
        yield from self.happens(battle, word, Doing(word, who))

    def activation_ends(self, battle: Battle, who: OperativeState) -> Steps[None]:
        now = battle.state.activation
        if now is not None and now.kind == "activation":  # a counteraction is none
            yield from self.happens(battle, "activation-ended", Doing("activation-ended", who))

    def expended(self, battle: Battle, who: OperativeState) -> Steps[None]:
        if who.is_in_killzone:
            yield from self.happens(battle, "expended", Doing("expended", who))

    def action_begins(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        yield from self.happens(battle, "doing", Doing("doing", who), action, begins=False)

    def action_holds(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        yield from self.happens(battle, "doing", Doing("doing", who), action, begins=True)

    def action_ends(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        yield from self._count_action(battle, who, action)
        if not battle.is_amid:
            yield from self._settle(battle)
        if who.is_in_killzone:
            aimed = battle.state.operatives.get(battle.aimed)
            yield from self.happens(battle, "done", Doing("done", who, aimed), action)

    def _settle(self, battle: Battle) -> Steps[None]:
        """What is over with a whole action, and what it has brought near."""
        if any(each.clause == f"{STEADFAST}:{self.side}" for each in battle.state.effects):
            yield EffectsDropped(self.side, f"{STEADFAST}:{self.side}", None, only_again=False)
        yield from self._end_whiles(battle)
        yield from self.look_around(battle)

    def _end_whiles(self, battle: Battle) -> Steps[None]:
        """What lasts while something is so ends for good once it is not."""
        by_key = {clause.key: clause for clause in self.clauses}
        for effect in list(battle.state.effects):
            conditions = self._whiles.get(effect.clause, ())
            if effect.side != self.side or not conditions:
                continue
            scene = self.bound(battle, by_key[effect.clause], effect)
            scene = scene.but(foe=scene.foe or next(iter(scene.picked), None))
            try:
                still = all(holds(scene, each) for each in conditions)
            except Unknown:
                still = False
            if not still:
                yield EffectsDropped(self.side, effect.clause, effect.by, only_again=False)

    def walked(self, battle: Battle, who: OperativeState, cost: int, allowance: int) -> Steps[None]:
        if "walked" in self._past:
            yield walked(self.side, who, cost, allowance)

    def _count_action(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """What is limited and was used with the action, and what is asked about it later."""
        for word, main in (("ap-cost", "actions"), ("allow", "")):
            for clause, term, scene in self.found(battle, word, who):
                is_counted = word == "ap-cost" or action.is_granted
                if not is_counted or not is_one_of(action, term, main):
                    continue
                if clause.rule.limit and self.is_left(scene):
                    yield from self.used_events(scene)
                if term.get("once"):
                    yield EffectsDropped(self.side, clause.key, None, only_again=False)
        for clause, term, _ in self.found(battle, "allow", who):
            if is_one_of(action, term) and self.is_free(battle, clause.key, term, who):
                free = Effect(clause.title, TEAM, "activation", who.id, self.side, clause=f"{clause.key}!free")
                yield EffectBegan(free)
        if "moved" in self._past and action.is_move:
            yield remembered(self.side, "moved", who)
        if "did" in self._past and action.is_act:
            yield remembered(self.side, f"did {action.counted}", who)

    def sequence_ends(self, battle: Battle, attack: Attack) -> Steps[None]:
        if "shot" in self._past:
            yield remembered(self.side, "shot", attack.target, attack.who.id)
        if battle.aimed in ("", attack.target.id):
            yield from self._count_weapon(battle, attack.who, attack.weapon)

    def _count_weapon(self, battle: Battle, who: OperativeState, weapon: Profile) -> Steps[None]:
        """A weapon that may be used so often was used."""
        for clause, term, scene in self.found(battle, "add-weapon", who):
            if clause.rule.limit and self.is_given(battle, who, weapon, term) and self.is_left(scene):
                yield from self.used_events(scene)

    def fought(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
        for one, key in zip((who, enemy), battle.armed, strict=True):
            for weapon in (each for each in battle.weapons(one) if each.key == key):
                yield from self._count_weapon(battle, one, weapon)
        yield from self.happens(battle, "has-fought", Doing("fighting", who, enemy, also=("has-fought",)))
        yield from self.happens(battle, "has-fought", Doing("retaliating", enemy, who, also=("has-fought",)))
        if "retaliated" in self._past:
            yield remembered(self.side, "retaliated", enemy)

    def would_fall(self, battle: Battle, who: OperativeState) -> Steps[None]:
        foe = battle.state.operatives.get(who.wounded_by)
        mark = f"{STEADFAST}:{self.side}"
        kept = next((each for each in battle.state.effects if each.clause == mark and each.target == who.id), None)
        if kept is not None:
            yield Survived(who.id, 1, kept.source)
            return
        doing = Doing(as_fallen(battle, who, foe)[0] or "dying", who, foe, also=("dying",))
        yield from self.happens(battle, "dying", doing, fallen=True)
        if who.is_incapacitated:
            yield from self.asks(battle, "dying", doing, fallen=True)

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        foe = battle.state.operatives.get(by)
        yield from self.happens(battle, "incapacitated", Doing(*as_fallen(battle, who, foe)), fallen=True)
        if foe is not None:
            if "killed" in self._past and foe.side != who.side:
                yield remembered(self.side, "killed", foe)
            yield from self.happens(battle, "incapacitates", Doing(*as_fallen(battle, foe, who)), fallen=True)

    def _clear_markers(self, battle: Battle) -> Steps[None]:
        """A marker that lasts for a while is taken away once that is over."""
        there = {effect.clause for effect in battle.state.effects}
        for marker in list(battle.state.markers.values()):
            is_mine = marker.owner == self.side and self.marker_lasts(marker.kind)
            if is_mine and f"marker:{self.side}:{marker.kind}" not in there:
                yield MarkerGone(marker.id)


def _key(scene: BoundRule) -> str:
    """A rule and whose it is."""
    return f"{scene.side} {scene.clause.key} {'' if scene.me is None else scene.me.id}"


def _whiles(clauses: Sequence[Clause]) -> Iterator[tuple[str, tuple[Term, ...]]]:
    """The keys of what lasts while conditions hold, with those."""
    for clause in clauses:
        lasting = [(f"{clause.key}/{number}", each.get("until")) for number, each in enumerate(clause.rule.do)]
        lasting += [(f"{clause.key}.{number}", each.until) for number, each in enumerate(clause.rule.then)]
        for key, until in lasting:
            for each in until if isinstance(until, tuple) else ():
                if isinstance(each, Term) and each.word == "while" and isinstance(each.main, tuple):
                    yield key, tuple(term for term in each.main if isinstance(term, Term))
