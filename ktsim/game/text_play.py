"""A game in a terminal: every decision with numbered answers, dice rolled or typed in, reminders when they matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TextIO

from ktsim.errors import UserError
from ktsim.game import secrecy
from ktsim.game.bots import Commander
from ktsim.game.game import IllegalAnswer
from ktsim.game.hand_words import HOW, deed_from
from ktsim.game.journal import NotWritten
from ktsim.game.mission_sheet import mission_sheet
from ktsim.game.partners import asks_second
from ktsim.game.players import Blindfolded, Player
from ktsim.game.secrecy import VEILED, Viewer
from ktsim.game.session import Session, not_written
from ktsim.game.story import Teller, score_sheet
from ktsim.geometry.plane import Outline
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Reminder
from ktsim.rules.engine.decisions import CANCEL, Decision, Option, Pick, PickSome, Place, Roll, Walk
from ktsim.rules.engine.events import Event, PhaseBegan, Told, capital
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded, Incapacitated
from ktsim.rules.engine.state import SIDES, milli
from ktsim.rules.teams.team_rules import due_reminders
from ktsim.sight.part_names import readable, spaced

HELP = """\
Answer with the number of an option, or its name; where several are chosen, with their numbers separated by blanks
(2 3 5), their names separated by commas, or none. Also:
  x,y            a place in inches; several places separated by blanks are a path; cancel gives a path up
  1 4 6          dice, when they are typed in
  d              the default (marked *)          r   a random legal answer
  undo, redo     take back and give again        undo agreed   across dice, if both players agree
  who            operatives and where they are   log   the last events      quit   stop; the game is saved
  score          the score sheet so far           hint  what a bot would answer, and why
  mission        what there is to score
  hand ...       what a card says and the program does not do; hand alone says how"""

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
        dice: Player | None,
        bots: dict[str, Player] | None = None,
        takes_obvious: bool = False,
    ) -> None:
        """*dice* rolls for chance; without it dice are typed in. *bots* answer for their seats, ``ally`` for half of
        blue."""
        self._session, self._read, self._out = session, read, out
        self._bots = {**(bots or {}), **({} if dice is None else {"chance": dice})}
        self._shown: set[Reminder] = set()
        self._takes_obvious = takes_obvious
        self._random = Random(0)
        self._hints = Blindfolded(Commander("hint", "commander", HINT_SECONDS))
        self._wanted = ""
        """What a bot said of the activation under way."""
        self._is_private = False
        """Whether only the player who is asked looks at a terminal both share."""
        self._teller = Teller(session.game)

    def run(self) -> bool:
        """Play to the end; returns whether the game is over (and not just stopped).

        When dice or a bot's answer cannot be written down it is a :class:`UserError`: nobody is there to try again.
        """
        game = self._session.game
        self._tell_last(TOLD_BEFORE)
        self._say(spaced(game.battle.mission.about(game.battle)))
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
        """The last lines of the log."""
        for event, line in self._retold()[-count:]:
            self._say(line)
            self._show(cards_for(self._session.game.battle, event))

    def _retold(self) -> list[tuple[Event, str]]:
        """The whole log anew, with which what is told from here on goes on: nothing that was undone is known of."""
        self._teller = Teller(self._session.game)
        return list(self._teller.lines(self._session.game.events))

    def _show(self, cards: Iterable[Reminder]) -> None:
        """Cards that were not shown yet: each is shown once in a game, at its first moment."""
        for card in cards:
            if card in self._shown:
                continue
            self._shown.add(card)
            self._say(spaced(f"      [card] {card.title}: {card.text}"))

    def _submit(self, answer: Any) -> list[Event]:
        asked = self._session.game.pending
        told = self._session.submit(answer)
        if self._is_private and asked is not None:
            self._wipe()
            self._say(f"[{asked.seat}] has chosen.")
        self._tell(told)
        return told

    def _let(self, bot: Player, decision: Decision[Any]) -> None:
        """Have a bot answer; after an activation it says what it wanted."""
        if not isinstance(bot, Blindfolded) or decision.seat == "chance":
            self._submit(bot.answer(decision, self._session.game))
            return
        answer, why = bot.advise(self._session.game, decision.seat)
        if decision.topic == "order":
            self._wanted = why
        if any(isinstance(event, ActivationEnded) for event in self._submit(answer)) and self._wanted:
            self._say(f"      [{decision.seat}] wanted: {self._wanted}")
            self._wanted = ""

    def _step(self, decision: Decision[Any]) -> None:
        is_second = asks_second(self._session.game.battle, decision)
        seat = "ally" if is_second and "ally" in self._bots else decision.seat
        if seat in self._bots:
            self._let(self._bots[seat], decision)
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
        self._say(self._readable(f"\n[{self._whom(decision)}] {decision.prompt}"))
        if decision.topic == "set up" and decision.seat != "chance":
            zone = self._session.game.battle.drop_zone(decision.seat)
            self._say(f"  It lies {_extent(zone)} (x,y in inches); hint or r gives a place in it.")
        if isinstance(shown, (Pick, PickSome)):
            for number, option in enumerate(shown.options, 1):
                self._say(self._readable(_row(number, option, shown)))
            if self._is_veiled(decision):
                self._say(f"  {len(shown.options) + 1:>2}  {VEILED}")
        line = self._read().strip()
        try:
            if not self._command(line, shown):
                self._submit(self._parse(line, decision, shown))
        except (IllegalAnswer, ValueError) as error:
            self._say(self._readable(f"  {error}"))
        except NotWritten as error:
            self._say(f"  {not_written(error)}")

    def _whom(self, decision: Decision[Any]) -> str:
        """Who is asked: a seat, and which of two that share it."""
        battle = self._session.game.battle
        if not battle.mission.is_shared or decision.seat == "chance":
            return decision.seat
        return f"{decision.seat}, player {2 if asks_second(battle, decision) else 1}"

    def _readable(self, text: str) -> str:
        game = self._session.game
        return readable(text, game.battle.table.terrain_in(game.state))

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
            self._retold()
        elif word == "redo":
            told = self._session.redo()
            self._wipe()
            self._tell(told)
        elif word == "hint":
            answer, why = self._hints.advise(self._session.game, self._viewer(decision))
            self._say(self._readable(f"  {_shown(answer, decision).rstrip('.')}. {why}"))
        elif word == "hand":
            self._hand(rest, decision)
        elif word == "who":
            self._say(self._who())
        elif word == "score":
            self._say("\n".join(score_sheet(self._session.game.battle)))
        elif word == "mission":
            self._say("\n".join(self._sheet(decision)))
        elif word == "log":
            self._tell_last(TOLD_AGAIN)
        elif word in ("d", "r"):
            if word == "d" and decision.default is None:
                raise ValueError("No answer is marked here; r gives any that is legal.")
            self._submit(decision.default if word == "d" else decision.sample(self._random))
        else:
            return False
        return True

    def _sheet(self, decision: Decision[Any]) -> list[str]:
        """What there is to score, as far as the player may know."""
        found = []
        for op in mission_sheet(self._session.game, self._viewer(decision)):
            found += [f"  {op.title}: {op.name}", *(f"    {spaced(text)}" for text in (op.text, op.note) if text)]
        return found

    def _hand(self, line: str, decision: Decision[Any]) -> None:
        """Do something by hand for whoever is asked."""
        if not line.strip():
            self._say(HOW)
            return
        side = decision.seat if decision.seat != "chance" else self._session.game.state.turn or "red"
        self._tell(self._session.submit(deed_from(line, side, self._session.game.state).answer))

    def _parse(self, line: str, decision: Decision[Any], shown: Decision[Any]) -> Any:
        """The answer a line stands for; raises ``ValueError`` with a sentence. That depends on what is *shown* only,
        unless the player asks for what is not."""
        if isinstance(shown, Pick):
            if self._is_veiled(decision) and line.capitalize() in (VEILED, str(len(shown.options) + 1)):
                if (hidden := secrecy.behind_veil(decision)) is None:
                    raise ValueError("Not now.")
                return hidden
            answer = _named(line, shown.options)
            if answer is None:
                also = [(len(shown.options) + 1, VEILED)] if self._is_veiled(decision) else []
                raise ValueError(_not_offered(line, shown.options, also))
            if (reason := shown.check(answer)) is not None:
                raise ValueError(reason)
            return answer
        if isinstance(shown, PickSome):
            return _several(line, shown)
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
    name = option.text.partition(" (")[0]
    lock = f"  -- {capital(option.refusal.removeprefix(f'{name}: '))}" if option.refusal else ""
    return f" {'*' if is_default else ' '}{number:>2}  {option.text}{lock}"


def _shown(answer: Any, decision: Decision[Any]) -> str:
    """An answer as the player would give it."""
    if isinstance(decision, Pick):
        return next((option.text for option in decision.options if option.key == answer), str(answer))
    if isinstance(decision, (Place, Walk)):
        points = (answer,) if isinstance(decision, Place) else answer
        return " ".join(f"{x / 1000:g},{y / 1000:g}" for x, y, *_ in points) or "cancel"
    if isinstance(decision, PickSome):
        names = {option.key: _name(option) for option in decision.options}
        return ", ".join(names.get(key, key) for key in answer) or "none"
    return " ".join(map(str, answer))


def _name(option: Option) -> str:
    """What an option is called, without what is said of it."""
    return option.text.partition(": ")[0].partition(" (")[0]


def _named(word: str, options: tuple[Option, ...]) -> str | None:
    """The key of the option that *word* stands for: its number, its key, its whole text or its name."""
    if word.isdecimal() and 1 <= int(word) <= len(options):
        return options[int(word) - 1].key
    asked = word.casefold()
    for found in (
        [option.key for option in options if option.key == word],
        [option.key for option in options if option.text.casefold() == asked],
        [option.key for option in options if _name(option).casefold() == asked],
    ):
        if len(found) == 1:
            return found[0]
    return None


def _not_offered(word: str, options: tuple[Option, ...], also: Iterable[tuple[int, str]] = ()) -> str:
    """What is said when *word* stands for none of the options: those that can be chosen, as they are listed."""
    known = [(number, _name(option)) for number, option in enumerate(options, 1) if option.refusal is None]
    return f"{word!r} is not on offer; choose one of: {', '.join(f'{n} {name}' for n, name in [*known, *also])}."


def _several(line: str, decision: PickSome) -> tuple[str, ...]:
    """The options that a line names; raises ``ValueError`` with a sentence that says how several are named."""
    keys: list[str] = []
    for part in filter(None, map(str.strip, line.split(","))):
        words = part.split()
        is_list = _named(part, decision.options) is None and any(_named(word, decision.options) for word in words)
        for word in words if is_list else [part]:
            if (key := _named(word, decision.options)) is not None:
                keys.append(key)
            elif word != "none":
                raise ValueError(_not_offered(word, decision.options))
    if not decision.least <= len(keys) <= decision.most and (reason := decision.check(tuple(keys))):
        example = " ".join(map(str, range(1, max(2, decision.least) + 1)))
        how = f" Give their numbers separated by blanks: {example}." if decision.most > 1 else ""
        raise ValueError(reason + how)
    return tuple(keys)


def _extent(outline: Outline) -> str:
    """How far an area reaches, as places are given."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return f"between {min(xs):g},{min(ys):g} and {max(xs):g},{max(ys):g}"


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


ATTACKS = {"KT24-VALID": "shooting", "KT24-FIGHT": "fighting"}
"""What is told when an attack begins, and its moment; both operatives' cards are due."""


def cards_for(battle: Battle, event: Event) -> list[Reminder]:
    """The cards due at *event*, each once."""
    found: list[Reminder] = []
    who = battle.state.operatives
    if isinstance(event, PhaseBegan):
        found = due_reminders(battle, "strategy") if event.phase == "gambit" else []
    elif isinstance(event, ActivationBegan):
        found = due_reminders(battle, "activation", who[event.operative])
        found += due_reminders(battle, "firefight", who[event.operative])
    elif isinstance(event, Incapacitated):
        found = due_reminders(battle, "incapacitated", who[event.operative])
    elif isinstance(event, Told) and event.rule in ATTACKS and len(event.subjects) == 2:
        for id in event.subjects:
            found += due_reminders(battle, ATTACKS[event.rule], who[id])
    return list(dict.fromkeys(found))
