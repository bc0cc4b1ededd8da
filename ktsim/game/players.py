"""Things that answer decisions: random play, play with a purpose, dice, scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from ktsim.game.game import Game
from ktsim.game.secrecy import Viewer
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Walk
from ktsim.rules.engine.operative_events import ActionCancelled, ActivationBegan
from ktsim.rules.engine.state import Path, Point, other


class Player(Protocol):
    def answer(self, decision: Decision[Any], game: Game) -> Any: ...


@runtime_checkable
class Adviser(Player, Protocol):
    """A player that says why."""

    def hint(self, decision: Decision[Any], game: Game) -> tuple[Any, str]: ...


class Blindfolded:
    """A player that is handed the game as the seat that is asked sees it, and so knows no secrets but that seat's."""

    def __init__(self, player: Player) -> None:
        self._player = player

    @property
    def player(self) -> Player:
        """Whoever it is: to be asked about what :meth:`Game.seen_by` shows, and nothing else."""
        return self._player

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return self._player.answer(decision, game.seen_by(None if decision.seat == "chance" else decision.seat))

    def advise(self, game: Game, viewer: Viewer) -> tuple[Any, str]:
        """What it would answer to the pending question, and why if it says so, knowing what *viewer* may see."""
        seen = game.seen_by(viewer)
        assert seen.pending is not None, "nothing is pending"
        if isinstance(self._player, Adviser):
            return self._player.hint(seen.pending, seen)
        return self._player.answer(seen.pending, seen), ""


class Sampler:
    """Answers at random from what is legal; also the dice."""

    def __init__(self, seed: int | str) -> None:
        self._rng = Random(seed)

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return decision.sample(self._rng)


class Purposeful(Sampler):
    """Random play that goes for the mission: its actions and gambits first, attacks next, moves towards objectives.

    It thinks of nothing else; it is there so that random games reach what ops are about.
    """

    EAGER = 0.8
    WANTED = ("KT24-OP-", "KT24-PICKUP")
    ATTACKS = ("Shoot", "Fight", "Charge")

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if isinstance(decision, Walk) and self._rng.random() < self.EAGER:
            return self._walk(decision, game)
        if isinstance(decision, Pick) and decision.topic in ("action", "gambit") and self._rng.random() < self.EAGER:
            return self._act(decision)
        return decision.sample(self._rng)

    def _act(self, decision: Pick) -> str:
        """An action or gambit of an op or a marker to pick up; else an attack; else no pass if it can be helped."""
        able = [option for option in decision.options if option.refusal is None]
        wanted = [o.key for o in able if o.rule.startswith(self.WANTED)]
        wanted = wanted or [o.key for o in able if o.key in self.ATTACKS]
        wanted = wanted or [o.key for o in able if o.key not in ("pass", "Place Marker")]
        return self._rng.choice(wanted) if wanted else decision.sample(self._rng)

    def _walk(self, decision: Walk, game: Game) -> Path:
        """Straight towards some goal as far as it goes, or whatever is suggested."""
        who = game.state.operatives[decision.operative]
        goals = self._goals(game, decision)
        for share in (1.0, 0.6):
            path = (towards(who.point, self._rng.choice(goals), int(share * 1000 * decision.allowance)),)
            if path[0] != who.point and decision.check(path) is None:
                return path
        suggested: Path = decision.sample(self._rng)
        return suggested or CANCEL

    def _goals(self, game: Game, decision: Walk) -> list[Point]:
        """Markers that lie about, the objectives of the enemy and of nobody once more, and the enemy territory."""
        who = game.state.operatives[decision.operative]
        markers = [m for m in game.state.markers.values() if m.carrier is None]
        goals = [marker.point for marker in markers]
        goals += [m.point for m in markers if m.kind == "objective" and m.controller != who.side]
        outline = game.battle.territory(other(who.side))
        x, y = (sum(values) / len(outline) for values in zip(*outline, strict=True))
        return goals + [(round(500 * (x + u)), round(500 * (y + v)), who.level) for u, v in outline]


def towards(here: Point, goal: Point, far: int) -> Point:
    """A point on the level of *here*, *far* thousandths of an inch towards *goal*, or the goal if it is nearer."""
    gap = length(goal[0] - here[0], goal[1] - here[1])
    share = 1.0 if gap <= far else far / gap
    return (here[0] + int(share * (goal[0] - here[0])), here[1] + int(share * (goal[1] - here[1])), here[2])


def cancelled(game: Game) -> set[str]:
    """The actions that were cancelled in the present activation: not to be tried again, or it would never end."""
    found = set()
    for event in reversed(game.events):
        if isinstance(event, ActivationBegan):
            break
        if isinstance(event, ActionCancelled):
            found.add(event.action)
    return found


def play(game: Game, players: Mapping[str, Player], most: int = 100_000) -> None:
    """Let the players answer until the game is over. *most* answers are a bound no game reaches."""
    for _ in range(most):
        if game.pending is None:
            return
        game.submit(players[game.pending.seat].answer(game.pending, game))
    raise RuntimeError(f"the game did not end within {most} answers")


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its name, what it does in a sentence, and how to make one.

    Calling it makes one from a seed, which knows no secrets but its own; *level* and *seconds* are for those that know
    levels and a clock. Without a level it plays at its *usual* one.
    """

    name: str
    text: str
    make: Callable[[int | str, str, float | None], Player]
    levels: tuple[str, ...] = ()
    usual: str = "normal"
    is_repeatable: bool = False
    """Whether its answers follow from its seed and the game alone, whatever it was asked before."""

    def __call__(self, seed: int | str, level: str = "", seconds: float | None = None) -> Blindfolded:
        return Blindfolded(self.make(seed, level or self.usual, seconds))
