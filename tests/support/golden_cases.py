"""Small games told in words, kept as text and reviewed as a diff. ``scripts/golden`` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine_help import Answers, Field, acting, at, melee, ranged

from ktsim.game.game import Game
from ktsim.game.setup import Setup, prepare
from ktsim.game.story import Teller
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, PickSome, Place, Roll, Steps, Walk
from ktsim.rules.engine.events import Settled
from ktsim.rules.kt21 import fight as lite_fighting
from ktsim.rules.kt21 import moves as lite_moves
from ktsim.rules.kt21 import shoot as lite_shooting
from ktsim.rules.kt21 import turn as lite_turn
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.equipment.register import EQUIPMENT
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import firefight

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def transcript(game: Game, answers: Answers) -> str:
    """Every question with its answer, and what happened."""
    teller = Teller(game)
    lines = [*teller.tell(game.events)]
    while game.pending is not None:
        decision = game.pending
        answer = answers(decision)
        lines.append(f"        ? {decision.seat}: {decision.prompt} -> {shown(decision, answer)}")
        lines += teller.tell(game.submit(answer))
    answers.done()
    return "\n".join(lines) + f"\n{game.digest()}\n"


def shown(decision: Decision[Any], answer: Any) -> str:
    if isinstance(decision, Roll):
        return " ".join(map(str, answer))
    if isinstance(decision, (Pick, PickSome)):
        texts = {option.key: option.text for option in decision.options}
        keys = (answer,) if isinstance(answer, str) else answer
        return ", ".join(texts[key] for key in keys) or "nobody"
    if isinstance(decision, Place):
        return place(answer)
    assert isinstance(decision, Walk)
    return ", then ".join(map(place, answer)) or "cancel"


def place(point: tuple[int, int, int]) -> str:
    return f'{point[0] / 1000:g}", {point[1] / 1000:g}"'


def run(field: Field, procedure: Callable[[Battle], Steps[Any]], answers: Answers) -> str:
    return transcript(field.game(procedure), answers)


def one_action(id: str, *actions: Action) -> Callable[[Battle], Steps[None]]:
    return acting(id, *actions)


def shoot() -> str:
    gun = ranged("Balanced", "Rending", "Piercing Crits 1", key="long-gun")
    field = Field().add("asha", "red", (3, 11), gun).add("brome", "blue", (14, 11), wounds=11, save=3)
    field.table.rulings[("asha", "brome")] = {"in_cover": True}
    field.state.cp = {"red": 1, "blue": 1}
    answers = Answers(
        [(1, 2, 4, 6), (4,), (1,), (6,)],
        {"reroll": ["Balanced 1", "keep", "Command Re-roll 1"], "rending": "yes", "cover": "1"},
    )
    return run(field, one_action("asha", Shoot()), answers)


def obscured() -> str:
    field = Field().add("asha", "red", (3, 11), ranged("Lethal 5+", "Severe")).add("brome", "blue", (20, 11), save=4)
    field.state.operatives["asha"].wounds = 4
    field.table.rulings[("asha", "brome")] = {"is_obscured": True, "in_cover": True, "defender_chooses": True}
    answers = Answers([(6, 5, 4, 3), (2, 3, 5)], {"cover or obscured": "obscured", "discard": "4"})
    return run(field, one_action("asha", Shoot()), answers)


def fight() -> str:
    field = Field().add("asha", "red", (3, 11), melee("Shock", key="axe", damage=(4, 6)), wounds=9)
    field.add("brome", "blue", (10, 11), melee("Brutal", key="maul", hit=3, damage=(4, 5)), wounds=12)
    field.add("corin", "red", (11.5, 11))
    answers = Answers(
        [(3, 4, 6, 1), (6, 3, 3, 2)],
        {"move": (at(8.2, 11),), "resolve": ["strike c", "strike c", "strike n", "strike n"]},
    )
    return run(field, one_action("asha", Charge(), Fight()), answers)


def counteract() -> str:
    field = (
        Field().add("asha", "red", (3, 11), is_ready=False).add("brome", "blue", (14, 11)).add("dell", "blue", (20, 5))
    )

    def procedure(battle: Battle) -> Steps[None]:
        for _ in range(4):
            yield from firefight(battle)

    answers = Answers(
        [(3, 3, 1, 1), (1, 1, 5)],
        {
            "counteract": "asha",
            "action": ["Shoot", "pass", "pass"],
            "target": "brome",
            "activate": "dell",
            "order": ["conceal", "engage"],
        },
    )
    return run(field, procedure, answers)


def blast() -> str:
    gun = ranged('Blast 2"', "Hot", "Limited 1", key="mortar", hit=4)
    field = Field().add("asha", "red", (3, 11), gun, wounds=8).add("brome", "blue", (14, 11), wounds=5)
    field.add("dell", "blue", (15.5, 11), order="conceal", wounds=5).add("corin", "red", (14, 13.2), wounds=3)
    field.marker("beacon", (0, 0), can_be_picked_up=True, carrier="brome")
    field.table.rulings[("asha", "brome")] = {"in_cover": True}
    answers = Answers(
        [(6, 4, 4, 1), (1, 2), (4, 4, 1, 1), (1, 1), (5, 5, 2, 2), (6, 2), (3,)],
        {"target": "brome", "blast": "dell", "place marker": [at(14, 10)]},
    )
    return run(field, one_action("asha", Shoot()), answers)


def before_the_firefight(battle: Battle) -> Steps[None]:
    """Set-up and the first Strategy phase."""
    while battle.state.phase != "firefight":
        yield from battle.mission.phases[battle.state.phase](battle)
        yield Settled()


def set_up() -> str:
    """A set-up by the first pack: red gives the initiative away, blue swaps the drop zones, both scout."""
    setup = Setup(board="open", table="plain", mission="approved-ops-2024", crit_op="orb", blue="keelwrights")
    battle, state = prepare(setup)
    places = {
        "blue": [at(3, 3), at(3, 6), at(3, 9), at(3, 12), at(3, 15)],
        "red": [at(27, 3), at(27, 6), at(27, 9), at(27, 12), at(27, 15), at(27, 18)],
    }
    turns = ["blue"] * 2 + ["red"] * 2 + ["blue"] * 2 + ["red"] * 2 + ["blue"] + ["red"] * 2
    answers = Answers(
        [(5,), (5,), (6,), (2,)],
        {
            "initiative": ["blue"],
            "drop zone": "swapped",
            "tac op": ["plant-banner", "envoy"],
            "set up": [places[side].pop(0) for side in turns],
            "scouting": ["reposition", "ploy"],
            "scout": "blue-riveter-1",
            "move": [(at(7, 6),)],
            "gambit": ["hold-the-light", "primary op", "primary op", "pass", "pass"],
            "primary op": ["tac", "kill"],
        },
    )
    with patch.dict(EQUIPMENT, clear=True):
        return transcript(Game(battle, state, before_the_firefight), answers)


def lite_shoot() -> str:
    gun = ranged("Ceaseless", "Rending", "P1", "Splash 1", key="long-gun")
    field = Field(edition=KT21).add("asha", "red", (3, 11), gun)
    field.add("brome", "blue", (14, 11), wounds=11, save=3, invulnerable=5).add("dell", "blue", (16, 11), wounds=5)
    field.table.rulings[("asha", "brome")] = {"in_cover": True}
    field.state.cp = {"red": 1, "blue": 0}
    answers = Answers(
        [(1, 2, 4, 6), (5,), (3,), (5, 1)],
        {
            "target": "brome",
            "reroll": ["Ceaseless 1", "Command Re-roll 2"],
            "rending": "yes",
            "save": "invulnerable",
            "cover": "1",
        },
    )
    return run(field, one_action("asha", lite_shooting.LiteShoot()), answers)


def lite_fight() -> str:
    field = Field(edition=KT21).add("asha", "red", (3, 11), melee("Stun", "Reap 2", key="axe", damage=(4, 6)), wounds=9)
    field.add("brome", "blue", (10, 11), melee("Brutal", key="maul", hit=3, damage=(4, 5)), wounds=12)
    field.add("corin", "red", (11.5, 11)).add("dell", "blue", (8.2, 13), wounds=6)
    answers = Answers(
        [(3, 4, 6, 1), (6, 3, 3, 2)],
        {
            "move": (at(8.2, 11),),
            "enemy": "brome",
            "resolve": ["strike c", "strike c", "strike n"],
        },
    )
    return run(field, one_action("asha", lite_moves.LiteCharge(), lite_fighting.LiteFight()), answers)


def lite_overwatch() -> str:
    field = Field(edition=KT21).add("asha", "red", (3, 11), ranged(), is_ready=False)
    field.add("brome", "blue", (14, 11)).add("dell", "blue", (20, 5))

    def procedure(battle: Battle) -> Steps[None]:
        for _ in range(4):
            yield from lite_turn.firefight(battle)

    answers = Answers(
        [(3, 4, 6, 1), (1, 1, 5)],
        {"overwatch": "asha", "target": "brome", "activate": "dell", "action": ["Pass", "Pass", "Pass", "Pass"]},
    )
    return run(field, procedure, answers)


CASES: dict[str, Callable[[], str]] = {
    "shoot": shoot,
    "obscured": obscured,
    "fight": fight,
    "counteract": counteract,
    "blast": blast,
    "set-up": set_up,
    "lite-shoot": lite_shoot,
    "lite-fight": lite_fight,
    "lite-overwatch": lite_overwatch,
}


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, case in CASES.items():
        (FOLDER / f"{name}.txt").write_text(case(), encoding="utf-8")


if __name__ == "__main__":
    write()
