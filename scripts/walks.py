"""Three walks through the house, as they happen: a scene file to a card, a click to the journal, a bot's decision.

Each is run while every call from one room into another is noted. Printed as Markdown: the rooms in the order they are
first entered, who calls into them and through what; the way to the walk's goal; and calls that go to the left, which
are only answers to a question somebody on the left has handed in (a callback, an overridden method).
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from desktop_driver import Driver
from play_driver import begin, game
from test_layers import LAYERS, ROOMS

import ktsim
from ktsim import paths
from ktsim.app.shell.warming import SHARES
from ktsim.app.stage.engine import Engine
from ktsim.app.ui.settings import Settings
from ktsim.cli import main as command
from ktsim.game.game import Game
from ktsim.game.setup import Setup, new_game
from ktsim.game.thinking import Server
from ktsim.sight import warm

EXAMPLE = "hatch-open"
SPLIT = ("app", "rules")
"""Layers that have rooms of their own."""


def room_of(module: str) -> str:
    """``ktsim.app.play.match`` is in ``app/play``, ``ktsim.sight.ruling`` in ``sight``; nothing for what is in none."""
    parts = module.split(".")
    if parts[0] != "ktsim" or len(parts) < 3 or parts[1] not in LAYERS:
        return ""
    return f"{parts[1]}/{parts[2]}" if parts[1] in SPLIT and len(parts) > 3 else parts[1]


def is_leftwards(caller: str, room: str) -> bool:
    """Whether a call goes against the order of layers, or of the rooms in one."""
    (one, *own), (two, *other) = caller.split("/"), room.split("/")
    if one != two:
        return LAYERS.index(two) < LAYERS.index(one)
    places = {name: place for place, names in enumerate(ROOMS.get(one, [])) for name in names}
    here, there = (places.get("".join(rest)) for rest in (own, other))
    return here is not None and there is not None and there < here


class Trace:
    """Notes calls between rooms while it runs; *goal* is the function a walk leads to."""

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self.entered: dict[str, tuple[str, str]] = {}
        self.counts: dict[tuple[str, str], int] = {}
        self.left: dict[tuple[str, str], str] = {}
        self.way: list[str] = []

    def run(self, walk: Callable[[], object]) -> None:
        sys.setprofile(self._called)
        try:
            walk()
        finally:
            sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        module = frame.f_globals.get("__name__", "")
        room = room_of(module)
        name = frame.f_code.co_qualname
        if frame.f_code.co_filename == "<string>":  # made by a dataclass
            name = type(frame.f_locals.get("self")).__name__
        if not room or name.startswith("<"):
            return
        path = f"{module.rsplit('.', 1)[-1]}.{name}"
        if not self.way and path == self.goal:
            self.way = self._stack(frame)
        caller = self._caller(frame)
        if caller == room:
            return
        self.entered.setdefault(room, (caller, path))
        if caller:
            self.counts[caller, room] = self.counts.get((caller, room), 0) + 1
            if is_leftwards(caller, room):
                self.left.setdefault((caller, room), path)

    @staticmethod
    def _caller(frame: FrameType) -> str:
        back = frame.f_back
        while back is not None:
            if room := room_of(back.f_globals.get("__name__", "")):
                return room
            back = back.f_back
        return ""

    @staticmethod
    def _stack(frame: FrameType) -> list[str]:
        """The rooms from the outermost call to this one, each once in a row."""
        rooms: list[str] = []
        here: FrameType | None = frame
        while here is not None:
            room = room_of(here.f_globals.get("__name__", ""))
            if room and (not rooms or rooms[-1] != room):
                rooms.append(room)
            here = here.f_back
        return rooms[::-1]

    def markdown(self, title: str) -> str:
        lines = [f"### {title}", "", "| | room | called from | first through | calls |", "|---|---|---|---|---|"]
        for number, (room, (caller, path)) in enumerate(self.entered.items(), 1):
            count = sum(times for (_, to), times in self.counts.items() if to == room) or 1
            lines.append(f"| {number} | `{room}` | {f'`{caller}`' if caller else ''} | `{path}` | {count} |")
        lines += ["", f"To `{self.goal}`: {' → '.join(f'`{room}`' for room in self.way) or 'not reached'}."]
        back = [f"`{caller}` → `{room}` (`{path}`)" for (caller, room), path in self.left.items()]
        lines += ["", f"To the left: {', '.join(back) if back else 'nothing'}.", ""]
        return "\n".join(lines)


def import_everything() -> None:
    """What happens on import, or is compiled once, is no part of a walk."""
    for module in pkgutil.walk_packages(ktsim.__path__, "ktsim."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for stages in SHARES:
        warm.ensure_ready(lambda text: print(text, file=sys.stderr), stages)


def scene_to_card(folder: Path) -> Trace:
    trace = Trace("png_text.with_text")
    scene = paths.killzones() / "examples" / f"{EXAMPLE}.yaml"
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        trace.run(lambda: command(["rule", str(scene), "--png", str(folder / "card.png")]))
    return trace


def click_to_journal(folder: Path) -> Trace:
    """The first question of a hot-seat game, answered with the pointer."""
    trace = Trace("journal.Journal.append")
    engine = Engine.offscreen()
    driver = Driver(engine, settings=Settings(motion=False))
    begin(driver, folder / "game.ktsim")
    match = game(driver).match
    while match.draft is None or match.draft.prompt.kind != "pick":
        assert match.decision is not None
        match.submit(match.decision.sample(Random(1)))
    driver.settle()
    draft = match.draft
    where = driver.middle_of("confirm" if draft.prompt.needs_confirming else f"choice-{draft.marked[0]}")
    trace.run(lambda: driver.click(*where))
    driver.close()
    engine.close()
    return trace


def bots_decision(folder: Path) -> Trace:
    """What to do with an activation, on a table where sight and terrain decide."""
    trace = Trace("ruling.ruling")
    setup = Setup(board="training-ground", mission="skirmish")
    played: Game = new_game(setup)
    rng = Random(5)
    while played.pending is not None and played.pending.topic != "action":
        played.submit(played.pending.sample(rng))
    server = Server()
    server.reply({"setup": setup.to_json()})
    request: dict[str, Any] = {"stand": 0, "answers": played.answers, "hash": played.digest(), "bot": "commander"}
    request |= {"seed": "1", "level": "commander", "seconds": 4.0, "viewer": played.state.turn}
    trace.run(lambda: server.reply(request))
    return trace


WALKS = {
    "scene": ("A scene file to a card", scene_to_card),
    "click": ("A click to the journal", click_to_journal),
    "bot": ("A bot's decision", bots_decision),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*WALKS, []], help="which walks (default: all)")
    wanted = parser.parse_args().names or list(WALKS)
    with tempfile.TemporaryDirectory() as own:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[name] = own
        import_everything()
        for name in wanted:
            title, walk = WALKS[name]
            print(walk(Path(own)).markdown(title), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
