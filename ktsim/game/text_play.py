"""A game in a terminal: every decision with numbered answers, dice rolled or typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TextIO

from ktsim.errors import UserError
from ktsim.game import secrecy
from ktsim.game.bots import Tactician
from ktsim.game.due_cards import cards_for
from ktsim.game.game import IllegalAnswer
from ktsim.game.journal import NotWritten
from ktsim.game.players import Blindfolded, Player
from ktsim.game.score import score_sheet
from ktsim.game.secrecy import VEILED, Viewer
from ktsim.game.session import Session, not_written
from ktsim.game.story import Teller
from ktsim.rules.engine.cards import Reminder
from ktsim.rules.engine.decisions import CANCEL, Decision, Option, Pick, PickSome, Place, Roll, Walk
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.state import SIDES, milli
from ktsim.rules.teams.team_rules import due_reminders

HELP = """\
Answer with the number of an option, or its name. Also:
  x,y            a place in inches; several places separated by blanks are a path; cancel gives a path up
  1 4 6          dice, when they are typed in
  d              the default (marked *)          r   a random legal answer
  undo, redo     take back and give again        undo agreed   across dice, if both players agree
  who            operatives and where they are   log   the last events      quit   stop; the game is saved
  score          the score sheet so far           hint  what a bot would answer, and why"""

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""What empties a terminal."""

HINT_SECONDS = 4.0

TOLD_BEFORE, TOLD_AGAIN = 10, 30
"""How many lines of the log a game that goes on begins with, and how many are told on demand."""

QUIT = ("quit", "exit", "q")


class Stop(Exception):
    """The player wants to stop."""


class TextPlay:
    """Plays a session over lines of text."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str],
        out: TextIO,
        *,
        dice: Random | None,
        bots: dict[str, Player] | None = None,
        takes_obvious: bool = False,
    ) -> None:
        """*dice* rolls for chance; without it dice are typed in. *bots* answer for their seats."""
        self._session, self._read, self._out, self._dice = session, read, out, dice
        self._bots = bots or {}
        self._takes_obvious = takes_obvious
        self._random = Random(0)
        self._hints = Blindfolded(Tactician("hint", "hard", HINT_SECONDS))
        self._is_private = False
        """Whether only the player who is asked looks at a terminal both share."""
        self._teller = Teller(session.game)

    def run(self) -> bool:
        """Play to the end; returns whether the game is over (and not just stopped).

        When dice or a bot's answer cannot be written down it is a :class:`UserError`: nobody is there to try again.
        """
        game = self._session.game
        self._tell_last(TOLD_BEFORE)
        if game.state.phase == "set-up":
            self._show(due_reminders(game.battle, "set-up"))
        try:
            while game.pending is not None:
                self._step(game.pending)
        except (Stop, EOFError):
            return False
        except NotWritten as error:
            raise UserError(f"{not_written(error)} The game up to here is saved.") from None
        self._say("\n" + "\n".join(score_sheet(game.battle)))
        return True

    def _say(self, text: str) -> None:
        if text:
            print(text, file=self._out, flush=True)

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            self._say("\n".join(self._teller.tell([event])))
            self._show(cards_for(self._session.game.battle, event))

    def _tell_last(self, count: int) -> None:
        """The last lines of the log; events nobody is told of do not count."""
        told = [event for event in self._session.game.events if event.words(self._session.game.battle.name)]
        self._tell(told[-count:])

    def _show(self, cards: Iterable[Reminder]) -> None:
        for card in cards:
            self._say(f"      [card] {card.title}: {card.text}")

    def _submit(self, answer: Any) -> None:
        asked = self._session.game.pending
        told = self._session.submit(answer)
        if self._is_private and asked is not None:
            self._wipe()
            self._say(f"[{asked.seat}] has chosen.")
        self._tell(told)

    def _step(self, decision: Decision[Any]) -> None:
        if decision.seat == "chance" and self._dice is not None:
            self._submit(decision.sample(self._dice))
        elif decision.seat in self._bots:
            self._submit(self._bots[decision.seat].answer(decision, self._session.game))
        elif self._takes_obvious and decision.is_obvious:
            self._submit(decision.default)
        elif decision.secret and self._is_shared:
            self._ask_in_private(decision)
        else:
            self._ask(decision)

    @property
    def _is_shared(self) -> bool:
        """Whether both players look at this terminal."""
        return not any(side in self._bots for side in SIDES)

    def _viewer(self, decision: Decision[Any]) -> Viewer:
        """Who sees what is said about the question that is put to a person now."""
        if decision.seat == "chance" or (self._is_shared and not self._is_private):
            return None
        return decision.seat

    def _ask_in_private(self, decision: Decision[Any]) -> None:
        """Put a secret question to its player alone; whatever ends it, nothing of it stays on the terminal."""
        self._say(f"\n[{decision.seat}] A secret choice. The other player looks away; then press Enter.")
        if self._read().strip() in QUIT:
            raise Stop
        self._is_private = True
        try:
            while self._session.game.pending is decision:
                self._ask(decision)
        finally:
            self._wipe()

    def _wipe(self) -> None:
        """Take what only one player may see off the terminal, if anything is there."""
        if self._is_private and self._out.isatty():
            self._out.write(CLEAR)
            self._out.flush()
        self._is_private = False

    def _ask(self, decision: Decision[Any]) -> None:
        shown = secrecy.shown(decision, self._viewer(decision))
        self._say(f"\n[{decision.seat}] {decision.prompt}")
        if isinstance(shown, (Pick, PickSome)):
            for number, option in enumerate(shown.options, 1):
                self._say(_row(number, option, shown))
            if self._is_veiled(decision):
                self._say(f"  {len(shown.options) + 1:>2}  {VEILED}")
        line = self._read().strip()
        try:
            if not self._command(line, shown):
                self._submit(self._parse(line, decision, shown))
        except (IllegalAnswer, ValueError) as error:
            self._say(f"  {error}")
        except NotWritten as error:
            self._say(f"  {not_written(error)}")

    def _is_veiled(self, decision: Decision[Any]) -> bool:
        return secrecy.is_veiled(decision, self._viewer(decision))

    def _command(self, line: str, decision: Decision[Any]) -> bool:
        word, _, rest = line.partition(" ")
        if word in QUIT:
            raise Stop
        if word in ("help", "?", "h", ""):
            self._say(HELP)
        elif word == "undo":
            self._session.undo(is_agreed=rest == "agreed")
        elif word == "redo":
            told = self._session.redo()
            self._wipe()
            self._tell(told)
        elif word == "hint":
            answer, why = self._hints.advise(self._session.game, self._viewer(decision))
            self._say(f"  {_shown(answer, decision)}. {why}")
        elif word == "who":
            self._say(self._who())
        elif word == "score":
            self._say("\n".join(score_sheet(self._session.game.battle)))
        elif word == "log":
            self._tell_last(TOLD_AGAIN)
        elif word in ("d", "r"):
            if word == "d" and decision.default is None:
                return False
            self._submit(decision.default if word == "d" else decision.sample(self._random))
        else:
            return False
        return True

    def _parse(self, line: str, decision: Decision[Any], shown: Decision[Any]) -> Any:
        """The answer a line stands for; raises ``ValueError`` with a sentence. That depends on what is *shown* only,
        unless the player asks for what is not."""
        if isinstance(shown, Pick):
            if self._is_veiled(decision) and line in (VEILED, str(len(shown.options) + 1)):
                if (hidden := secrecy.behind_veil(decision)) is None:
                    raise ValueError("Not now.")
                return hidden
            answer = _option(line, shown.options)
            if (reason := shown.check(answer)) is not None:
                raise ValueError(reason)
            return answer
        if isinstance(decision, PickSome):
            return tuple(_option(word, decision.options) for word in line.replace(",", " ").split() if word != "none")
        if isinstance(decision, Roll):
            return tuple(_whole(word) for word in line.replace(",", " ").split())
        level = 0
        if isinstance(decision, Walk):
            if line == "cancel":
                return CANCEL
            level = self._session.game.state.operatives[decision.operative].level
            return tuple(_point(word, level) for word in line.split())
        assert isinstance(decision, Place)
        if decision.default is not None:
            level = decision.default[2]
        return _point(line, level)

    def _who(self) -> str:
        game = self._session.game
        rows = []
        for who in game.state.operatives.values():
            place = f'{who.x / 1000:.1f}",{who.y / 1000:.1f}"' if who.is_in_killzone else "not in the killzone"
            token = "ready" if who.is_ready else "expended"
            rows.append(f"  {who.side:4} {who.name:20} {who.wounds:>2} wounds  {who.order:7} {token:8} {place}")
        return "\n".join(rows)


def _row(number: int, option: Option, decision: Pick | PickSome) -> str:
    """One option as it is listed, the default with a star."""
    default = decision.default
    is_default = option.key == default or (isinstance(default, tuple) and option.key in default)
    lock = f"  -- {option.refusal}" if option.refusal else ""
    return f" {'*' if is_default else ' '}{number:>2}  {option.text}{lock}"


def _shown(answer: Any, decision: Decision[Any]) -> str:
    """An answer as the player would give it."""
    if isinstance(decision, Pick):
        return next((option.text for option in decision.options if option.key == answer), str(answer))
    if isinstance(decision, (Place, Walk)):
        points = (answer,) if isinstance(decision, Place) else answer
        return " ".join(f"{x / 1000:g},{y / 1000:g}" for x, y, _ in points) or "cancel"
    return " ".join(map(str, answer)) or "none"


def _option(word: str, options: tuple[Any, ...]) -> str:
    if word.isdigit() and 1 <= int(word) <= len(options):
        return str(options[int(word) - 1].key)
    return word


def _whole(word: str) -> int:
    if not word.isdigit():
        raise ValueError(f"{word!r} is not a whole number.")
    return int(word)


def _point(word: str, level: int) -> tuple[int, int, int]:
    try:
        x, y = (float(part) for part in word.split(","))
        return (milli(x), milli(y), level)
    except (ValueError, OverflowError):
        raise ValueError(f"{word!r} is not a place such as 12.5,8 (in inches).") from None
