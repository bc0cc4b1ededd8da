"""A game being played by people: every answer on disk at once, undo and redo by agreement."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.errors import UserError
from ktsim.game.game import Disclosure, Game
from ktsim.game.journal import Journal, JournalEntry, NotWritten, read, shown_path
from ktsim.game.named_files import at_home
from ktsim.game.record import continued_path, header_of, load, retold, save, write_snapshot
from ktsim.game.setup import Setup, prepare
from ktsim.rules.engine.by_hand import Deed
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.state import State

NEEDS_AGREEMENT = (
    "Dice have been rolled or something was revealed: the game goes back further only if both players agree."
)
SNAPSHOT_EVERY = 40


class Session:
    """A game with its journal. In a *sandbox* undo is free, across dice too."""

    def __init__(
        self,
        game: Game,
        setup: Setup,
        journal: Journal | None = None,
        *,
        is_sandbox: bool = False,
        entries: int = 0,
    ) -> None:
        self.game, self.setup, self.is_sandbox = game, setup, is_sandbox
        self._journal = journal
        self._entries = entries
        self._redo: list[Any] = []

    @classmethod
    def begin(cls, setup: Setup, path: Path | None, *, is_sandbox: bool = False, start: State | None = None) -> Session:
        """A new game, written to *path* from the first answer on; with a *start* it goes on from there."""
        setup = at_home(setup)
        battle, state = prepare(setup)
        state = start or state
        game = Game(battle, state)
        header = header_of(game, setup, state, is_begun=start is not None)
        journal = Journal.create(path, header) if path is not None else None
        return cls(game, setup, journal, is_sandbox=is_sandbox)

    @classmethod
    def resume(cls, path: Path, *, is_sandbox: bool = False) -> tuple[Session, str]:
        """Go on with the game in *path*; the text warns if its end was incomplete or its rules are others.

        A game that other rules recorded is gone on with in a new file beside it, so that the old one stays true.
        Raises :class:`~ktsim.game.journal.MendableSave` where :func:`~ktsim.game.record.mend` may help.
        """
        loaded = load(path, use_snapshot=True)
        warning, recorded = loaded.warning, loaded.recorded
        if loaded.differs:
            path = continued_path(path)
            save(path, *retold(loaded))
            recorded = read(path)
            warning += f"; it goes on in {shown_path(path)}"
        journal = Journal.resume(path, recorded)
        return cls(loaded.game, loaded.setup, journal, is_sandbox=is_sandbox, entries=len(recorded.entries)), warning

    @property
    def path(self) -> Path | None:
        """Where the game is kept."""
        return None if self._journal is None else self._journal.path

    # -- answering -----------------------------------------------------------------------------------

    def submit(self, answer: Any) -> list[Event]:
        """Answer the pending decision; when this returns the answer is on disk.

        Raises :class:`NotWritten` when it cannot be written; then nothing has changed. So for undo and redo.
        """
        told = self._submit(answer)
        if self._redo and self._redo[0] == answer:
            self._redo.pop(0)
        else:
            self._redo = []
        return told

    def _submit(self, answer: Any) -> list[Event]:
        count = len(self.game.answers)
        events = self.game.submit(answer)
        try:
            self._record(JournalEntry(self.game.digest(), answer=answer))
        except NotWritten:
            self.game.rewind(count)
            raise
        return events

    def _record(self, entry: JournalEntry) -> None:
        if self._journal is not None:
            self._journal.append(entry)
        self._entries += 1
        if self._journal is not None and self._entries % SNAPSHOT_EVERY == 0:
            # The entry is on disk; a snapshot only saves time, so one that cannot be written is done without.
            with contextlib.suppress(OSError, UserError):
                write_snapshot(self._journal.path, self.game, self._entries, self._journal.crc)

    # -- going back and forth ------------------------------------------------------------------------

    def refuses_undo(self, *, is_agreed: bool = False) -> str | None:
        """Why the last step cannot be undone: nothing to undo, or it needs agreement."""
        if not self.game.answers:
            return "There is nothing to undo."
        if self.is_sandbox or is_agreed or self.game.disclosures[-1] is Disclosure.OPEN:
            return None
        return NEEDS_AGREEMENT

    def undo(self, *, is_agreed: bool = False) -> None:
        """Take back the last answer of a player, and the dice rolled after it; raises ``ValueError``."""
        if (reason := self.refuses_undo(is_agreed=is_agreed)) is not None:
            raise ValueError(reason)
        count = len(self.game.answers) - 1
        while count > 0 and self.game.disclosures[count] is Disclosure.HIDDEN:
            count -= 1
        taken = self.game.answers[count:]
        self.game.rewind(count)
        try:
            self._record(JournalEntry(self.game.digest(), undo=count))
        except NotWritten:
            for answer in taken:
                self.game.submit(answer)
            raise
        self._redo = taken + self._redo

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def redo(self) -> list[Event]:
        """Give the next answer taken back again, and the same dice after it."""
        if not self._redo:
            raise ValueError("There is nothing to redo.")
        events = self._submit(self._redo[0])
        del self._redo[0]
        while self._redo and self.game.pending is not None and self.game.pending.seat == "chance":
            events += self._submit(self._redo[0])
            del self._redo[0]
        return events

    def roll_again(self, number: int, deed: Deed, faces: tuple[int, ...] | None) -> None:
        """By hand, the roll that was answer *number* is made again with other *faces* (without them it is asked for);
        the dice that were rolled after it lie as they lay, as long as they fit. Raises ``ValueError`` when it cannot be
        done; then nothing has changed."""
        taken = self.game.answers[number:]
        self.game.rewind(number)
        try:
            if (why := self.game.refuses(deed.answer)) is not None:
                raise ValueError(why)
            self._record(JournalEntry(self.game.digest(), undo=number))
        except (ValueError, NotWritten):
            for answer in taken:
                self.game.submit(answer)
            raise
        self._redo = []
        self._submit(deed.answer)
        for answer in (faces, *taken[1:]) if faces is not None else ():
            asked = self.game.pending
            if asked is None or asked.seat != "chance" or asked.check(answer) is not None:
                break
            self._submit(answer)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()


def not_written(error: NotWritten) -> str:
    """What a player is told when a session could not write."""
    return f"The answer could not be written down: {error.strerror or error}. Nothing was changed."


def autosave_path(now: datetime | None = None) -> Path:
    """A new name in the user's folder of games."""
    stamp = (now or datetime.now()).strftime("%Y-%m-%d %H-%M-%S")
    folder = paths.user_data() / "games"
    path = folder / f"{stamp}.ktsim"
    number = 2
    while path.exists():
        path = folder / f"{stamp} {number}.ktsim"
        number += 1
    return path
