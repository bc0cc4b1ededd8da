"""What must hold of ops, markers and secrets after every answer; a part of :mod:`soak.invariants`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from ktsim.game.game import Game
from ktsim.rules.engine.decisions import Decision, Pick, PickSome
from ktsim.rules.engine.events import Chosen, Event, PhaseBegan, VpScored
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.kt24.ops.kill_and_primary import primary_key
from ktsim.rules.kt24.ops.op import MOST_VP, TacOp, revealed_key, tac_key
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS
from ktsim.rules.kt24.packs.set_up import CRIT_OP
from soak.tally import SECRETS, Tally

MOST_CARRIED = 2


class OpWatch:
    """Keeps books of its own of the VP of each op, and reads everything told as the opponent would."""

    def __init__(self, game: Game, demand: Callable[[bool, str], None], tally: Tally) -> None:
        self._game, self._demand, self._tally = game, demand, tally
        self._scored: Counter[tuple[Side, str]] = Counter()
        self._in_turn: Counter[tuple[Side, str, int]] = Counter()
        self._asked: Decision[object] | None = None
        self._held: list[str] = []
        self._turn = 0
        self._hidden = self._hide()

    # -- events --------------------------------------------------------------------------------------

    def follow(self, event: Event) -> None:
        if isinstance(event, Chosen):
            self._hidden = self._hide()
        elif isinstance(event, PhaseBegan):
            self._turn = event.turning_point
        elif isinstance(event, VpScored):
            self._score(event)
        if self._hidden:
            self._read(event.words(self._game.battle.name), "the log")

    def _score(self, event: VpScored) -> None:
        if not event.op:
            return
        key, turn = (event.side, event.op), self._turn
        self._scored[key] += event.amount
        self._demand(event.amount > 0, f"9: {event.amount}VP scored")
        if event.op == "primary":
            kind = self._game.state.choices[primary_key(event.side)]
            self._demand(event.at_end and event.amount * 2 - self._scored[event.side, kind] in (0, 1), "9: primary op")
            return
        self._demand(self._scored[key] <= MOST_VP, f"9: {event.side} has {self._scored[key]}VP from the {event.op} op")
        self._demand(turn >= 2 or event.op == "kill", f"9: {event.op} op scored in turning point {turn}")
        if not event.at_end:
            self._in_turn[(*key, turn)] += event.amount
            most = self._most_per_turn(event.side, event.op)
            scored = self._in_turn[(*key, turn)]
            self._demand(scored <= most, f"9: {scored}VP from the {event.op} op in one turning point, at most {most}")

    def _most_per_turn(self, side: Side, op: str) -> int:
        choices = self._game.state.choices
        if op == "kill":
            return MOST_VP
        return (CRIT_OPS[choices[CRIT_OP]] if op == "crit" else TAC_OPS[choices[tac_key(side)]]).most_per_turn

    # -- secrets -------------------------------------------------------------------------------------

    def _hide(self) -> dict[Side, type[TacOp]]:
        """The tac ops the opponent does not know yet; none when both chose the same, as it is named for one anyhow."""
        choices = self._game.state.choices
        if len({choices.get(tac_key(side), side) for side in SIDES}) == 1:
            return {}
        return {
            side: TAC_OPS[choices[tac_key(side)]]
            for side in SIDES
            if tac_key(side) in choices and revealed_key(side) not in choices
        }

    def _read(self, text: str, where: str, owner: Side | None = None) -> None:
        for side, op in self._hidden.items():
            if side == owner or not text:
                continue
            for word in (op.name, op.id):
                if word in text and re.search(rf"\b{re.escape(word)}\b", text):
                    self._demand(False, f"secret: {where} names {side}'s tac op: {text}")

    def _read_decision(self, decision: Decision[object]) -> None:
        owner = None if decision.seat == "chance" else decision.seat
        self._read(decision.prompt, "a prompt", owner if decision.secret else None)
        if isinstance(decision, (Pick, PickSome)) and decision.topic not in ("tac op", CRIT_OP):
            for option in decision.options:
                words = f"{option.text} {option.rule} {option.refusal or ''}"
                self._read(words, "an option", owner if option.secret or decision.secret else None)

    def _between_secrets(self, told: list[Event]) -> None:
        """While anybody still chooses in secret, nothing tells what was chosen in secret before."""
        before, now = self._asked, self._game.pending
        if before is None or now is None or not (before.secret and now.secret):
            self._held = []
            return
        self._tally.counts[SECRETS] += before.seat != now.seat
        self._held += self._chosen(before, self._game.answers[-1])
        for text in self._held:
            for event in told:
                words = event.words(self._game.battle.name)
                self._demand(text not in words, f"secret: {text!r} is told before the other has chosen: {words}")
            self._demand(text not in now.prompt, f"secret: {text!r} is in the other's prompt")

    def _chosen(self, decision: Decision[object], answer: object) -> Iterator[str]:
        if isinstance(decision, (Pick, PickSome)):
            keys = answer if isinstance(answer, tuple) else (answer,)
            yield from (option.text for option in decision.options if option.key in keys)

    # -- state ---------------------------------------------------------------------------------------

    def look(self, told: list[Event], is_between: bool) -> None:
        """After an answer; *is_between*: between two actions, when everything is settled."""
        state = self._game.state
        sums = Counter[str]()
        for line in state.sheet:
            sums[line.side] += line.amount
        self._demand(all(sums[side] == state.vp[side] for side in SIDES), f"9: VP {state.vp}, the sheet says {sums}")
        self._between_secrets(told)
        if (pending := self._game.pending) is not None and self._hidden:
            self._read_decision(pending)
        self._asked = pending
        for marker in state.markers.values() if is_between else ():
            self._demand(all(count > 0 for count in marker.tokens.values()), f"markers: {marker.id} {marker.tokens}")
            rightly = self._game.battle.controller(marker)
            self._demand(marker.controller == rightly, f"markers: {marker.id} is controlled by {rightly}")
            if marker.carrier is None:
                continue
            carrier = state.operatives[marker.carrier]
            self._demand(carrier.is_in_killzone, f"markers: {carrier.name} is gone and carries {marker.id}")
            self._demand(
                marker.owner in (None, carrier.side), f"markers: {carrier.name} carries {marker.id} of the enemy"
            )
            carried = len(state.carried_by(carrier.id))
            self._demand(carried <= MOST_CARRIED, f"markers: {carrier.name} carries {carried}")
