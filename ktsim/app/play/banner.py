"""Whose turn it is and what is waited for, in words that can be read from two metres."""

from __future__ import annotations

from ktsim.app.play.saves import HUMAN, Agreement
from ktsim.game.game import Game
from ktsim.game.partners import asks_second
from ktsim.rules.engine.state import Side
from ktsim.sight.part_names import spaced


def banner_of(game: Game, seat: Side | None, agreement: Agreement, *, is_thinking: bool) -> tuple[str, str, str]:
    """Seat, whose turn it is and what is waited for; *seat* is whose answer that is."""

    def team(side: Side) -> str:
        return game.battle.teams[side].name

    if game.pending is None:
        winner = game.state.winner or "draw"
        if ending := game.battle.mission.ending(game.battle):
            return winner, ending, "The game is over"
        if winner == "draw":
            return "", "A draw", "The game is over"
        return winner, f"{team('red' if winner == 'red' else 'blue')} win", "The game is over"
    phase = game.state.phase.replace("-", " ").capitalize()
    if seat is None:
        return "", phase, ""
    doing = "Thinking ..." if is_thinking else ""
    if not game.pending.secret and not doing:
        doing = spaced(game.pending.prompt)
    turn = game.state.turn
    name = team(seat)
    is_answer = turn is not None and turn != seat and game.state.phase == "firefight"
    words = name if agreement.asked(game.battle, game.pending) != HUMAN else f"{name}: your turn"
    if agreement.ally and seat == game.pending.seat == "blue":
        is_second = asks_second(game.battle, game.pending)
        both = agreement.ally == HUMAN
        words = f"{name}: player {2 if is_second else 1}" if both else f"{name}: ally" if is_second else words
    return seat, f"{name} answer" if is_answer else words, doing or "a secret choice"
