"""What is answered for a player who wants to be at the first activation at once: what was chosen last time with the
same team, else what suits the killzone or pays well as a rule, else whatever the rules suggest."""

from __future__ import annotations

from typing import Any

from ktsim.app.play.helping import usual_answer
from ktsim.app.play.last_choices import keep_choices, last_choices
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, PickSome
from ktsim.rules.engine.state import Side
from ktsim.rules.kt24.equipment.register import EQUIPMENT
from ktsim.rules.kt24.ops.register import TAC_OPS

KEPT = ("operatives", "equipment", "tac op", "primary op", "scouting")
"""The choices of set-up that are remembered, by team."""
PHASES = ("set-up", "initiative", "ready", "gambit")
USUAL = {"scouting": "ploy", "scout": "none", "primary op": "crit"}


def _kind(battle: Battle, side: Side) -> str:
    return f"prepared {battle.teams[side].name}"


def note_choice(battle: Battle, decision: Decision[Any], answer: Any) -> None:
    """Remember what a player has chosen, for the next game with the same team."""
    if decision.topic in KEPT and decision.seat != "chance":
        kind, words = _kind(battle, decision.seat), answer if isinstance(answer, str) else ",".join(answer)
        keep_choices(kind, {**last_choices(kind), decision.topic: words})


def may_prepare(decision: Decision[Any], battle: Battle) -> bool:
    """Whether everything up to the first activation can be answered for whoever is asked."""
    state = battle.state
    return decision.seat != "chance" and state.turning_point <= 1 and state.phase in PHASES


def prepared_answer(decision: Decision[Any], battle: Battle, number: int) -> Any:
    """The answer to a question before the first activation; raises ``ValueError`` where there is no place left."""
    known = last_choices(_kind(battle, decision.seat)).get(decision.topic) if decision.seat != "chance" else None
    if known is not None:
        answer: Any = tuple(filter(None, known.split(","))) if isinstance(decision, PickSome) else known
        if decision.check(answer) is None:
            return answer
    if isinstance(decision, PickSome) and decision.topic == "equipment":
        return suggested_equipment(decision, battle)
    if isinstance(decision, Pick) and decision.topic == "tac op":
        return max(decision.open_keys, key=lambda key: TAC_OPS[key].usual_vp if key in TAC_OPS else 0.0)
    usual = USUAL.get(decision.topic)
    if isinstance(decision, Pick) and usual in decision.open_keys:
        return usual
    return usual_answer(decision, number)


# -- equipment by killzone ---------------------------------------------------------------------------


def suits(battle: Battle, key: str) -> tuple[float, str]:
    """How much more (or less) a piece of equipment is worth on this killzone than elsewhere, and why."""
    terrain = battle.board.terrain
    parts = [part for feature in terrain.features for part in feature.parts]
    if terrain.walls:
        close = {
            "utility-grenades": (0.35, "rooms and doors"),
            "explosive-grenades": (0.2, "rooms and doors"),
            "mines": (0.2, "narrow ways"),
            "razor-wire": (0.2, "narrow ways"),
            "breaching-charge": (0.4, "walls to breach"),
        }
        return close.get(key, (-0.2, "") if "barricade" in key or key == "ladders" else (0.0, ""))
    has_vantage = any("vantage" in part.traits for part in parts)
    if key == "ladders":
        return (0.45, "Vantage to climb to") if has_vantage else (-0.2, "")
    if not parts and ("barricade" in key or key == "utility-grenades"):
        return 0.4, "no cover on this board"
    return 0.0, ""


def suggested_equipment(decision: PickSome, battle: Battle) -> tuple[str, ...]:
    """As many as may be chosen, what is of most use on this killzone first; a roster that names its own keeps it."""
    if decision.seat != "chance" and battle.teams[decision.seat].equipment and decision.default is not None:
        return tuple(decision.default)
    keys = [option.key for option in decision.options if option.refusal is None]

    def worth(key: str) -> float:
        return (EQUIPMENT[key].worth if key in EQUIPMENT else 0.3) + suits(battle, key)[0]

    best = sorted(keys, key=lambda key: -worth(key))[: decision.most]
    return tuple(key for key in keys if key in best)
