"""Ruling cards drawn in a process of their own: the window stays awake, and keeps its graphics to itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ktsim import faults, workers
from ktsim.errors import UserError
from ktsim.killzones.scene_file import SceneFile, dump_scene, scene_from_text
from ktsim.sight.ruling import ruling


class DrawingJob:
    """Something being drawn to a file by a worker, which is given a text on its standard input. *told* is what is said
    when it is there."""

    def __init__(self, command: Sequence[str], path: Path, told: str, given: str = "") -> None:
        self.path, self.told = path, told
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert self._process.stdin is not None
        self._process.stdin.write(given)
        self._process.stdin.close()

    @property
    def is_done(self) -> bool:
        return self._process.poll() is not None

    def outcome(self) -> str | None:
        """What to tell when it is done, None until then."""
        if not self.is_done:
            return None
        code = self._process.returncode
        assert self._process.stderr is not None
        said = self._process.stderr.read().strip().splitlines()
        self._process.stderr.close()
        return self.told if code == 0 else f"Nothing was drawn: {said[-1] if said else code}"

    @property
    def is_drawn(self) -> bool:
        """Whether the card lies where it was to go."""
        return self.is_done and self._process.returncode == 0

    def close(self) -> None:
        """Give up."""
        if not self.is_done:
            self._process.kill()  # a card is written at one go, so there is nothing it could leave half done
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()


class CardJob(DrawingJob):
    """One card being drawn: the ruling on the move a scene file asks about, else on its pair."""

    def __init__(self, file: SceneFile, path: Path) -> None:
        command = workers.command("card", str(file.path), str(path))
        super().__init__(command, path, f"The card is in {path}", dump_scene(replace(file, photo=None)))


def main(scene: str, card: str) -> int:
    """Draw the card of the scene on standard input, which would be the file *scene*."""
    from ktsim.app.card.move_card import write_move_card
    from ktsim.app.card.pictures import write_card

    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        file = scene_from_text(sys.stdin.read(), Path(scene))
        if file.move is not None:
            write_move_card(file, Path(card))
        else:
            found = ruling(file.scene, *file.pairs[0], file.edition, file.weapon)
            write_card(file, found, Path(card))
    except (UserError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except Exception as error:
        print(faults.note("drawing a card", error, {"scene": scene}).sentence, file=sys.stderr)
        return faults.EXIT_CODE
    return 0
