"""A bot thinking in a process of its own: ``python -m ktsim.game.thinking`` answers requests, one JSON line each.

A request holds what was agreed (first), how many answers still stand, the answers after them, the state hash they
lead to, and who thinks. The process keeps its own game, so whoever asks goes on undisturbed whatever happens here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from queue import Empty, Queue
from typing import Any, NamedTuple, Protocol, TextIO, runtime_checkable

from ktsim.game.bots import BOTS
from ktsim.game.game import Game
from ktsim.game.setup import Setup, new_game
from ktsim.rules.decisions import Decision, answer_from_json

SPARE = 2.0
"""Seconds beyond its limit that a bot is given to come to an end by itself."""

PATIENCE = 90.0
"""Seconds the first request may take: the process starts, loads the board and may have to compile."""


# -- the process -------------------------------------------------------------------------------------


class Server:
    """Follows a game by its answers and thinks about what is pending."""

    def __init__(self) -> None:
        self._game: Game | None = None

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        if "setup" in request:
            self._game = new_game(Setup(**request["setup"]))
        game = self._game
        assert game is not None, "the first request says what was agreed"
        game.rewind(request["stand"])
        for answer in request["answers"]:
            game.submit(answer_from_json(answer))
        if game.digest() != request["hash"]:
            return {"error": "the thinking process followed another game"}
        assert game.pending is not None, "nothing is pending"
        decision = game.pending
        bot = BOTS[request["bot"]](request["seed"], request["level"], request["seconds"])
        reason = ""
        if isinstance(bot, Adviser):
            answer, reason = bot.hint(decision, game)
        else:
            answer = bot.answer(decision, game)
        if (why := decision.check(answer)) is not None:
            return {"error": f"its answer was not legal: {why}"}
        return {"answer": answer, "reason": reason}


@runtime_checkable
class Adviser(Protocol):
    """A bot that says why."""

    def hint(self, decision: Decision[Any], game: Game) -> tuple[Any, str]: ...


def serve(lines: TextIO, out: TextIO) -> None:
    server = Server()
    for line in lines:
        try:
            reply = server.reply(json.loads(line))
        except Exception as error:  # whatever a bot does wrong, the game goes on without it
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=out, flush=True)


# -- whoever asks ------------------------------------------------------------------------------------


class Thought(NamedTuple):
    """What came of thinking: an answer and why, or what went wrong."""

    answer: Any
    reason: str = ""
    trouble: str = ""


class Thinker:
    """Asks a process for answers without ever waiting for it.

    ``ask`` begins; ``poll`` says what has become of it. Beyond *limit* seconds the process is ended and the caller
    told so; the next question starts a new one.
    """

    def __init__(self, setup: Setup, limit: float = 5.0, seed: int = 0, level: str = "normal") -> None:
        self._setup, self.limit, self._seed, self._level = setup, limit, seed, level
        self._process: subprocess.Popen[str] | None = None
        self._replies: Queue[str] = Queue()
        self._known: list[Any] = []
        self._asked: tuple[int, str, str] | None = None
        self._until = 0.0

    @property
    def is_thinking(self) -> bool:
        return self._asked is not None

    def ask(self, bot: str, answers: Sequence[Any], digest: str) -> None:
        """Begin to think about what is pending after *answers*; asking the same again goes on thinking."""
        question = (len(answers), digest, bot)
        if self._asked == question:
            return
        if self._asked is not None:
            self._end()
        is_first = self._process is None
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        stand = 0
        for mine, theirs in zip(self._known, answers, strict=False):
            if mine != theirs:
                break
            stand += 1
        request: dict[str, Any] = {"setup": self._setup.to_json()} if is_first else {}
        request |= {"stand": stand, "answers": list(answers[stand:]), "hash": digest, "bot": bot}
        request |= {"seed": f"{self._seed} {len(answers)}", "level": self._level, "seconds": self.limit}
        self._known = list(answers)
        self._asked = question
        self._until = time.monotonic() + self.limit + SPARE + (PATIENCE if is_first else 0.0)
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            self._until = 0.0  # it died; the next poll says so

    def poll(self) -> Thought | None:
        """``None`` while thinking; then the answer and why, or no answer and what went wrong."""
        if self._asked is None:
            return None
        try:
            reply = json.loads(self._replies.get_nowait())
        except Empty:
            is_dead = self._process is None or self._process.poll() is not None
            if not is_dead and time.monotonic() < self._until:
                return None
            self._end()
            slow = f"it took more than {self.limit:.0f} seconds"
            return Thought(None, trouble="it ended by itself" if is_dead else slow)
        self._asked = None
        if "error" in reply:
            self._end()
            return Thought(None, trouble=str(reply["error"]))
        return Thought(answer_from_json(reply["answer"]), str(reply["reason"]))

    def stop(self) -> None:
        """Think no more about the present question."""
        if self._asked is not None:
            self._end()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ktsim.game.thinking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._replies = Queue()
        self._known = []
        process, replies = self._process, self._replies

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                replies.put(line)

        threading.Thread(target=listen, daemon=True).start()

    def _end(self) -> None:
        self._asked = None
        self._known = []
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None

    def close(self) -> None:
        self._end()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
