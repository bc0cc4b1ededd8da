"""An opponent that plans whole activations, sees what the enemy may do about them, and plays for what is scored.

Answers follow from the game alone, whatever was asked before: what is kept are answers about places, and plans by the
state they are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from ktsim.game.bots.courses import Planner
from ktsim.game.bots.estimates import Outlook, reroll_gains
from ktsim.game.bots.items import SETTING_UP
from ktsim.game.bots.lookout import Memory
from ktsim.game.bots.plans import Level
from ktsim.game.bots.preparations import PREPARATIONS, Preparing
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.ranking import Course
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.tactician import Tactician, Why, acting, chosen_operative
from ktsim.game.bots.trials import compared
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import Weights, weights_of
from ktsim.game.game import Game
from ktsim.game.players import cancelled
from ktsim.game.rehearsal import rehearse
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.engine.activation import remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Place, Walk
from ktsim.rules.engine.dice import COMMAND, Rerolling
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.shoot.targets import Aim
from ktsim.rules.engine.state import Activation, OperativeState, OrderName, Side, State, other
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.kt24.moves import Dash

ORDERS: tuple[OrderName, OrderName] = ("conceal", "engage")
NARROW, FEW, ANSWERING = 4, 30, 2
"""Of the enemy's answers: places looked at, plans weighed for each operative, operatives that may answer."""
ROUGH, MOST, CONSIDERED = 40, 200, 3
"""Plans weighed for each operative to find out who is to be considered, plans weighed then, and for how many."""
TOLD = 2
"""Plans that are told: the best, and the best of the others."""
RESERVE = 1.0
"""Seconds before the end of its time from which the enemy's answers are not looked into any more."""
WORTH_TELLING = 0.1
"""VP that make a difference worth a word."""
ROUTES = 6
"""Plans whose ways are tried before another way is taken."""
WORTH_USING = 0.05
"""VP beyond its CP for which a ploy is used."""
COUNTERACT = 0.05
"""VP for which it counteracts."""
LATER = ("pull", "control", "opening", "future", "at_end")
"""Weights of what pays later."""
ROOM = 384 << 20
"""Bytes of what boards have prepared that are kept in a process where it thinks: on boards with many levels it asks for
maps of moves over all of them again and again."""
REMEMBERED = 400
"""Plans kept."""


class AttackDone(NamedTuple):
    """An attack that was made, on both as they were before it: what *target* and *by* had to expect of it, or what they
    really suffered."""

    by: OperativeState
    target: OperativeState
    inflicted: Outlook
    suffered: Outlook = Outlook()


class Commander(Tactician):
    """Plays a side by plans. *seconds* is a limit on the clock for one decision."""

    def __init__(
        self,
        seed: int | str,
        level: str | Level = "commander",
        seconds: float | None = None,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(seed, level, seconds)
        PREPARED.most = max(PREPARED.most, ROOM)
        human = {"kill": self.level.bloodlust, "danger": self.level.fear, "later": self.level.fear}
        human |= dict.fromkeys(LATER, self.level.foresight)
        self.weights = (weights or weights_of()).times(human)
        self._cards: object = None
        self._places: Memory = {}
        self._roads = RoadBook()
        self._plans: dict[object, list[Course]] = {}
        self._handlers |= dict.fromkeys(PREPARATIONS, self._prepared)
        self._handlers |= dict.fromkeys(SETTING_UP, self._prepared)
        self._handlers["ploy"] = self._ploy

    # -- looking -------------------------------------------------------------------------------------

    def _prospect(self, game: Game, side: Side) -> Prospect:
        if game.battle.cards is not self._cards:  # another game: other places, other cards
            self._cards, self._places, self._roads, self._plans = game.battle.cards, {}, RoadBook(), {}
        return self._over(game.battle, side)

    def _over(self, battle: Battle, side: Side) -> Prospect:
        found = Prospect(battle, side, self.weights, self._places, self._roads, Budget(self.level.rulings, self._until))
        found.enemies = self.level.watches
        return found

    def _courses(
        self,
        game: Game,
        id: str,
        orders: tuple[OrderName, ...],
        counteracts: bool = False,
        *,
        roughly: bool = False,
        several: int = 0,
    ) -> list[Course]:
        """The plans of one operative in the present state, best first; the last is to stay as it is. *Roughly* fewer of
        them are weighed. With *several* only the best, as far as so many that are not nearly the same."""
        given_up = cancelled(game) if game.state.activation is not None else set()
        names = [action.name for action in game.battle.actions(game.state.operatives[id])]
        given_up |= self.level.forgotten(f"{self._seed}/{game.state.turning_point}/{id}", names)
        key = (game.digest(), id, orders, counteracts, tuple(sorted(given_up)), roughly, several)
        if key not in self._plans:
            if len(self._plans) > REMEMBERED:
                self._plans.clear()
            prospect = self._prospect(game, game.state.operatives[id].side)
            if counteracts:
                prospect.state.activation = Activation(id, "counteraction", prospect.battle.apl(prospect.who(id)).value)
            width, most = (NARROW, ROUGH) if roughly else (self.level.width, MOST)
            prospect.on_foot = roughly and prospect.who(id).level == 0
            planner = Planner(prospect, id, width, given_up, self.level.steps, most)
            ranked = planner.best_first(orders)
            found = _up_to(ranked, several) if several else list(ranked)
            self._plans[key] = [*found, planner.stay()]
        return self._plans[key]

    def _deciding(self, game: Game, id: str) -> list[Course]:
        """The best plans of an operative about to be activated, as many as are compared or told."""
        return self._courses(game, id, ORDERS, several=max(TOLD, self.level.replies))

    def _candidates(self, game: Game, id: str) -> list[Course]:
        """The few best plans of an operative about to be activated, if the enemy's answers are to decide among them."""
        found = self._deciding(game, id)
        few = list(islice(_different(course for course in found[:-1] if course.state is not None), self.level.replies))
        return few if len(few) > 1 and game.state.ready(other(game.state.operatives[id].side)) else []

    def _answered_by(self, game: Game, id: str, few: list[Course], number: int) -> Course:
        """One of the :meth:`_candidates`, less what the enemy may answer to it."""
        key = ("reply", game.digest(), id, number)
        if key not in self._plans:
            course = few[number]
            self._plans[key] = [course._replace(value=course.value - self._reply(game, id, course))]
        return self._plans[key][0]

    def _decided(self, game: Game, id: str) -> list[Course]:
        """The plans of an operative about to be activated, the few best with what the enemy may answer."""
        found, few = self._deciding(game, id), self._candidates(game, id)
        if not few:
            return found
        answered = [self._answered_by(game, id, few, number) for number in range(len(few))]
        return [*sorted(answered, key=lambda course: -course.value), found[-1]]

    def _best(self, game: Game, id: str) -> Course:
        """The first of :meth:`_decided`; no further answers are looked into once they could not make another one best:
        the enemy gains nothing less than nothing."""
        few = self._candidates(game, id)
        best = self._answered_by(game, id, few, 0) if few else self._deciding(game, id)[0]
        for number, course in enumerate(few[1:], 1):
            if course.value > best.value:
                best = max(best, self._answered_by(game, id, few, number), key=lambda each: each.value)
        return best

    def _reply(self, game: Game, id: str, course: Course) -> float:
        """What the enemy gains by its best answer, beyond what was feared anyway.

        Those it fears answer, else whoever is nearest; attacks come out as they will more likely than not.
        """
        if self._until is not None and monotonic() > self._until - RESERVE:
            return 0.0
        assert course.state is not None
        side = other(game.state.operatives[id].side)
        battle = game.battle.twin()
        battle.state = course.state.copy()
        for target, _, odds in course.attacks:
            who = battle.state.operatives[target]
            who.wounds = 0 if odds.kill >= 0.5 else max(1, who.wounds - round(odds.damage))
            who.wounded_by = id
        rehearse(battle.state, remove_incapacitated(battle))
        battle.state.activation = None
        battle.state.operatives[id].is_ready = False
        enemy = self._over(battle, side)
        enemy.on_foot = True
        ready = battle.state.ready(side)
        me = battle.state.operatives[id]
        ready.sort(key=lambda each: (each.id not in course.threats, enemy.flat(each, me.point), each.id))
        best = 0.0
        for each in ready[:ANSWERING]:
            planner = Planner(enemy, each.id, NARROW, (), self.level.steps, FEW)
            plan = next(planner.best_first(ORDERS), None)
            if plan is not None:
                best = max(best, plan.value - planner.stay().value)
        return self.weights.reply * max(0.0, best - course.danger)

    # -- for whoever reviews what others have done ---------------------------------------------------

    def plans(self, game: Game, id: str, *, counteracts: bool = False) -> list[Course]:
        """What an operative about to act could do, best first; the last is to stay as it is."""
        has_order = counteracts or game.state.activation is not None
        return self._courses(game, id, (game.state.operatives[id].order,) if has_order else ORDERS, counteracts)

    def intended(self, decision: Decision[Any], game: Game) -> tuple[str, Course] | None:
        """Who is to act by what plan, where a question is about an activation that begins or goes on."""
        now = game.state.activation
        if decision.topic == "activate":
            id = self.answer(decision, game)
            return id, self._best(game, id)
        if decision.topic == "order":
            who = game.state.operatives.get(decision.about) or chosen_operative(game, decision.seat)
            return None if who is None else (who.id, self._best(game, who.id))
        if decision.topic == "action" and now is not None and now.kind == "activation":
            order = game.state.operatives[now.operative].order
            return now.operative, self._courses(game, now.operative, (order,), several=1)[0]
        return None

    def urgency(self, plans: list[Course]) -> float:
        """What of the best of :meth:`plans` is lost by waiting, in VP."""
        return self._urgency_of(plans)

    def done(self, game: Game, id: str, end: State, attacks: Sequence[AttackDone]) -> float:
        """What *id* has done, in VP as :meth:`plans` of *game* before it are: come to *end*, as if its attacks had come
        to nothing, and made *attacks*."""
        side = game.state.operatives[id].side
        prospect = self._prospect(game, side)
        found, lost = [], 0.0
        for each in attacks:
            gain = prospect.gain(each.target, each.inflicted)
            gain -= self.weights.suffer * prospect.gain(each.by, each.suffered)
            if each.by.side != side:
                gain = -gain
            found.append((each.target.id, gain, each.inflicted))
            kill = {each.target.id: each.inflicted.kill, each.by.id: each.suffered.kill}.get(id, 0.0)
            lost = 1 - (1 - lost) * (1 - kill)
        return Planner(prospect, id, self.level.width).done(end, tuple(found), lost).value

    def standing(self, game: Game, side: Side) -> float:
        """What the table as it stands is worth to a side, in VP of its own less the other's."""
        return round(self._prospect(game, side).value(), 6)  # in whatever order it was added up

    # -- set-up --------------------------------------------------------------------------------------

    def _prepared(self, decision: Any, game: Game, rng: Random) -> tuple[Any, str] | None:
        side = _side(decision)
        return (PREPARATIONS | SETTING_UP)[decision.topic](Preparing(self._prospect(game, side), game, rng), decision)

    def _set_up(self, decision: Any, game: Game, rng: Random) -> tuple[Any, str] | None:
        if not isinstance(decision, Place) or decision.about not in game.state.operatives:
            return super()._set_up(decision, game, rng)
        side = _side(decision)
        return Preparing(self._prospect(game, side), game, rng).deployed(decision)

    # -- activations ---------------------------------------------------------------------------------

    def _activate(self, decision: Pick, game: Game, rng: Random) -> tuple[str, Why] | None:
        keys = decision.open_keys
        if len(keys) > CONSIDERED:
            rough = {key: self._urgency_of(self._courses(game, key, ORDERS, roughly=True, several=1)) for key in keys}
            keys = sorted(rough, key=lambda key: (-rough[key], key))[:CONSIDERED]
        urgencies = {key: self._urgency_of(self._deciding(game, key)) for key in keys}
        few = sorted(urgencies, key=lambda key: (-urgencies[key], key))[: max(1, self.level.replies)]
        best, most = few[0], self._urgency_decided(game, few[0]) if len(few) > 1 else 0.0
        for key in few[1:]:
            stay = self._deciding(game, key)[-1]
            hoped = [self._urgency_of([course, stay]) for course in self._candidates(game, key)]
            if max(hoped, default=urgencies[key]) > most and (urgency := self._urgency_decided(game, key)) > most:
                best, most = key, urgency
        return best, lambda: f"{game.battle.name(best)}: {explained(game, self._decided(game, best))}"

    def _urgency_decided(self, game: Game, id: str) -> float:
        return self._urgency_of([self._best(game, id), self._deciding(game, id)[-1]])

    def _urgency_of(self, found: list[Course]) -> float:
        """What is lost by waiting: an attack, and a part of what else it would bring."""
        course, stay = found[0], found[-1]
        return course.attack + self.weights.wait * (course.value - stay.value - course.attack)

    def _order(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        who = game.state.operatives.get(decision.about) or chosen_operative(game, decision.seat)
        if who is None or set(decision.open_keys) != set(ORDERS):
            return None
        found = self._best(game, who.id)
        return found.order, why_order(game, found)

    def _action(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        now = game.state.activation
        if now is None:
            return None
        who = game.state.operatives[now.operative]
        for several in (1, 0):  # the best is hardly ever refused
            for course in self._courses(game, who.id, (who.order,), several=several)[:-1]:
                if course.first is None:
                    return "pass", "Nothing else is worth its while."
                if course.first.action in decision.open_keys:
                    return course.first.action, told(game, course, is_begun=True)
        return None

    def _counteract(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        best, gain, words = "none", COUNTERACT, "Nobody has anything to gain."
        for key in decision.open_keys:
            if key in game.state.operatives:
                found = self._courses(game, key, ("engage",), counteracts=True, several=1)
                if found[0].steps and found[0].value - found[-1].value > gain:
                    best, gain, words = key, found[0].value - found[-1].value, told(game, found[0])
        return best, words

    # -- moves ---------------------------------------------------------------------------------------

    def _move(self, decision: Walk, game: Game, rng: Random) -> tuple[Any, str] | None:
        request = decision.about
        if not isinstance(decision, Walk) or not isinstance(request, MoveRequest):
            return None
        if request.since is not None:
            return CANCEL, "It is where it wanted to be."
        who = game.state.operatives[decision.operative]
        actions = [each for each in (*game.battle.actions(who), Dash()) if isinstance(each, Move)]
        action = next((each for each in actions if each.name == request.action), None)
        if action is None:
            return super()._move(decision, game, rng)
        prospect = self._prospect(game, who.side)
        courses = Planner(prospect, who.id, self.level.width, (), self.level.steps).after_begun(action, who.order)
        places = list(dict.fromkeys(course.steps[0].place for course in courses if course.steps))
        for place in places[:ROUTES]:
            assert place is not None
            path = prospect.route(request, place)
            if path != CANCEL and decision.check(path) is None:
                course = next(each for each in courses if each.steps[0].place == place)
                return path, f"{course.goal or 'to a better place'}; {reach_of(game, course)}.".capitalize()
        return decision.sample(rng), "The nearest thing to a plan."

    # -- attacks -------------------------------------------------------------------------------------

    def _weapon(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        who = acting(game)
        if who is None or who.side != decision.seat or game.battle.engaged_with(who):
            return super()._weapon(decision, game, rng)
        prospect = self._prospect(game, who.side)
        found = prospect.best_shot_plan(who.id)
        if found.weapon not in decision.open_keys:
            return super()._weapon(decision, game, rng)
        return found.weapon, f"The best shot is at {game.battle.name(found.target)}."

    def _target(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        aim = decision.about
        if not isinstance(aim, Aim):
            return super()._target(decision, game, rng)
        side = game.state.operatives[aim.operative].side
        prospect = self._prospect(game, side)
        who = prospect.who(aim.operative)
        weapon = prospect.battle.weapon(who, aim.weapon)
        best, most = decision.open_keys[0], -99.0
        for key in decision.open_keys:
            found = prospect.shot_plan(who, prospect.who(key), weapon)
            if found is not None:
                gain = found.gain + (found.odds.kill * prospect.without(key, who.id) if found.odds.kill > 0.1 else 0.0)
                if gain > most:
                    best, most = key, gain
        return best, f"{game.battle.name(best)} is the best to shoot."

    def _ploy(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        """What does most, tried out on a fork of the game, if it brings more than its CP are worth."""
        side, moment = _side(decision), decision.about
        mine = [who.id for who in (moment.who, moment.other) if who is not None and who.side == side]

        def value(trial: Game) -> float:
            prospect, cp = self._over(trial.battle, side), trial.state.cp
            prospect.on_foot = True
            worth = self._cp_worth(game, side) * (cp[side] - cp[other(side)])
            alive = [id for id in mine if trial.state.operatives[id].is_in_killzone]
            if not alive:
                return worth + prospect.value()
            planner = Planner(prospect, alive[0], NARROW, (), self.level.steps, FEW)
            now = trial.state.activation
            if now is not None and now.operative == alive[0] and trial.pending is not None:
                return worth + next(planner.best_first((prospect.who(alive[0]).order,))).value
            return worth + planner.stay().value

        found = compared(game, decision.open_keys, value)
        best = max(found, key=lambda key: (found[key], key == "no"), default="no")
        if best == "no" or found[best] - found.get("no", 0.0) < WORTH_USING:
            return "no", "The CP are better kept."
        name = next(option.text for option in decision.options if option.key == best).partition(" (")[0]
        return best, f"{name}: {found[best] - found['no']:+.1f} VP, about."

    def _cp_worth(self, game: Game, side: Side) -> float:
        """VP for a CP kept."""
        return self._prospect(game, side).cp_worth()

    def _reroll(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        """A Command Re-roll where it is likely to bring more than a CP is worth."""
        about = decision.about
        shot = about.sequence if isinstance(about, Rerolling) else None
        if decision.default != "keep" or not isinstance(shot, Shot) or shot.hand.target not in game.state.operatives:
            return super()._reroll(decision, game, rng)
        prospect = self._prospect(game, _side(decision))
        target = prospect.who(shot.hand.target)
        sign = 1 if shot.hand.side == decision.seat else -1
        gains = {
            f"{COMMAND} {face}": sign * (prospect.gain(target, again) - prospect.gain(target, kept))
            for face, (kept, again) in reroll_gains(shot, about.dice, target.wounds, game.battle.edition.id).items()
        }
        best = max((key for key in gains if key in decision.open_keys), key=lambda key: gains[key], default="keep")
        if gains.get(best, 0.0) > prospect.cp_worth():
            return best, f"It is worth {gains[best]:.2f} VP on average."
        return "keep", "A CP is worth more than that."


def _different(found: Iterable[Course]) -> Iterator[Course]:
    """Of plans, best first, those that are not nearly the same as a better one."""
    kept: list[Course] = []
    for course in found:
        if all(course.differs(each) for each in kept):
            kept.append(course)
            yield course


def _up_to(ranked: Iterable[Course], several: int) -> list[Course]:
    """Of plans, best first, as many as it takes for so many that are not nearly the same."""
    found: list[Course] = []
    kept: list[Course] = []
    for course in ranked:
        found.append(course)
        if all(course.differs(each) for each in kept):
            kept.append(course)
            if len(kept) >= several:
                break
    return found


def _side(decision: Decision[Any]) -> Side:
    return "red" if decision.seat == "red" else "blue"


def told(game: Game, course: Course, *, is_begun: bool = False) -> str:
    """The plan in words that anybody may hear: without what only its player may know it can do. Of an activation that
    has begun only what is left of it."""
    names = []
    last = max((number for number, step in enumerate(course.steps) if step.place is not None), default=-1)
    for number, step in enumerate(course.steps):
        if step.is_secret:
            continue
        link = "with" if step.action == "Fight" else "at"
        where = f" {course.goal}" if number == last and course.goal else ""
        names.append(f"{step.action}{where}{f' {link} {game.battle.name(step.target)}' if step.target else ''}")
    names = names or ["stay"]
    hope = f", {course.attacks[-1][2].kill:.0%} to incapacitate" if course.attacks else ""
    plan = f"{'' if is_begun else f'{course.order.title()}, '}{', '.join(names)}{hope}; {reach_of(game, course)}."
    return plan[:1].upper() + plan[1:]


def reach_of(game: Game, course: Course) -> str:
    """Who may do something to it then."""
    if not course.threats:
        return "in nobody's reach"
    seen = f"in reach of {' and '.join(game.battle.name(id) for id in course.threats[:2])}"
    return seen + (f" and {len(course.threats) - 2} more" if len(course.threats) > 2 else "")


def why_order(game: Game, course: Course) -> str:
    """Why it is given that order: the plan itself was told when it was chosen."""
    if course.order == "engage" and course.attacks:
        return f"Engage, to attack {game.battle.name(course.attacks[0][0])}."
    return f"{course.order.title()}, {reach_of(game, course)}."


def explained(game: Game, found: list[Course]) -> str:
    """The best plan, the second best that is another, and why it is not the best."""
    best = found[0]
    second = next(islice(_different(found[:-1]), 1, None), None)
    if second is None:
        return told(game, best)
    if second.danger > best.danger + WORTH_TELLING:
        why = "more dangerous"
    elif second.attack < best.attack - WORTH_TELLING:
        why = "it does less harm"
    elif second.score < best.score - WORTH_TELLING:
        why = "it scores less"
    else:
        why = "it leads to less"
    return f"{told(game, best)} Second best by {best.value - second.value:.1f} VP: {told(game, second)[:-1]} ({why})."
