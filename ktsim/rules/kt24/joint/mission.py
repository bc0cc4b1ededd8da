"""What the joint missions share: set-up, whose turn it is, who comes in when, and how a mission ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from ktsim import paths
from ktsim.content.yaml_tree import read_tree
from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask
from ktsim.rules.engine.events import Chosen, CpChanged, InitiativeGiven, Noted, PhaseBegan, Told
from ktsim.rules.engine.mission import Mission, objective_markers
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Point, Side, milli
from ktsim.rules.engine.turn import give_initiative, roll_off, take_turn
from ktsim.rules.kt24.equipment.register import equipment_rules
from ktsim.rules.kt24.joint.alert import PATROL, AlertRule, alert_of, raise_alarm
from ktsim.rules.kt24.joint.sides import MACHINE, PARTNERS, PLAYERS, is_second, non_players
from ktsim.rules.kt24.joint.spawning import comes_in, posted
from ktsim.rules.kt24.packs.set_up import choose_force, deploy, operatives_key, set_up_equipment, take_force
from ktsim.rules.kt24.turn import PHASES, counteract, ready

DIFFICULTIES = ("easy", "normal", "hard")
USUAL_DIFFICULTY = "normal"
POSTED, LAST_PARTNER = "posted", "last partner"
"""Notes: that the guards are set up, and which player has activated somebody last (1 or 2)."""


@lru_cache(maxsize=1)
def joint_data() -> dict[str, Any]:
    """The missions' texts and forces by key."""
    found: dict[str, Any] = read_tree(paths.assets() / "missions" / "joint-ops.yaml").plain()
    return found


class JointMission(Mission, ABC):
    """A mission against operatives nobody plays."""

    key: ClassVar[str]
    id: ClassVar[str]
    edition = "kt24"
    selects_operatives = True
    machine_team = "non-player-operatives"

    def __init__(self, crit_op: str = "", difficulty: str = "", is_shared: bool = False) -> None:
        super().__init__(crit_op, difficulty or USUAL_DIFFICULTY, is_shared)
        self.phases = {
            **PHASES,
            "set-up": self.set_up,
            "initiative": self.initiative,
            "ready": self.ready,
            "firefight": self.firefight,
        }

    @property
    def _force(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, dict[str, list[str]]] = joint_data()[self.key]["force"][self.difficulty]
        return found

    # -- what is played for --------------------------------------------------------------------------

    @abstractmethod
    def is_accomplished(self, battle: Battle) -> bool:
        """Whether the players have what the mission asks for, as things stand."""

    def is_lost(self, battle: Battle) -> bool:
        """Whether the mission can no longer be accomplished: nobody is left to do it."""
        return battle.state.turning_point > 0 and not battle.state.side(PLAYERS)

    def winner(self, battle: Battle) -> str:
        return PLAYERS if self.is_accomplished(battle) and not self.is_lost(battle) else MACHINE

    def is_decided(self, battle: Battle) -> bool:
        return self.is_lost(battle)

    def battle_ends(self, battle: Battle) -> Steps[None]:
        yield Told(f"{self.ending(battle)}: {self.name}.", self.id)

    def ending(self, battle: Battle) -> str:
        won = battle.state.winner == PLAYERS if battle.state.winner else self.winner(battle) == PLAYERS
        return "Mission accomplished" if won else "Mission failed"

    def about(self, battle: Battle) -> str:
        return str(joint_data()[self.key]["text"])

    def note(self, battle: Battle) -> str:
        counts = dict.fromkeys(("unaware", "searching", "alerted"), 0)
        for who in non_players(battle):
            counts[alert_of(who)] += 1
        known = ", ".join(f"{count} {level}" for level, count in counts.items() if count) or "none"
        return f"Difficulty {self.difficulty}. Enemies in the killzone: {known}. {self._coming(battle)}"

    def _coming(self, battle: Battle) -> str:
        number = battle.state.turning_point + 1
        kinds = self.wave(number)
        if not kinds:
            return "No more are expected next turning point."
        alarm = " once anybody is alerted" if self._needs_alarm else ""
        return f"Turning point {number} brings {len(kinds)} more{alarm}."

    # -- before the battle ---------------------------------------------------------------------------

    def refuses_board(self, board: Board) -> str | None:
        return None if board.objectives else "has no objective markers; this mission needs at least 1"

    def markers(self, board: Board) -> list[MarkerState]:
        return objective_markers(board)

    def chosen(self, choices: Mapping[str, str]) -> Sequence[Rule]:
        return [AlertRule(), *equipment_rules(choices)]

    def set_up(self, battle: Battle) -> Steps[None]:
        """One step of set-up: what the players take, who has whom, equipment, operatives, guards."""
        state = battle.state
        if state.initiative is None:
            yield InitiativeGiven(PLAYERS)
        elif operatives_key(PLAYERS) not in state.choices:
            operatives, equipment = yield from choose_force(battle, PLAYERS)
            yield from take_force(battle, PLAYERS, operatives, equipment)
            for side in SIDES:
                yield CpChanged(side, battle.edition.starting_cp, "start of the battle")
        elif self.is_shared and PARTNERS not in state.choices:
            yield from share(battle)
        elif (todo := set_up_equipment(battle) or deploy(battle)) is not None:
            yield from todo
        elif POSTED not in state.notes:
            yield from self.post_guards(battle)
        else:
            yield PhaseBegan("initiative", 1, None)

    def posts(self, battle: Battle) -> list[Point]:
        """The markers guards watch over, the one nearest to the players' drop zone first."""
        zone = battle.drop_zone(PLAYERS)
        x, y = (milli(sum(values) / len(zone)) for values in zip(*zone, strict=True))
        points = [marker.point for marker in battle.state.markers.values()]
        return sorted(points, key=lambda point: (length(point[0] - x, point[1] - y), point))

    def post_guards(self, battle: Battle) -> Steps[None]:
        """JOINT-SPAWN: guards beside the markers they watch over."""
        posts = self.posts(battle)
        for number, kinds in self._force["guards"].items():
            for kind in kinds:
                yield from posted(battle, kind, posts[min(int(number), len(posts)) - 1])
        yield Noted(POSTED, 1)

    # -- turning points ------------------------------------------------------------------------------

    def initiative(self, battle: Battle) -> Steps[None]:
        """The players begin; later a roll-off decides, which they win if it is a tie (JOINT-TURN)."""
        state = battle.state
        if state.turning_point >= 2:
            winner = yield from roll_off(battle, tie=PLAYERS)
            if winner == PLAYERS:
                yield from give_initiative(battle, winner)
            else:
                yield InitiativeGiven(winner)
        yield PhaseBegan("ready", state.turning_point, None)

    @property
    def _needs_alarm(self) -> bool:
        return bool(joint_data()[self.key]["waves_need_alarm"])

    def wave(self, turning_point: int) -> list[str]:
        """The kinds of those that come in then."""
        return self._force["waves"].get(str(turning_point), [])

    def ready(self, battle: Battle) -> Steps[None]:
        """The alarm is raised and whoever is due comes in, before everybody is ready."""
        is_alarmed = not self._needs_alarm or any(alert_of(who) == "alerted" for who in non_players(battle))
        yield from raise_alarm(battle)
        for kind in self.wave(battle.state.turning_point) if is_alarmed else ():
            yield from comes_in(battle, kind, is_alerted=True)
        yield from ready(battle)

    def firefight(self, battle: Battle) -> Steps[None]:
        yield from take_turn(battle, react)

    def next_ready(self, battle: Battle, side: Side) -> Sequence[OperativeState]:
        """JOINT-SHARE: two players take turns, the first one first, as long as both have somebody ready."""
        found = battle.ready(side)
        if not self.is_shared or side != PLAYERS:
            return found
        was_second = battle.state.notes.get(LAST_PARTNER, 2) == 2
        due = [who for who in found if is_second(battle.state, who.id) != was_second]
        return due or found

    def activation_begins(self, battle: Battle, who: OperativeState) -> Steps[None]:
        if self.is_shared and who.side == PLAYERS:
            yield Noted(LAST_PARTNER, 2 if is_second(battle.state, who.id) else 1)

    def behaviour(self, battle: Battle, who: OperativeState) -> tuple[str, ...]:
        level = alert_of(who)
        if level == "alerted":
            return battle.card(who).behaviour
        if level == "searching":
            return ("open-way", "search", "dash")
        return ("patrol",) if battle.state.notes.get(PATROL, 6) > 2 else ("wait",)


def react(battle: Battle, side: Side) -> Steps[None]:
    """Whom nobody plays does not counteract (JOINT-TURN)."""
    if side == PLAYERS:
        yield from counteract(battle, side)


def share(battle: Battle) -> Steps[None]:
    """JOINT-SHARE: which operatives are the second player's: half of them, rounded down."""
    mine = [who for who in battle.state.operatives.values() if who.side == PLAYERS]
    half = len(mine) // 2
    answer = yield from ask(
        PickSome(
            seat=PLAYERS,
            topic="partners",
            prompt=f"Which {half} operatives are the second player's?",
            options=tuple(Option(who.id, who.name) for who in mine),
            least=half,
            most=half,
            default=tuple(who.id for who in mine[1::2])[:half],
        )
    )
    names = ", ".join(battle.name(id) for id in answer)
    yield Chosen(PARTNERS, ",".join(answer), f"The second player has {names or 'nobody'}.")
