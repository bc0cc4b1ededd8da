"""A game being played at the window: who answers what, dice, bots, undo, hand-overs. Knows nothing of windows.

Whatever can be answered without a person is answered by :meth:`Match.advance`; what is left is :attr:`prompt`.
Dice, bots' answers and moves are given at once; what is shown of them afterwards decides nothing.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from ktsim import faults
from ktsim.app.play import topics
from ktsim.app.play.banner import banner_of
from ktsim.app.play.draft import Draft, GivenAnswers
from ktsim.app.play.handwork import HandWork
from ktsim.app.play.helped_match import HelpedMatch
from ktsim.app.play.helping import Helped, Mind
from ktsim.app.play.intents import Intended
from ktsim.app.play.logbook import Logbook
from ktsim.app.play.preparing import note_choice
from ktsim.app.play.privacy import Privacy
from ktsim.app.play.prompt import Prompt, answer_words, told
from ktsim.app.play.recap import Recaps
from ktsim.app.play.rerolls import is_pointless
from ktsim.app.play.saves import HUMAN, Agreement, title_of, write_agreement
from ktsim.app.play.sequence import AttackPair, attack_of, attack_under_way
from ktsim.app.play.tray import Rolled, Tray, tray_of, tray_of_rolls
from ktsim.app.play.walking import Showing, stands_of, walks_in
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.faults import Fault
from ktsim.game import secrecy
from ktsim.game.bots import BOTS, quick_answer
from ktsim.game.game import IllegalAnswer
from ktsim.game.journal import NotWritten
from ktsim.game.players import Player
from ktsim.game.review.carrying_out import BetterPlan
from ktsim.game.secrecy import Viewer
from ktsim.game.session import Session, not_written
from ktsim.game.setup import Setup
from ktsim.rules.engine.decisions import Decision, Roll
from ktsim.rules.engine.state import SIDES, Side, State

BOT_PAUSE = 0.5
"""Seconds a bot's answer is looked at before the next; the bot has gone on thinking meanwhile."""


class Match(HelpedMatch, HandWork):
    """A session with people and bots in its seats."""

    def __init__(
        self,
        session: Session,
        agreement: Agreement,
        path: Path | None = None,
        *,
        dice: Random | None = None,
        chance: Player | None = None,
        clock: Callable[[], float] = time.monotonic,
        is_animated: bool = True,
    ) -> None:
        self.session, self.agreement, self.path = session, agreement, path
        self.game = session.game
        self.shown = Showing(clock, is_animated)
        self.privacy = Privacy(self.game, agreement.is_hot_seat)
        self.notice = ""
        self.hint = ""
        self.reason = ""
        """Why the bot did what it did last, in its own words."""
        self.log = Logbook(self.game)
        self.rolls: list[Rolled] = []
        self.version = 0
        """Counts changes, so that whoever shows the match knows when to look again."""
        self.seed = "given" if dice is not None else str(Random().getrandbits(64))
        self._dice, self._chance = dice or Random(self.seed), chance
        self.mind = Mind(session, agreement.level, self._dice)
        self.fault: Fault | None = None
        """Something unexpected that has happened, until somebody has told of it."""
        self._hinting = False
        self._hinted: tuple[int, BetterPlan | None] = (0, None)
        self._held = -1
        """At so many answers nothing is answered automatically: somebody has just gone back there."""
        self._failed = -1
        """At so many answers the rules failed; trying again by itself would only fail again."""
        self._helped = Helped()
        self._draft: Draft | None = None
        self._asked: Decision[Any] | None = None
        self._viewer: Viewer = None
        """The question the draft is an answer to, and who sees it."""
        self._given = GivenAnswers()
        self.recaps = Recaps(self.game)
        self.before_roll: Callable[[], None] = lambda: None
        """Told before dice are rolled and shown: what comes of them is to be seen when they lie, not before."""
        self.intended = Intended()
        """What a click on an enemy is to lead to."""
        self._note()

    # -- beginning and ending ------------------------------------------------------------------------

    @classmethod
    def begin(cls, setup: Setup, agreement: Agreement, path: Path, start: State | None = None, **options: Any) -> Match:
        """A new game, on disk from now on, with a *start* from there on; raises :class:`UserError` when something
        named does not exist."""
        for name in (agreement.red, agreement.blue, agreement.ally or HUMAN):
            if name != HUMAN and name not in BOTS:
                raise UserError(Problem(printable(name), f"no such bot; there are {', '.join(BOTS)}"))
        session = Session.begin(setup, path, is_sandbox=agreement.is_sandbox, start=start)
        return cls(session, agreement, path, **options)

    @classmethod
    def resume(cls, path: Path, agreement: Agreement, **options: Any) -> Match:
        """Go on with the game in *path* where the last answer left it."""
        session, warning = Session.resume(path, is_sandbox=agreement.is_sandbox)
        match = cls(session, agreement, session.path or path, **options)
        match.notice = warning
        return match

    def close(self) -> None:
        self.mind.close()
        self.session.close()

    # -- what is shown -------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision[Any] | None:
        return self.game.pending

    @property
    def is_over(self) -> bool:
        return self.game.pending is None

    @property
    def is_showing(self) -> bool:
        """Whether dice are rolling, somebody walks, or a bot's answer is being looked at."""
        return self.shown.is_on

    @property
    def is_read(self) -> bool:
        """Whether something is being shown, or what a bot has done waits to be read: nothing is asked meanwhile."""
        return self.is_showing or self.recaps.pending is not None

    @property
    def is_thinking(self) -> bool:
        return self.mind.is_thinking

    @property
    def draft(self) -> Draft | None:
        """The answer being made to the pending decision, if a person is asked."""
        decision = self.decision
        if decision is None or not self.asks_person(decision):
            return None
        viewer = self.privacy.viewer
        if self._draft is None or self._asked is not decision or self._viewer != viewer:
            self._asked, self._viewer = decision, viewer
            shown = secrecy.shown(decision, viewer)
            prompt = topics.shown(shown, len(self.game.answers), self.game.battle)
            place = self._usual(decision) if prompt.kind == "place" and self.may_help else None
            self._draft = Draft(prompt, shown, place=place)
        return self._draft

    @property
    def prompt(self) -> Prompt | None:
        draft = self.draft
        return draft.prompt if draft is not None else None

    @property
    def seat(self) -> Side | None:
        """Whose answer is waited for; for dice whoever rolls them, else whose turn it is."""
        decision = self.decision
        if isinstance(decision, Roll) and decision.roller is not None:
            return decision.roller
        if decision is not None and decision.seat != "chance":
            return decision.seat
        return self.game.state.turn

    def peek(self, is_wanted: bool = True) -> None:
        """Show a player alone what only it may see; or everybody the table again."""
        self.privacy.peek(is_wanted)
        self._hinting = False
        self.mind.stop()
        self.hint = ""
        self._draft = None
        self.version += 1

    def accept(self) -> None:
        """The right player has the screen."""
        self.privacy.accept()
        self.version += 1

    def tray(self) -> Tray | None:
        """The dice on the table: of the sequence under way, else those rolled since a person's last answer."""
        if self.is_showing:
            return tray_of_rolls(self.rolls)
        decision = self.decision
        about = decision.about if decision is not None else None
        return tray_of(about, self.game.battle) or tray_of_rolls(self.rolls)

    def attack(self) -> AttackPair | None:
        """Who attacks whom in the sequence under way, or in the one whose dice are being shown."""
        if self.is_showing and self.rolls and self.rolls[-1].number == len(self.game.answers) - 1:
            rolled = attack_of(self.rolls[-1].about)
            if rolled is not None:
                return rolled
        if self.decision is None:
            return None
        return attack_of(self.decision.about) or attack_under_way(self.game.state, self.game.events)

    # -- answering -----------------------------------------------------------------------------------

    def asks_person(self, decision: Decision[Any]) -> bool:
        if decision.seat == "chance":
            return isinstance(decision, Roll) and self.agreement.dice == "typed"
        return self.agreement.asked(self.game.battle, decision) == HUMAN

    def submit(self, answer: Any) -> bool:
        """A person's answer; whether it was legal. Otherwise :attr:`notice` says why not."""
        self.notice = self.hint = ""
        self._helped.interrupted()
        decision = self.decision
        if decision is not None and decision.seat != "chance":
            self.rolls.clear()
            self.recaps.hits.clear()
        return self._submit(answer)

    def confirm(self) -> bool:
        """Give the draft as the answer."""
        draft = self.draft
        if draft is None:
            return False
        if problem := draft.problem():
            self.notice = problem
            return False
        answer = draft.answer()
        is_piece = draft.putting is not None and draft.prompt.kind == "place"
        turn = str(draft.turn_at(answer)) if is_piece else ""
        if not self.submit(answer):
            return False
        asked = self.draft
        if turn and asked is not None and asked.putting is not None and asked.prompt.topic == "turn":
            self.submit(turn)  # it stands as it was shown
        return True

    def _submit(self, answer: Any) -> bool:
        decision, count = self.decision, len(self.game.answers)
        assert decision is not None
        before, told = stands_of(self.game.state), len(self.game.events)
        try:
            self.session.submit(answer)
        except IllegalAnswer as error:
            self.notice = str(error)
            return False
        except NotWritten as error:
            self.notice = not_written(error)
            self._recover(count)
            return False
        except Exception as error:  # a rule that fails must not take the game with it
            facts = {**self.facts(), "answers": count, "answer": answer}
            self.fault = faults.note("the answer to this question", error, facts)
            self.notice = f"{self.fault.words[:1].upper()}{self.fault.words[1:]}. Nothing was changed."
            self._recover(count)
            return False
        self.privacy.answered(decision)
        if self.asks_person(decision) and not self.privacy.is_hot_seat:
            note_choice(self.game.battle, decision, answer)
        self._given.take(count, decision, answer)
        if isinstance(decision, Roll):
            self.rolls.append(Rolled(count, decision.prompt, decision.roller or "", answer, decision.about))
        self._take_in()
        is_bot = decision.seat != "chance" and not self.asks_person(decision)
        cancelled = self.recaps.follow(told, before, is_bot, self.reason if is_bot else "")
        self.notice = cancelled or self.notice
        self.shown.walk(walks_in(self.game.events[told:], before))
        return True

    def _recover(self, count: int) -> None:
        self.game.rewind(count)
        self.shown.stop()
        self.log.restart()
        self._failed = count
        self.version += 1

    def _take_in(self) -> None:
        self.log.follow()
        self.version += 1
        self._note()

    def _note(self) -> None:
        """Keep how the game stands beside its journal, when that has changed."""
        noted = replace(self.agreement, title=title_of(self.session), is_over=self.is_over)
        if self.path is not None and noted != self.agreement:
            # Only the list of saved games reads it, so the game goes on without; the next answer tries again.
            with contextlib.suppress(OSError, UserError):
                write_agreement(self.path, noted)
                self.agreement = noted

    def skip(self) -> None:
        """Finish at once whatever is being shown, or a recap that was read."""
        if not self.is_showing:
            self.recaps.forget()
        self.shown.stop()
        self.version += 1

    def advance(self) -> bool:
        """Answer what needs no person; whether anything changed."""
        before = self.version
        if not self.is_over and any(self.agreement.player(side) in BOTS for side in SIDES):
            self.mind.prepare()
        while not self.is_showing and self.recaps.pending is None and (decision := self.decision) is not None:
            if self._hinting:
                self._pick_up_hint(decision)
                break
            if not self._answer_by_itself(decision):
                break
        return self.version != before

    def _answer_by_itself(self, decision: Decision[Any]) -> bool:
        if decision.seat == "chance" and not self.asks_person(decision):
            if self._failed == len(self.game.answers):
                return False
            if self.shown.is_animated:
                self.before_roll()
            is_done = self._submit(self._roll(decision))
            if is_done:
                self.shown.roll()
            return is_done
        if decision.seat in SIDES and not self.asks_person(decision):
            return self._answer_by_bot(decision)
        if (intended := self.intended.answer(decision)) is not None:
            return self._failed != len(self.game.answers) and self._submit(intended)
        if (helped := self._help_with(decision)) is not None:
            return helped
        is_free = self.agreement.takes_obvious and self._held != len(self.game.answers)
        if is_free and (decision.is_obvious or is_pointless(decision, self.game.battle)):
            return self._failed != len(self.game.answers) and self._submit(decision.default)
        return False

    def _roll(self, decision: Decision[Any]) -> Any:
        return decision.sample(self._dice) if self._chance is None else self._chance.answer(decision, self.game)

    # -- bots ----------------------------------------------------------------------------------------

    def _answer_by_bot(self, decision: Decision[Any]) -> bool:
        outcome = self.mind.think(self.agreement.asked(self.game.battle, decision), self.seat)
        if outcome is None:
            return False
        answer = outcome.answer
        self.reason = outcome.reason if not decision.secret else ""
        if outcome.trouble:
            answer, reason = quick_answer(decision, self.game, self._dice)
            self.notice = f"The bot gave no answer ({outcome.trouble}); it does the first thing that comes to mind."
            self.reason = reason if not decision.secret else ""
            self.fault = outcome.fault
        if not self._submit(answer):
            return False
        self.shown.show(BOT_PAUSE)
        return True

    def ask_hint(self, bot: str) -> None:
        """Ask *bot* what it would do; the answer comes into :attr:`hint`."""
        decision = self.decision
        if decision is not None and self.asks_person(decision) and decision.seat != "chance":
            self._hinting = True
            self.hint = "Thinking ..."
            self._hint_bot = bot
            self.version += 1

    def _pick_up_hint(self, decision: Decision[Any]) -> None:
        outcome = self.mind.think(self._hint_bot, self.privacy.viewer, wants_plan=True)
        if outcome is None:
            return
        self._hinting = False
        self.fault = outcome.fault
        answer, trouble = outcome.answer, outcome.trouble
        draft = self.draft
        said = told(answer_words(decision, answer), outcome.reason) if not trouble else ""
        self.hint = f"No hint: {trouble}." if trouble else f"{self._hint_bot}: {said}"
        self._hinted = len(self.game.answers), outcome.plan
        if draft is not None and not trouble:
            draft.propose(answer)
        self.version += 1

    @property
    def hinted(self) -> BetterPlan | None:
        """The whole plan behind the hint that is shown, if it has one."""
        asked, plan = self._hinted
        return plan if self.hint and asked == len(self.game.answers) and not self._hinting else None

    # -- going back ----------------------------------------------------------------------------------

    def undo_refusal(self) -> str:
        """Why undo needs more than pressing it; empty when it does not."""
        return self.session.refuses_undo() or ""

    @property
    def may_step_back(self) -> bool:
        """Whether whoever is asked has given the last answer and nothing has been revealed since."""
        decision = self.decision
        if decision is None or not self.asks_person(decision):
            return False
        asked = decision.roller if isinstance(decision, Roll) else decision.seat
        last = self._given.at(len(self.game.answers) - 1)
        return last is not None and last.seat == asked and not last.is_secret

    @property
    def undo_words(self) -> str:
        """What undo would take back."""
        return self._given.last_words(len(self.game.answers))

    def undo(self, *, is_agreed: bool = False) -> bool:
        """Go back to the last answer of a person; whether it was possible."""

        def step() -> None:
            self.session.undo(is_agreed=is_agreed)
            while self.game.answers and (now := self.decision) is not None and not self.asks_person(now):
                self.session.undo(is_agreed=True)

        return self._go(step)

    def redo(self) -> bool:
        return self._go(self.session.redo)

    def _go(self, step: Callable[[], object]) -> bool:
        """Go to another moment of the game; whether it was possible."""
        self._hinting = False
        self.mind.stop()
        try:
            step()
        except ValueError as error:
            self.notice = str(error)
            return False
        except NotWritten as error:
            self._went()
            self.notice = not_written(error)
            return False
        self._went()
        return True

    def _went(self) -> None:
        self._helped.stop()
        self.intended.stop()
        self.recaps.restart()
        self.privacy.went_back()
        count = len(self.game.answers)
        self._held = count
        self._given.forget(count)
        self.notice = self.hint = ""
        self.rolls.clear()
        self._draft = None
        self.shown.stop()
        self.log.restart()
        self.version += 1
        self._note()

    def facts(self) -> dict[str, str]:
        """What helps to repeat something that went wrong: where the game stands, and what it was made with."""
        journal = "none" if self.path is None else self.path.name
        return {"answers": str(len(self.game.answers)), "journal": journal, "seed": self.seed}

    # -- words ---------------------------------------------------------------------------------------

    def team(self, side: Side) -> str:
        return self.game.battle.teams[side].name

    def banner(self) -> tuple[str, str, str]:
        """Seat, whose turn it is and what is waited for: to be read from two metres."""
        return banner_of(self.game, self.seat, self.agreement, is_thinking=self.is_thinking and not self._hinting)
