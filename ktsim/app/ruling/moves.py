"""Asking about a move on the ruling table: can it get there, what does it cost, and why not.

The question is part of the scene file, so undo, saving and cards have it; the answers are the planner's, who works
beside the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ktsim.app.card.move_view import MoveView, move_view
from ktsim.app.ruling.model import TableModel
from ktsim.app.screens.jobs import Jobs
from ktsim.app.stage.ways import Reachable, reachable_by
from ktsim.errors import UserError
from ktsim.game.move_ruling import asked_ruling, move_actions, moving
from ktsim.killzones.asked_move import MOST_MOVE, AskedMove
from ktsim.killzones.scene_file import SceneFile

_CHARGE = "charge"
ANSWER, MAP = "a ruling on a move", "where a move can end"
PATIENCE = 0.03
"""Seconds that a frame waits for an answer."""


class MoveDesk:
    """The move that is asked about on one table, if one is, and its answer. Methods that change the question are steps
    of the table's undo; what cannot be asked raises UserError."""

    def __init__(self, model: TableModel) -> None:
        self.model = model
        self._last: AskedMove | None = None
        """What was asked before somebody went back to shots."""
        self.jobs = Jobs(lambda: {"asked": str(self.asked)})
        self.is_working = False
        """Whether an answer or a map is still being looked for."""
        self._refused: dict[str, object] = {}
        """Questions that cannot be answered, once that has been said."""

    @property
    def asked(self) -> AskedMove | None:
        return self.model.state.file.move

    @property
    def actions(self) -> dict[str, str]:
        """The actions that move, by the word a file uses: their names."""
        return {word: action.name for word, action in move_actions(self.model.edition).items()}

    @property
    def action(self) -> str:
        """The action that is asked about, by its word: the one named, if the edition has it, else the one that fits."""
        asked, known = self.asked, self.actions
        if asked is not None and asked.action in known:
            return asked.action
        is_charge = asked is not None and isinstance(asked.to, str)
        return _CHARGE if is_charge and _CHARGE in known else next(iter(known))

    # ---- the question ---------------------------------------------------------------------------------------
    def start(self, who: str | None = None) -> None:
        """Ask about a move: of *who*, else of whoever was asked about before, is selected, or shoots."""
        state = self.model.state
        teams = {one.id: one.team for one in state.scene.operatives}
        before = self._last.among(teams) if self._last is not None else None
        if who is None and before is not None:
            self._ask("ask about a move", before)
            return
        chosen = next((id for id in (who, state.selected, state.shooter, *teams) if id in teams), None)
        if chosen is None:
            raise UserError("Put an operative on the table first: then ask where it can move.")
        self._ask("ask about a move", AskedMove(chosen))

    def stop(self) -> None:
        """Back to shots; the question is remembered."""
        if self.asked is not None:
            self._last = self.asked
            self._ask("ask about a shot", None)

    def choose(self, who: str) -> None:
        """Ask about another operative's move, with the same action."""
        asked = self.asked
        if asked is None:
            self.start(who)
        elif who != asked.who:
            action = None if asked.action == _CHARGE else asked.action
            self._ask(f"ask about {who}'s move", replace(asked, who=who, to=None, action=action))

    def aim(self, to: str | tuple[float, float, float]) -> None:
        """Ask about getting to a place, or into the control range of an operative of another team."""
        asked = self._question()
        if isinstance(to, tuple):
            x, y, level = to
            to = (round(x, 3), round(y, 3), round(level, 4))
            # Only a Charge goes for an enemy: to a place it is asked about only where that was chosen.
            self._ask("ask about a place", replace(asked, to=to))
        else:
            self._ask(f"ask about charging {to}", replace(asked, to=to, action=None))

    def set_action(self, word: str) -> None:
        asked = self._question()
        to = None if isinstance(asked.to, str) and word != _CHARGE else asked.to
        self._ask("ask about another action", replace(asked, action=word, to=to))

    def set_move(self, inches: float) -> None:
        """Its Move stat."""
        if not 1 <= inches <= MOST_MOVE:  # also what is no number
            raise UserError(f'A Move stat is from 1" to {MOST_MOVE}".')
        self._ask("its Move", replace(self._question(), move=round(inches)))

    def _question(self) -> AskedMove:
        if self.asked is None:
            self.start()
        assert self.asked is not None
        return self.asked

    def _ask(self, name: str, asked: AskedMove | None) -> None:
        state = self.model.state
        if asked != state.file.move:
            self.model.change(name, replace(state, file=replace(state.file, move=asked)))

    # ---- the answer -----------------------------------------------------------------------------------------
    def _file(self, asked: AskedMove) -> SceneFile:
        return replace(self.model.state.file, move=replace(asked, action=self.action))

    def answer(self) -> MoveView | None:
        """The ruling on the question, if it names a place or an enemy."""
        asked = self.asked
        if asked is None or asked.to is None:
            return None
        file, scene = self._file(asked), self.model.scene
        key = (scene, self.model.edition, asked)
        found = self._asked_beside(ANSWER, key, lambda: move_view(asked_ruling(file), scene))
        return found if isinstance(found, MoveView) else None

    def reachable(self) -> Reachable | None:
        """Where the move can end."""
        asked = self.asked
        if asked is None:
            return None
        file, action = self._file(asked), self.action
        key = (self.model.scene, self.model.edition, asked.who, action, asked.move)
        found = self._asked_beside(MAP, key, lambda: reachable_by(moving(file, asked.who, action, asked.move).reached))
        return found if isinstance(found, Reachable) else None

    def _asked_beside(self, name: str, key: object, question: Callable[[], object]) -> object:
        """The answer if it is there; what cannot be asked is raised once."""

        def answer() -> object:
            try:
                return question()
            except UserError as error:
                return error

        found = self.jobs.ask(name, key, answer, PATIENCE)
        self.is_working = self.is_working or (found is None and self.jobs.fault is None)
        if isinstance(found, UserError) and self._refused.get(name) != key:
            self._refused[name] = key
            raise found
        return found

    def look(self) -> tuple[MoveView | None, Reachable | None]:
        """The ruling and the map, as far as they are known."""
        self.is_working = False
        return self.answer(), self.reachable()

    def close(self) -> None:
        self.jobs.close()
