"""Reviews kept beside the save, a line for each activation as soon as it is judged, so that one that was stopped goes
on where it was; and a review made in a process of its own, so that whoever asks never waits.

A line counts as long as the answers up to the end of its activation are the same and the rules and the judge are: a
game that was played on is reviewed from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any, TextIO

from ktsim import __version__, faults, workers
from ktsim.content.files import read_bounded
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.game import journal
from ktsim.game.bots.weights import weights_of
from ktsim.game.review.review import GameReview, ReviewedActivation, Reviewing, SideStatistics
from ktsim.rules import RULES_VERSION

MOST_BYTES = 4_000_000
Heard = Callable[[float, ReviewedActivation], None]


def review_path(path: Path) -> Path:
    return path.with_name(path.name + ".review")


def _key(answers: Iterable[Any]) -> str:
    """What a kept line hangs on."""
    made_by = [__version__, RULES_VERSION, repr(weights_of())]
    text = json.dumps([made_by, list(answers)], separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def read_kept(path: Path, answers: list[Any]) -> list[ReviewedActivation]:
    """What was judged before of the game in *path* with these answers; a file that is of no use counts as none."""
    beside = review_path(path)
    found: list[ReviewedActivation] = []
    with contextlib.suppress(UserError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        for line in read_bounded(beside, str(beside), MOST_BYTES, "a review").decode().splitlines():
            entry = json.loads(line)
            if entry["key"] != _key(answers[: int(entry["until"])]):
                break
            found.append(ReviewedActivation.from_kept(entry["activation"]))
    return found


def kept_review(path: Path, heard: Heard = lambda part, found: None) -> GameReview:
    """The review of the game in *path*, gone on with where the last one was stopped, and kept as far as it comes."""
    answers = journal.read(path, is_rescue=True).answers()
    known = read_kept(path, answers)
    making = Reviewing(path, known)
    lines: list[str] = []
    with _keeping(path) as keep:
        for number, found in enumerate(making.run()):
            until = len(making.game.answers)
            entry = {"key": _key(answers[:until]), "until": until, "activation": found.kept()}
            lines.append(json.dumps(entry, separators=(",", ":")))
            if number + 1 > len(known):
                keep("\n".join(lines) + "\n")
                lines.clear()
            heard(making.progress, found)
    return making.review()


@contextlib.contextmanager
def _keeping(path: Path) -> Iterator[Callable[[str], None]]:
    """Begins the file anew with what is known of it, as soon as there is something more to keep; where it cannot be
    written the review is made all the same."""
    file: TextIO | None = None
    is_tried = False

    def keep(text: str) -> None:
        nonlocal file, is_tried
        with contextlib.suppress(OSError):
            if not is_tried:
                is_tried = True
                file = review_path(path).open("w", encoding="utf-8")
            if file is not None:
                file.write(text)
                file.flush()

    try:
        yield keep
    finally:
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()


# -- the process -------------------------------------------------------------------------------------


def main(path: str) -> int:
    """The worker: a line of JSON for each activation, and one at the end."""

    def say(**what: Any) -> None:
        print(json.dumps(what), flush=True)

    try:
        found = kept_review(Path(path), lambda part, each: say(progress=part, activation=each.kept()))
    except UserError as error:
        say(problem=" ".join(map(str, error.problems)))
        return 0
    except Exception as error:
        faults.note("reviewing a game", error, {"file": path})
        raise
    sides = {side: vars(each) for side, each in found.statistics.items()}
    say(curve=found.curve, statistics=sides, names=dict(found.names), note=found.note)
    return 0


class Reviewer:
    """Has a game reviewed. :meth:`take_in` never waits; :attr:`review` is there once it is done, and what goes wrong is
    left in *problem* (a sentence) or *fault*."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.progress = 0.0
        self.activations: list[ReviewedActivation] = []
        self.review: GameReview | None = None
        self.problem = ""
        self.fault: Fault | None = None
        self._process: subprocess.Popen[str] | None = subprocess.Popen(
            workers.command("review", str(path)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        process, self._lines = self._process, Queue[str]()
        lines = self._lines

        def listen() -> None:
            assert process.stdout is not None
            with contextlib.suppress(ValueError):  # it was stopped
                for line in process.stdout:
                    lines.put(line)

        threading.Thread(target=listen, daemon=True).start()

    @property
    def is_at_work(self) -> bool:
        return self._process is not None

    def take_in(self) -> bool:
        """Whether there is news."""
        is_dead = self._process is not None and self._process.poll() is not None
        has_news = False
        while not self._lines.empty():
            self._hear(json.loads(self._lines.get_nowait()))
            has_news = True
        if self.review is not None or self.problem:
            self.stop()
        elif is_dead and not has_news:
            self.fault = faults.note("reviewing a game", "the process ended by itself", {"file": str(self.path)})
            self.stop()
            has_news = True
        return has_news

    def _hear(self, said: dict[str, Any]) -> None:
        if "problem" in said:
            self.problem = str(said["problem"])
        elif "activation" in said:
            self.progress = float(said["progress"])
            self.activations.append(ReviewedActivation.from_kept(said["activation"]))
        else:
            self.progress = 1.0
            statistics = {side: SideStatistics(**each) for side, each in said["statistics"].items()}
            curve = tuple(map(float, said["curve"]))
            self.review = GameReview(tuple(self.activations), curve, statistics, said["names"], said["note"])

    def stop(self) -> None:
        """Make no more of it; what is judged is kept."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
