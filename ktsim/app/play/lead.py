"""Where the camera looks during a game: it stays where the player has it, unless something that matters cannot be seen
from there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ktsim.app.play.match import Match
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.rect import Place
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import Side
from ktsim.sight.scene import Operative, Scene

AROUND = 2.0
"""Inches shown around what matters when the camera has to move."""


def who_matters(match: Match, scene: Scene) -> tuple[Operative, ...]:
    """Those the present moment is about: both of an attack, whoever walks, whoever is asked about and marked."""
    present = {one.id: one for one in scene.operatives}
    draft, attack = match.draft, match.attack()
    if (recap := match.recaps.pending) is not None and not match.is_showing:
        return tuple(present[id] for id in (recap.operative, *recap.subjects) if id in present)
    ids: list[str] = list(attack.pair) if attack is not None else []
    ids += [walk.operative for walk in match.shown.walks]
    if draft is not None and not match.is_showing:
        ids += [draft.prompt.operative]
        ids += [choice.operative for choice in draft.choices if choice.key in draft.marked]
    return tuple(present[id] for id in dict.fromkeys(ids) if id in present)


def is_in_sight(picture: TablePicture, people: Sequence[Operative]) -> bool:
    """Whether all of them are in the part of the picture that panels leave free."""
    free, (w, h) = picture.frame.free, picture.frame.size
    points = [(one.x, one.y, one.level + z) for one in people for z in (0.0, 1.2)]
    for place in picture.places(points) if points else ():
        if place is None or not _is_within(place, free, w, h):
            return False
    return True


def _is_within(place: Place, free: Free, w: int, h: int) -> bool:
    return free.left * w <= place[0] <= free.right * w and free.top * h <= place[1] <= free.bottom * h


class CameraLead:
    """Moves a picture's camera to what matters, once for each moment, and only when it is out of sight."""

    def __init__(self) -> None:
        self._looked: object = None
        self._turned: Side | None = None

    def follow(self, match: Match, picture: TablePicture, scene: Scene, *, turns: bool) -> None:
        """Look at what matters now. With *turns* the board is turned to whichever of two players is asked."""
        if picture.eye is not None or picture.is_moving:
            return
        if turns and match.agreement.is_hot_seat and not match.is_showing:
            self._turn(match, picture)
        people = who_matters(match, scene)
        moment = (len(match.game.answers), match.is_showing, tuple(one.id for one in people))
        if moment == self._looked:
            return
        self._looked = moment
        if people and not is_in_sight(picture, people):
            picture.frame_on(people, reach=AROUND, or_all=True)

    def _turn(self, match: Match, picture: TablePicture) -> None:
        """Turn the board to whoever is asked, when that is another player than before."""
        draft = match.draft
        side = draft.prompt.seat if draft is not None else None
        if side is None or side == self._turned or side not in ("red", "blue"):
            return
        self._turned = "red" if side == "red" else "blue"
        picture.home(turn_of(match.game.battle, self._turned))


def turn_of(battle: Battle, side: Side) -> float:
    """From where *side* looks at the board, over its own drop zone: degrees counter-clockwise from the south."""
    zone, (width, depth) = battle.drop_zone(side), battle.board.terrain.board
    dx = sum(x for x, _ in zone) / len(zone) - width / 2
    dy = sum(y for _, y in zone) / len(zone) - depth / 2
    across = abs(dx) / width >= abs(dy) / depth
    return math.degrees(math.atan2(dx, 0.0)) if across else math.degrees(math.atan2(0.0, -dy))
