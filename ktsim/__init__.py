"""ktsim: a tabletop for skirmish games with exact 3D line of sight.

The public face, stable between versions: :func:`load_scene` and :func:`rule` for disputes, :func:`new_game` and
:func:`bot` for games. Whatever else the package holds may move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ktsim.game.game import Game
    from ktsim.game.players import Player
    from ktsim.killzones.scene_file import SceneFile
    from ktsim.sight.ruling import Ruling

__version__ = "0.2.0"
__all__ = ["bot", "load_scene", "new_game", "rule"]

# Everything is imported where it is used: ``import ktsim`` costs nothing, and only what is asked for is loaded.


def load_scene(path: Path | str) -> SceneFile:
    """The scene in a file; :class:`ktsim.errors.UserError` says file, line and remedy where it is not right.

    >>> from ktsim import paths
    >>> file = load_scene(paths.killzones() / "examples" / "open-ground.yaml")
    >>> [operative.id for operative in file.scene.operatives]
    ['a', 'b']
    """
    from ktsim.killzones import scene_file

    return scene_file.load_scene(path)


def rule(scene: SceneFile | Path | str, shooter: str | None = None, target: str | None = None) -> list[Ruling]:
    """The rulings on a scene, or on a scene file by its path: on one pair, else on every pair the scene asks for.

    The first call on a machine compiles the kernels it needs.

    >>> from ktsim import paths
    >>> [ruling] = rule(paths.killzones() / "examples" / "open-ground.yaml", "a", "b")
    >>> ruling.visible, ruling.valid_target, ruling.in_cover
    (True, True, False)
    """
    from ktsim.killzones.scene_file import SceneFile
    from ktsim.sight.ruling import ruling

    file = scene if isinstance(scene, SceneFile) else load_scene(scene)
    return [ruling(file.scene, one, two, file.edition, file.weapon) for one, two in file.pairs_of(shooter, target)]


def new_game(**agreed: str) -> Game:
    """A game about to begin, by what is agreed: the fields of :class:`ktsim.game.setup.Setup`, such as *red*, *blue*,
    *board*, *edition*, *mission*. It is played by answering ``game.pending`` with ``game.submit``.

    >>> game = new_game(board="open", table="plain", mission="skirmish")
    >>> game.pending.topic, game.pending.seat
    ('roll-off', 'chance')
    """
    from ktsim.game import setup

    return setup.new_game(setup.Setup(**agreed))  # type: ignore[arg-type]


def bot(name: str, seed: int | str = 0, level: str = "") -> Player:
    """A bot by its name; it knows no secrets but its own; without a *level* it is as good as usual.

    >>> game, player = new_game(board="open", table="plain", mission="skirmish"), bot("random", seed=1)
    >>> while game.pending is not None:
    ...     events = game.submit(player.answer(game.pending, game))
    >>> game.outcome in ("red", "blue", "draw")
    True
    """
    from ktsim.content.printable import printable
    from ktsim.errors import Problem, UserError
    from ktsim.game.bots import BOTS

    if name not in BOTS:
        raise UserError(Problem(printable(name), f"no such bot; there are {', '.join(BOTS)}"))
    return BOTS[name](seed, level)
