"""A bot thinking in a process of its own: a worker answers requests, one JSON line each.

The first request holds what was agreed and the state the game began from. The others are numbered and hold how many
answers still stand, the answers after them, the state hash they lead to, who thinks, and whose secrets it may know. The
process keeps its own game, so whoever asks goes on undisturbed whatever happens here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple, TextIO

from ktsim import faults, workers
from ktsim.faults import Fault
from ktsim.game.bots import BOTS, Commander
from ktsim.game.game import Game
from ktsim.game.players import Blindfolded
from ktsim.game.review.carrying_out import BetterPlan, carried_out
from ktsim.game.secrecy import Viewer
from ktsim.game.setup import Setup, prepare
from ktsim.rules.engine.decisions import answer_from_json
from ktsim.rules.engine.operative_events import SetUp
from ktsim.rules.engine.setting_up import muster
from ktsim.rules.engine.state import SIDES, State, milli
from ktsim.rules.engine.table import MoveRequest

SPARE = 1.2
"""Of the seconds a decision may take, those that are kept back: a bot's own clock ends before, so that what it is at by
then can come to its end."""

PATIENCE = 90.0
"""Seconds a process may take to begin: it starts, loads the board and may have to compile."""

STUCK = 15.0
"""Seconds after which a process that has not answered is ended. Until then it is left to finish: starting another one
and having it follow the game takes longer."""

FAR = 6
"""Inches of the move that is tried before the first question."""


# -- the process -------------------------------------------------------------------------------------


class Server:
    """Follows a game by its answers and thinks about what is pending."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._bots: dict[tuple[Any, ...], Blindfolded] = {}

    def facts(self, request: dict[str, Any]) -> dict[str, Any]:
        """What helps to repeat a fault."""
        known = {name: value for name, value in request.items() if name != "answers"}
        return {**known, "position": len(self._game.answers) if self._game is not None else "-"}

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        if "setup" in request:
            battle, state = prepare(Setup(**request["setup"]))
            start = request.get("start")
            self._game, self._bots = Game(battle, state if start is None else State.from_json(start)), {}
            look_about(self._game)
            return {"ready": True}
        game = self._game
        if game is None:
            return {"error": "the thinking process could not set the game up"}
        game.rewind(request["stand"])
        for answer in request["answers"]:
            game.submit(answer_from_json(answer))
        if game.digest() != request["hash"]:
            return {"error": "the thinking process followed another game"}
        assert game.pending is not None, "nothing is pending"
        bot, viewer = self._bot(request), request["viewer"]
        answer, reason = bot.advise(game, viewer)
        if game.pending.check(answer) is not None:
            return {"error": "its answer was not legal"}
        plan = planned(bot, game.seen_by(viewer)) if request.get("plan") else None
        return {"answer": answer, "reason": reason, "plan": None if plan is None else plan.as_json()}

    def _bot(self, request: dict[str, Any]) -> Blindfolded:
        """The bot that was asked before, who knows the table by now; one whose answers hang on what it was asked before
        is made anew for every question."""
        kind, wanted = BOTS[request["bot"]], (request["level"], request["seconds"])
        if not kind.is_repeatable:
            return kind(f"{request['seed']} {len(request['answers']) + request['stand']}", *wanted)
        key = (kind.name, request["seed"], *wanted)
        if key not in self._bots:
            self._bots[key] = kind(request["seed"], *wanted)
        return self._bots[key]


def planned(bot: Blindfolded, seen: Game) -> BetterPlan | None:
    """The whole plan behind the answer to what is pending, with its ways; for a bot that plans, and where there is one
    that anybody may hear of."""
    if not isinstance(bot.player, Commander) or seen.pending is None:
        return None
    found = bot.player.intended(seen.pending, seen)
    if found is None or any(step.is_secret for step in found[1].steps):
        return None
    return carried_out(seen, *found, "")


def look_about(game: Game) -> None:
    """Ask of somebody in each drop zone what bots ask: what is loaded and worked out but once for a board is there
    before the first decision, which has no time for it."""
    battle, state = game.battle, game.state.copy()
    pair = []
    for side in SIDES:
        who = muster(side, battle.teams[side].roster[:1], battle.cards)[0]
        who.apply(state)  # whether or not it takes part
        outline = battle.drop_zone(side)
        x, y = (sum(values) / len(outline) for values in zip(*outline, strict=True))
        SetUp(who.operative, (milli(x), milli(y), 0)).apply(state)
        pair.append(who.operative)
    battle.table.mover.places(battle.table, state, MoveRequest(pair[0], "Reposition", FAR))
    battle.table.target_ruling(state, pair[0], pair[1], ())


def serve(lines: TextIO, out: TextIO) -> None:
    server = Server()
    for line in lines:
        request = json.loads(line)
        try:
            reply = server.reply(request)
        except Exception as error:  # whatever a bot does wrong, the game goes on without it
            fault = faults.note("the thinking process", error, server.facts(request))
            reply = {"error": f"{type(error).__name__}: {error}", "log": str(fault.log or "")}
        print(json.dumps({**reply, "number": request.get("number", 0)}), file=out, flush=True)


def main() -> int:
    """The worker."""
    serve(sys.stdin, sys.stdout)
    return 0


# -- whoever asks ------------------------------------------------------------------------------------


class Thought(NamedTuple):
    """What came of thinking: an answer and why, or what went wrong."""

    answer: Any
    reason: str = ""
    trouble: str = ""
    plan: BetterPlan | None = None
    """The whole plan behind the answer, if that was asked for and there is one."""
    log: Path | None = None
    """Where more is said of what went wrong, if it was unexpected."""

    @property
    def fault(self) -> Fault | None:
        """What went wrong, if it was unexpected."""
        return Fault(f"the bot's thinking failed ({self.trouble})", self.log) if self.log is not None else None


class Thinker:
    """Asks a process for answers without ever waiting for it.

    ``ask`` begins; ``poll`` says what has become of it. Beyond *limit* seconds whoever asks is told so and goes on; the
    process is only ended when it is stuck or the question has changed, and the next question starts a new one.
    """

    def __init__(
        self, setup: Setup, limit: float = 5.0, seed: int = 0, level: str = "normal", start: State | None = None
    ) -> None:
        """*start* is what the game begins from, if that is not what follows from what was agreed."""
        self._setup, self.limit, self._seed, self._level, self._start_state = setup, limit, seed, level, start
        self._process: subprocess.Popen[str] | None = None
        self._replies: Queue[str] = Queue()
        self._known: list[Any] = []
        self._asked: tuple[int, str, str, Viewer] | None = None
        self._number = 0
        self._open: dict[int, float] = {}
        """By number: when what the process has not answered yet was asked. 0 is the wish to be ready."""
        self._until = 0.0

    @property
    def is_thinking(self) -> bool:
        return self._asked is not None

    def prepare(self) -> None:
        """Have a process ready for the first question."""
        if self._process is None:
            self._start()
            start = None if self._start_state is None else self._start_state.to_json()
            self._send(0, {"setup": self._setup.to_json(), "start": start})

    def ask(
        self, bot: str, answers: Sequence[Any], digest: str, viewer: Viewer = None, *, wants_plan: bool = False
    ) -> None:
        """Begin to think about what is pending after *answers*, knowing what *viewer* may see; asking the same again
        goes on thinking. *wants_plan*: whether the whole plan is to come with the answer."""
        question = (len(answers), digest, bot, viewer)
        if self._asked == question:
            return
        self._take_in()
        is_stuck = any(time.monotonic() - asked > STUCK for number, asked in self._open.items() if number)
        if self._asked is not None or is_stuck:
            self._end()
        self.prepare()
        stand = 0
        for mine, theirs in zip(self._known, answers, strict=False):
            if mine != theirs:
                break
            stand += 1
        request: dict[str, Any] = {"stand": stand, "answers": list(answers[stand:]), "hash": digest, "bot": bot}
        request |= {"viewer": viewer, "plan": wants_plan}
        request |= {"seed": str(self._seed), "level": self._level}
        request |= {"seconds": max(self.limit - SPARE, self.limit / 2)}
        self._known = list(answers)
        self._asked = question
        self._number += 1
        self._until = time.monotonic() + self.limit + (PATIENCE if 0 in self._open else 0.0)
        self._send(self._number, request)

    def _send(self, number: int, request: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._open[number] = time.monotonic()
        try:
            self._process.stdin.write(json.dumps({**request, "number": number}) + "\n")
            self._process.stdin.flush()
        except OSError:
            self._until = 0.0  # it died; the next poll says so

    def _take_in(self) -> dict[str, Any] | None:
        """Read what the process has said; its reply to the present question if that is there."""
        found = None
        while not self._replies.empty():
            reply = json.loads(self._replies.get_nowait())
            self._open.pop(reply["number"], None)
            if reply["number"] == 0:
                # Ready: from now on the question has the time of any other.
                self._until = min(self._until, time.monotonic() + self.limit)
            if reply["number"] == self._number and self._asked is not None:
                found = reply
        return found

    def poll(self) -> Thought | None:
        """``None`` while thinking; then the answer and why, or no answer and what went wrong."""
        if self._asked is None:
            return None
        reply = self._take_in()
        if reply is None:
            is_dead = self._process is None or self._process.poll() is not None
            if not is_dead and time.monotonic() < self._until:
                return None
            self._asked = None
            if is_dead:
                facts = {"setup": self._setup.to_json(), "seed": self._seed, "answers": len(self._known)}
                self._end()
                fault = faults.note("the thinking process", "it ended by itself", facts)
                return Thought(None, trouble="it ended by itself", log=fault.log)
            return Thought(None, trouble=f"it took more than {self.limit:.0f} seconds")
        self._asked = None
        if "error" in reply:
            self._end()
            log = reply.get("log")
            return Thought(None, trouble=str(reply["error"]), log=Path(log) if log else None)
        plan = reply.get("plan")
        found = None if plan is None else BetterPlan.from_json(plan)
        return Thought(answer_from_json(reply["answer"]), str(reply["reason"]), plan=found)

    def stop(self) -> None:
        """Think no more about the present question."""
        if self._asked is not None:
            self._end()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            workers.command("think"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._replies = Queue()
        self._known, self._open = [], {}
        process, replies = self._process, self._replies

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                replies.put(line)

        threading.Thread(target=listen, daemon=True).start()

    def _end(self) -> None:
        self._asked = None
        self._known, self._open = [], {}
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None

    def close(self) -> None:
        self._end()
