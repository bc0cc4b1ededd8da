"""What comes of something that may be used now: the game played on with it and without, with the same dice.

Nothing here knows what a ploy is called: it is used in a fork of the game, and what came of it is weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from ktsim.game.bots.estimates import resolution_of
from ktsim.game.bots.prospects import Prospect
from ktsim.game.game import Game
from ktsim.game.rehearsal import usual_answer
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.state import SIDES, OperativeState
from ktsim.rules.engine.turn import gambits_of

RESTS = ("activate", "action", "order", "counteract")
"""Questions at which what was begun is over."""
THROWS = 6
"""How often the dice of what is under way are thrown."""
LONGEST = 60
"""Questions after which a trial is broken off."""
RIVALS = 3
"""Enemies that an operative is thought to meet."""
MEETING = 0.5
"""How likely any two of them come to blows in a turning point."""


def tried(game: Game, answer: Any, dice: Random) -> tuple[Game, bool] | None:
    """The game after *answer* and what follows at once, and whether dice were thrown; ``None`` if it goes on and on."""
    twin, has_thrown = game.fork(), False
    twin.submit(answer)
    for _ in range(LONGEST):
        asked = twin.pending
        if asked is None or asked.topic in RESTS:
            return twin, has_thrown
        has_thrown = has_thrown or asked.seat == "chance"
        twin.submit(asked.sample(dice) if asked.seat == "chance" else _usual(asked))
    return None


def _usual(decision: Decision[Any]) -> Any:
    if isinstance(decision.about, Duel):
        key = resolution_of(decision.about)
        if decision.check(key) is None:
            return key
    return usual_answer(decision)


def compared(game: Game, answers: Sequence[str], value: Callable[[Game], float]) -> dict[str, float]:
    """What each answer is worth on average: all of them get the same dice."""
    found: dict[str, list[float]] = {answer: [] for answer in answers}
    for number in range(THROWS):
        has_thrown = False
        for answer in answers:
            trial = tried(game, answer, Random(number))
            if trial is not None:
                found[answer].append(value(trial[0]))
                has_thrown = has_thrown or trial[1]
        if not has_thrown:
            break
    return {answer: mean(values) for answer, values in found.items() if values}


# -- strategy ploys ----------------------------------------------------------------------------------


class StrategyWorth(NamedTuple):
    """What a strategy ploy brings, in VP, and what it costs, in CP."""

    gain: float
    cost: int


def strategy_worth(prospect: Prospect, key: str) -> StrategyWorth:
    """What the strategic gambit *key* changes in the attacks that operatives near each other may make on each other."""
    battle, side = prospect.battle, prospect.side
    with prospect.aside() as state:
        before, cp = _clashes(prospect), state.cp[side]
        steps = next(each.perform() for each in gambits_of(battle, side) if each.key == key)
        gain = MEETING * (_clashes(prospect) - before) if prospect.run(steps) else 0.0
        return StrategyWorth(gain, cp - state.cp[side])


def _clashes(prospect: Prospect) -> float:
    """All attacks of mine on theirs, less theirs on mine: by the rules in force, each at its best."""
    state, total = prospect.state, 0.0
    for side in SIDES:
        sign = 1 if side == prospect.side else -1
        for who in state.side(side):
            if not who.is_incapacitated:
                total += sign * _best_attack(prospect, who)
    return total


def _best_attack(prospect: Prospect, who: OperativeState) -> float:
    rivals = prospect.nearest(who, RIVALS)
    apl = prospect.battle.apl(who).value / 2
    found = [max(prospect.usual_shot(who, enemy), prospect.clash(who, enemy)) for enemy in rivals]
    return apl * mean(found) if found else 0.0
