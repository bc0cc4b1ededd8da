"""A package that brings a bot, an op, a weapon rule and a team with a ploy of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ktsim.game.bots import BotKind
from ktsim.game.players import Sampler
from ktsim.rules.engine.attack import WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.state import SIDES, OperativeState
from ktsim.rules.kt24.ops.op import CritOp
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES
from ktsim.rules.teams.classes.register import StrategyPloy, team_rule

BOT = BotKind("dicer", "Throws dice for everything.", lambda seed, level, seconds: Sampler(seed))
TEAM = Path(__file__).parent / "tin-larks.yaml"


class Picnic(CritOp):
    key, name, id, text = "picnic", "Picnic", "SAMPLE-PICNIC", "1VP each for having come."

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        for side in SIDES:
            yield from self.score(battle, side, 1, "a nice day")


@KT24_WEAPON_RULES.add("SAMPLE-KEEN", "Keen {x}+")
@dataclass(frozen=True)
class Keen(WeaponRule):
    x: int

    def critical_on(self) -> int:
        return self.x


@team_rule("sample-whet")
class Whet(StrategyPloy):
    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        return ("Keen 5+",) if self.is_mine(who) and self.is_in_force(battle) else ()
