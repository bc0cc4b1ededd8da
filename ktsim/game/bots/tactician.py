"""An opponent that thinks one action ahead: goes for objectives, uses cover, takes good shots, charges when it pays."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from ktsim.game.bots.estimates import resolution_of
from ktsim.game.bots.plans import LEVELS, Deliberation, Level
from ktsim.game.bots.ploys import gambit_choice, ploy_choice
from ktsim.game.bots.view import BattleView, Budget, end_of
from ktsim.game.game import Game
from ktsim.game.players import cancelled
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Place, Walk
from ktsim.rules.engine.dice import COMMAND, is_success
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.operative_events import ActionBegan
from ktsim.rules.engine.shoot.targets import weapon_options
from ktsim.rules.engine.state import OperativeState, OrderName, Side
from ktsim.rules.engine.table import MoveRequest, TargetRuling
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.moving.reach import PLANS

PLACES_TRIED = 5
"""How many places of the drop zone are compared when an operative is set up."""
ROOM_FOR_MOVES = 128 << 20
"""Bytes of moves looked into that are kept in a process where it thinks: one among many levels takes several megabytes,
and is wanted again for the next question and for its way."""
Why: TypeAlias = str | Callable[[], str]
"""Why something is answered, in a sentence: what it takes to say so may be more than the answer takes."""


class Tactician:
    """Answers every decision; what it does not know it answers with the default or at random.

    The same seed and the same game give the same answers, whatever was asked before. *seconds* is a limit on the clock
    for one decision, for play; without it only the level's number of rulings limits it.
    """

    def __init__(self, seed: int | str, level: str | Level = "normal", seconds: float | None = None) -> None:
        PLANS.most = max(PLANS.most, ROOM_FOR_MOVES)
        self._seed, self._seconds = seed, seconds
        self._until = end_of(seconds)
        self._memory: dict[object, TargetRuling] = {}
        self.level: Level = LEVELS[level] if isinstance(level, str) else level
        self._handlers: dict[str, Callable[[Any, Game, Random], tuple[Any, Why] | None]] = {
            "set up": self._set_up,
            "activate": self._activate,
            "order": self._order,
            "action": self._action,
            "move": self._move,
            "counteract": self._counteract,
            "target": self._target,
            "weapon": self._weapon,
            "melee weapon": self._weapon,
            "enemy": self._enemy,
            "reroll": self._reroll,
            "resolve": self._resolve,
            "gambit": gambit_choice,
            "ploy": ploy_choice,
            "operative": self._operative,
        }

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return self._answered(decision, game)[0]

    def hint(self, decision: Decision[Any], game: Game) -> tuple[Any, str]:
        """What it would answer, and why in a sentence."""
        found, why = self._answered(decision, game)
        return found, why if isinstance(why, str) else why()

    def _answered(self, decision: Decision[Any], game: Game) -> tuple[Any, Why]:
        rng = Random(f"{self._seed}/{len(game.answers)}")
        self._until = end_of(self._seconds)
        handler = self._handlers.get(decision.topic)
        found = handler(decision, game, rng) if handler is not None else None
        if found is not None and decision.check(found[0]) is None:
            return found
        if decision.default is not None and decision.check(decision.default) is None:
            return decision.default, "The usual answer."
        return decision.sample(rng), "One answer is as good as another."

    # -- looking -------------------------------------------------------------------------------------

    def _view(self, game: Game) -> BattleView:
        return BattleView(game.battle, Budget(self.level.rulings, self._until), self._memory)

    def _planner(self, view: BattleView, id: str, rng: Random) -> Deliberation:
        return Deliberation(view, id, self.level, lambda: self.level.noise * (rng.random() - 0.5))

    # -- set-up --------------------------------------------------------------------------------------

    def _set_up(self, decision: Decision[Any], game: Game, rng: Random) -> tuple[Any, str] | None:
        if not isinstance(decision, Place):
            return None
        view = self._view(game)
        markers = [m.point for m in view.state.markers.values()] or [e.point for e in view.state.operatives.values()]
        places = [decision.sample(rng) for _ in range(PLACES_TRIED)]

        def far(place: tuple[int, int, int]) -> float:
            return min(float((x - place[0]) ** 2 + (y - place[1]) ** 2) for x, y, _ in markers)

        return min(places, key=far), "As near to a marker as it can be."

    # -- activations ---------------------------------------------------------------------------------

    def _activate(self, decision: Pick, game: Game, rng: Random) -> tuple[str, Why] | None:
        """Whoever can do most harm from where it stands; else whoever has the furthest to go."""
        view = self._view(game)
        scores = {key: self._urgency(view, key) + 0.3 * rng.random() for key in decision.open_keys}
        best = max(scores, key=lambda key: scores[key])
        return best, f"{view.battle.name(best)} has the most to do."

    def _urgency(self, view: BattleView, id: str) -> float:
        who = view.who(id)
        order = who.order
        view.activate(id, "engage")
        gain = max(view.best_shot(id, self.level.enemies)[0], view.best_fight(id)[0])
        view.state.activation, who.order = None, order
        hurt = 1.0 if view.battle.is_injured(who) else 0.0
        return gain + hurt - (1.5 if view.state.carried_by(id) else 0.0)

    def _order(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        if set(decision.open_keys) != {"engage", "conceal"}:
            return None
        who = chosen_operative(game, decision.seat)
        if who is None:
            return None
        orders: tuple[OrderName, ...] = ("engage", "conceal")
        totals: dict[str, tuple[float, str]] = {}
        for order in orders:
            view = self._view(game)
            view.activate(who.id, order)
            planner = self._planner(view, who.id, rng)
            plans = planner.plans()
            # The order is given before an op is revealed: its reason is one that anybody may hear.
            told = next(plan.words for plan in plans if not plan.is_secret)
            totals[order] = (plans[0].value + planner.base(), told)
        best = max(orders, key=lambda order: totals[order][0])
        return best, f"{best.title()}: {totals[best][1]}"

    def _action(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        now = game.state.activation
        if now is None:
            return None
        planner = self._planner(self._view(game), now.operative, rng)
        given_up = cancelled(game)
        for plan in planner.plans():
            if plan.action in decision.open_keys and plan.action not in given_up:
                return plan.action, plan.words
        return None

    def _counteract(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        view = self._view(game)
        scores = {key: self._urgency(view, key) for key in decision.open_keys if key in view.state.operatives}
        best = max(scores, key=lambda key: scores[key], default="none")
        if best == "none" or scores[best] <= 0.5:
            return "none", "Nobody has anything to gain."
        return best, f"{view.battle.name(best)} has a shot or a fight to gain."

    # -- moves ---------------------------------------------------------------------------------------

    def _move(self, decision: Walk, game: Game, rng: Random) -> tuple[Any, str] | None:
        if not isinstance(decision, Walk):
            return None
        view = self._view(game)
        request = request_for(game, view, decision)
        if request is None:
            return None
        planner = self._planner(view, decision.operative, rng)
        path, words = planner.path(request, planner.ap_left)
        if path == CANCEL:
            return decision.sample(rng), "The nearest thing to a plan."
        return path, words

    # -- shooting and fighting -----------------------------------------------------------------------

    def _target(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        who, view = acting(game), self._view(game)
        weapon = last_weapon(game, decision.seat)
        if who is None or weapon is None:
            return None
        me = view.who(who.id)
        profile = next((each for each in view.battle.weapons(me) if each.key == weapon), None)
        if profile is None:
            return None
        found = {key: view.shot_at(me, view.who(key), profile, exact=True) or 0.0 for key in decision.open_keys}
        best = max(found, key=lambda key: found[key])
        return best, f"{view.battle.name(best)}: {found[best]:.1f} points to be gained."

    def _weapon(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        view, who = self._view(game), acting(game)
        if who is None:
            return None
        if who.side == decision.seat and not view.battle.engaged_with(view.who(who.id)):
            gain, target, weapon = view.best_shot(who.id, self.level.enemies + 2)
            return (weapon, f"The best shot is at {view.battle.name(target)}.") if gain > 0 else None
        mine, enemy = fighters(game, decision.seat, view)
        if mine is None or enemy is None:
            return None
        weapons = [view.battle.weapon(mine, key) for key in decision.open_keys]
        gains = {w.key: view.gain(enemy, view.fight_outlook(mine, w, enemy).inflicted) for w in weapons}
        best = max(gains, key=lambda key: gains[key])
        return best, "It inflicts most."

    def _enemy(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        view, who = self._view(game), acting(game)
        if who is None:
            return None
        gains = {key: view.fight_with(view.who(who.id), view.who(key)) for key in decision.open_keys}
        best = max(gains, key=lambda key: gains[key])
        return best, f"{view.battle.name(best)} is the best to fight."

    def _operative(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        """Of enemies the most valuable; of friends whoever is worth most."""
        view = self._view(game)
        best = max(decision.open_keys, key=lambda key: view.worth(view.who(key)))
        return best, f"{view.battle.name(best)} is worth most."

    def _reroll(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        """Free re-rolls of fails always; a Command Re-roll of a fail while CP are to spare."""
        if decision.default != "keep" or decision.about is None:
            return None
        dice, needed = decision.about.dice, decision.about.needed
        side: Side = "red" if decision.seat == "red" else "blue"
        cp, is_late = game.state.cp[side], game.state.turning_point >= 4
        fails = sorted({die.face for die in dice if not die.is_rerolled and not is_success(die.face, needed)})
        key = f"{COMMAND} {fails[0]}" if fails else ""
        if key in decision.open_keys and cp >= (1 if is_late else 2):
            return key, "A fail is worth a CP to re-roll."
        return "keep", "The dice are good enough."

    def _resolve(self, decision: Pick, game: Game, rng: Random) -> tuple[str, str] | None:
        duel = decision.about
        if not isinstance(duel, Duel):
            return None
        return resolution_of(duel), "Strike while it counts, block what would be the end."


# -- what the question is about ----------------------------------------------------------------------


def acting(game: Game) -> OperativeState | None:
    """Whoever performs the present action: the last one that began one, for free actions come in between."""
    for event in reversed(game.events):
        if isinstance(event, ActionBegan):
            return game.state.operatives[event.operative]
    now = game.state.activation
    return None if now is None else game.state.operatives[now.operative]


def chosen_operative(game: Game, seat: str) -> OperativeState | None:
    """Whose order is asked for: the operative just chosen, or the only one there is."""
    ready = [who for who in game.state.operatives.values() if who.side == seat and who.is_ready]
    last = game.answers[-1] if game.answers else None
    by_id = {who.id: who for who in ready}
    if isinstance(last, str) and last in by_id:
        return by_id[last]
    return ready[0] if len(ready) == 1 else None


def last_weapon(game: Game, seat: str) -> str | None:
    """The weapon just chosen, or the only one that can be used."""
    who = acting(game)
    if who is None:
        return None
    keys = [option.key for option in weapon_options(game.battle, who) if option.refusal is None]
    last = game.answers[-1] if game.answers else None
    if isinstance(last, str) and last in keys:
        return last
    return keys[0] if len(keys) == 1 else None


def fighters(game: Game, seat: str, view: BattleView) -> tuple[OperativeState | None, OperativeState | None]:
    """In a fight: the operative of *seat* and its enemy, as far as the answers so far say."""
    who = acting(game)
    if who is None:
        return None, None
    enemies = view.battle.engaged_with(view.who(who.id))
    named = [e for e in enemies if e.id in game.answers[-3:]]
    enemy = next(iter(named or enemies), None)
    return (view.who(who.id), enemy) if who.side == seat else (enemy, view.who(who.id))


def request_for(game: Game, view: BattleView, decision: Walk) -> MoveRequest | None:
    """The move that is asked for: by the action the operative has just begun."""
    who = view.who(decision.operative)
    name = next(
        (
            event.action
            for event in reversed(game.events)
            if isinstance(event, ActionBegan) and event.operative == who.id
        ),
        "",
    )
    actions = [action for action in (*view.battle.actions(who), Dash()) if isinstance(action, Move)]
    action = next((action for action in actions if action.name == name), None)
    if action is None:
        return None
    request = action.limited(view.battle, who)
    return request if request.allowance == decision.allowance else None
