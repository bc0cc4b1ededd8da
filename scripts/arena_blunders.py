"""What nobody should do, counted while a game is played: for nothing, where attacks and VP are something."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ktsim.game.bots.view import BattleView, Budget
from ktsim.game.game import Game
from ktsim.game.mission_sheet import mission_sheet
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.decisions import Decision, Pick
from ktsim.rules.engine.events import Event, VpScored
from ktsim.rules.engine.operative_events import ActionBegan, ActivationBegan, ActivationEnded, ControlChanged, Moved
from ktsim.rules.engine.ploys import ploy_cost
from ktsim.rules.engine.state import MarkerState, OperativeState, Side
from ktsim.rules.engine.table import contests

ATTACKS = ("Shoot", "Fight", "Charge")
LETHAL = 0.5
"""The chance to be incapacitated by one ready enemy's shot from where it stands that counts as lethal."""
NEAR = 3.0
"""Inches within which somebody still looks after an objective marker."""

KINDS = ("passed engaged", "engage for nothing", "lethal danger", "free ploy unused", "objective left")


class Blunders:
    """Counts for both sides. ``before`` hears every answer before it is given, ``after`` what came of it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._counts: Counter[tuple[Side, str]] = Counter()
        self._held: dict[str, Side | None] = {}
        self._held_before: dict[str, Side | None] = {}
        """Who controlled which marker when the activation began."""
        self._paid_before = 0
        self._left: list[str] = []
        """Objective markers that whoever is being activated has ceased to control by moving."""
        self._done: list[str] = []
        self._has_moved = self._has_gained = False

    def found(self, side: Side) -> dict[str, int]:
        return {kind: self._counts[side, kind] for kind in ("activations", *KINDS)}

    def before(self, decision: Decision[Any], answer: Any) -> None:
        if not isinstance(decision, Pick) or decision.seat == "chance":
            return
        battle, side = self._game.battle, decision.seat
        if decision.topic == "action" and answer == "pass" and "Fight" in decision.open_keys:
            now = self._game.state.activation
            assert now is not None
            is_worth_it = BattleView(battle, Budget(0)).best_fight(now.operative)[0] > 0
            self._counts[side, "passed engaged"] += is_worth_it
        if decision.topic == "gambit" and answer == "pass":
            free = [
                p for p in battle.teams[side].ploys if p.id in decision.open_keys and not ploy_cost(battle, side, p)
            ]
            self._counts[side, "free ploy unused"] += bool(free)

    def after(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, ActivationBegan):
                self._done, self._left, self._has_moved, self._has_gained = [], [], False, False
                self._held_before = dict(self._held)
                self._paid_before = self._paid(self._who(event.operative).side)
                if event.kind == "activation":
                    self._counts[self._who(event.operative).side, "activations"] += 1
            elif isinstance(event, ActionBegan):
                self._done.append(Action.counted_as(event.action))
            elif isinstance(event, Moved):
                self._has_moved = True
            elif isinstance(event, VpScored):
                self._has_gained = True
            elif isinstance(event, ControlChanged):
                self._lost_control(event)
                self._held[event.marker] = event.controller
            elif isinstance(event, ActivationEnded):
                self._ended(self._who(event.operative))

    def _who(self, id: str) -> OperativeState:
        return self._game.state.operatives[id]

    def _lost_control(self, event: ControlChanged) -> None:
        """Whoever is being activated has left a marker."""
        now, marker = self._game.state.activation, self._game.state.markers[event.marker]
        if now is None or marker.kind != "objective" or marker.carrier is not None or not self._has_moved:
            return
        side = self._who(now.operative).side
        if self._held_before.get(marker.id) == side != event.controller:
            self._left.append(marker.id)

    def _paid(self, side: Side) -> int:
        """VP the ops would pay the side if the turning point ended now."""
        return sum(line.now[side][0] for line in mission_sheet(self._game, side) if side in line.now)

    def _is_deserted(self, marker: MarkerState, side: Side) -> bool:
        """Whether nobody of the side is near enough to look after it."""
        friends = [each for each in self._game.state.side(side) if not each.is_incapacitated]
        gaps = [(f.x - marker.x) ** 2 + (f.y - marker.y) ** 2 for f in friends]
        return marker.controller != side and bool(friends) and min(gaps) > (1000 * NEAR) ** 2

    def _ended(self, who: OperativeState) -> None:
        if not who.is_in_killzone or who.is_incapacitated:
            return
        has_attacked = any(name in ATTACKS for name in self._done)
        if who.order == "engage" and not has_attacked and not self._game.battle.engaged_with(who):
            self._counts[who.side, "engage for nothing"] += 1
        if not (self._has_moved and not has_attacked and not self._has_gained):
            return
        left = [self._game.state.markers[id] for id in self._left if id in self._game.state.markers]
        if any(self._is_deserted(marker, who.side) for marker in left):
            # What was secured pays whether or not somebody stays; nothing pays in the first turning point.
            is_loss = self._game.state.turning_point == 1 or self._paid(who.side) < self._paid_before
            self._counts[who.side, "objective left"] += is_loss
        if not self._is_idle(who):
            return
        view = BattleView(self._game.battle, Budget(100))
        enemies = [enemy for enemy in self._game.state.enemies(who.id) if enemy.is_ready]
        if any(view.kill_chance(enemy.id, who.id) >= LETHAL for enemy in enemies):
            self._counts[who.side, "lethal danger"] += 1

    def _is_idle(self, who: OperativeState) -> bool:
        """Whether it neither holds nor carries anything nor has performed an action other than moving."""
        battle, state = self._game.battle, self._game.state
        known = {action.name: action for action in battle.actions(who)}
        acted = [name for name in self._done if name in known and not known[name].is_move]
        markers = state.markers.values()
        return not acted and not any(contests(battle.table, state, who, marker) for marker in markers)
