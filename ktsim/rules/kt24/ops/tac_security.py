"""Tac ops of Security: Plant Banner, Martyrs, Envoy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import cos, pi, sin
from random import Random

from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Footprint
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, pick
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.markers import refuses_marker
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import MarkerAppeared, MarkerTokenSet, TokenChanged
from ktsim.rules.engine.rule import Draw, Gambit
from ktsim.rules.engine.state import MarkerState, OperativeState, Point, Side, inches, milli, other
from ktsim.rules.engine.table import CONTROL_RANGE, contests
from ktsim.rules.kt24.ops.op import (
    KEEP,
    OpAction,
    TacOp,
    contesting,
    is_wholly_in_enemy_territory,
    neutral_edge_distance,
    objectives,
    territory_draw,
    with_token,
)
from ktsim.sight.scene import EPS

EDGE_DISTANCE = 5.0
RINGS, AROUND = 6, 48
"""Places about an operative that are tried for its banner: so many rings of so many."""
CONTESTED, CONTROLLED = 1, 2
"""What a martyr's token pays where friends contest the objective, and where they control it."""


def banner_id(side: Side) -> str:
    return f"banner-{side}"


def is_in_enemy_territory(battle: Battle, side: Side, point: Point) -> bool:
    """Whether a banner of *side* would lie wholly within the enemy territory at a point."""
    return is_wholly_in_enemy_territory(battle, side, Footprint.disc(point, inches(MARKER_RADIUS)))


def refuses_banner(battle: Battle, side: Side, point: Point) -> str | None:
    """Why a banner cannot be planted at a point."""
    radius = inches(MARKER_RADIUS)
    if not is_in_enemy_territory(battle, side, point):
        return "The banner would not be wholly within the enemy territory."
    if neutral_edge_distance(battle, point, radius) <= EDGE_DISTANCE + EPS:
        return 'The banner must be more than 5" from a neutral edge.'
    return None


class RaiseBanner(OpAction):
    name, id, is_of_tac_op = "Plant Banner", "KT24-OP-PLANT-BANNER", True

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if banner_id(who.side) in battle.state.markers:
            return "Plant Banner: once per battle."
        if any(self.refuses_place(battle, who, point) is None for point in self.around(battle, who)):
            return None
        return 'Plant Banner: no place wholly within enemy territory and more than 5" from a neutral edge.'

    def refuses_place(self, battle: Battle, who: OperativeState, point: Point) -> str | None:
        banner = MarkerState(banner_id(who.side), "banner", *point, MARKER_RADIUS)
        return refuses_banner(battle, who.side, point) or refuses_marker(battle, who, banner, point)

    def around(self, battle: Battle, who: OperativeState) -> Iterator[Point]:
        """Places about the operative, its own first, unless the enemy territory is out of its reach."""
        yield who.point
        far = battle.table.radius(who) + CONTROL_RANGE + inches(MARKER_RADIUS)
        if Footprint.disc(who.point, far).gap(battle.territory(other(who.side))) > 0:
            return
        for ring, number in product(range(RINGS, 0, -1), range(AROUND)):
            step, turn = milli(far) * ring // RINGS - 2, 2 * pi * number / AROUND
            yield (who.x + round(step * cos(turn)), who.y + round(step * sin(turn)), who.level)

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        def places() -> Iterator[Point]:
            return (point for point in self.around(battle, who) if self.refuses_place(battle, who, point) is None)

        if (first := next(places(), None)) is None:
            raise Impossible("there is no place for the banner")

        def suggest(rng: Random) -> Point:
            return rng.choice(list(places()))

        point = yield from ask(
            Place(
                seat=who.side,
                topic="plant banner",
                prompt=f"{who.name} plants the banner within its control range.",
                default=first,
                refuse=lambda point: self.refuses_place(battle, who, point),
                suggest=suggest,
                rule=self.id,
            )
        )
        told = f"{who.name} plants the banner."
        yield MarkerAppeared(banner_id(who.side), "banner", point, MARKER_RADIUS, True, told=told)


class PlantBanner(TacOp):
    """Anybody may pick the banner up; while it is carried it does not count."""

    key, name, id, archetype = "plant-banner", "Plant Banner", RaiseBanner.id, "security"
    text = "Plant a banner deep in the enemy territory. 1VP while you control it there, 2VP if no enemy contests it."
    usual_vp = 2.6

    def own_actions(self) -> Sequence[Action]:
        return (RaiseBanner(),)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        if who.side != self.side or banner_id(self.side) in battle.state.markers:
            return ()
        return (territory_draw(battle, who, 1.0),)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        banner = battle.state.markers.get(banner_id(self.side))
        if banner is None or banner.carrier is not None or banner.controller != self.side:
            return
        if not is_in_enemy_territory(battle, self.side, banner.point):
            return
        is_contested = bool(contesting(battle, self.enemy, banner))
        reason = "the banner stands" if is_contested else "the banner stands uncontested"
        yield from self.score(battle, self.side, 1 if is_contested else 2, reason)


class Martyrs(TacOp):
    """Tokens lie on objective markers, one of each operative in a battle. Which and how many are removed is the
    player's choice: one that is kept may pay more later. Those that the limits leave no VP for stay."""

    key, name, id, archetype = "martyrs", "Martyrs", "KT24-OP-MARTYRS", "security"
    text = (
        "Friends that fall contesting an objective leave tokens there. Remove them while friends contest it: 1VP each, "
        "2VP if you control it."
    )
    usual_vp = 1.2

    @property
    def token(self) -> str:
        return f"martyr:{self.side}"

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        if who.side != self.side or battle.state.notes.get(note := f"martyr:{who.id}"):
            return
        found = {m.id: m for m in objectives(battle) if contests(battle.table, battle.state, who, m)}
        if not found:
            return
        yield from self.reveal(battle)
        options = [Option(id, battle.name(id)) for id in found]
        prompt = f"Where does {who.name} leave its token?"
        marker = yield from pick(self.side, "martyr", prompt, options, found)
        told = f"{who.name} leaves a token on {{0}}."
        yield MarkerTokenSet(marker.id, self.token, marker.tokens.get(self.token, 0) + 1, told)
        yield Noted(note, 1)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        markers = battle.state.markers
        while (room := self.room(battle, self.side)) and (worth := self.worth(battle)):
            best = max(worth, key=lambda id: (min(room, worth[id]), -worth[id]))
            options = [Option(id, f"{battle.name(id)} ({worth[id]}VP)") for id in worth]
            options.append(KEEP)
            prompt, keys = "Martyrs: where is a token removed?", {option.key: option.key for option in options}
            chosen = yield from pick(self.side, "martyr token", prompt, options, keys, default=best)
            if chosen == KEEP.key:
                return
            yield MarkerTokenSet(chosen, self.token, markers[chosen].tokens[self.token] - 1)
            reason = f"a token on {battle.name(chosen)}" + (", controlled" if worth[chosen] == CONTROLLED else "")
            yield from self.score(battle, self.side, worth[chosen], reason)

    def worth(self, battle: Battle) -> dict[str, int]:
        """The markers on which a token can be removed now, and what each pays."""
        found = [m for m in with_token(battle, self.token) if contesting(battle, self.side, m)]
        return {m.id: CONTROLLED if m.controller == self.side else CONTESTED for m in found}


class Envoy(TacOp):
    """The envoy of a turning point is named by a gambit from the second on; nobody is envoy twice, and nobody who does
    not count for the kill op."""

    key, name, id, archetype = "envoy", "Envoy", "KT24-OP-ENVOY", "security"
    text = "Name a new envoy every turning point. 1VP if it ends in enemy territory, not engaged; 2VP if unhurt too."
    usual_vp = 1.1

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        return (territory_draw(battle, who, 2.0),) if who.side == self.side and who.tokens.get("envoy") else ()

    def gambits(self, battle: Battle, side: Side) -> Sequence[Gambit]:
        if side != self.side or not self.is_scored(battle):
            return ()
        friends = battle.state.side(side)
        refusal = None
        if any(who.tokens.get("envoy") for who in battle.state.operatives.values() if who.side == side):
            refusal = "Envoy: named in this turning point."
        elif not self.candidates(battle):
            refusal = "Envoy: nobody is left who has not been envoy." if friends else "Envoy: nobody is left."
        secret = not self.is_revealed(battle)
        perform = partial(self.name_envoy, battle)
        return (Gambit(self.key, "Name the envoy", perform, refusal, self.id, secret),)

    def candidates(self, battle: Battle) -> list[OperativeState]:
        friends = battle.state.side(self.side)
        return [who for who in friends if not who.tokens.get("former envoy") and battle.counts_for_kills(who)]

    def name_envoy(self, battle: Battle) -> Steps[None]:
        yield from self.reveal(battle)
        found = {who.id: who for who in self.candidates(battle)}
        options = [Option(who.id, who.name) for who in found.values()]
        who = yield from pick(self.side, "envoy", "Who is the envoy?", options, found)
        yield TokenChanged(who.id, "envoy", 1, "{0} is the envoy.")

    def ready_step(self, battle: Battle) -> Steps[None]:
        for who in battle.state.operatives.values():
            if who.side == self.side and who.tokens.get("envoy"):
                yield TokenChanged(who.id, "envoy", -1, "")
                yield TokenChanged(who.id, "former envoy", 1, "")

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        for who in battle.state.side(self.side):
            if not who.tokens.get("envoy") or battle.engaged_with(who):
                continue
            if is_wholly_in_enemy_territory(battle, self.side, battle.footprint(who)):
                is_unhurt = who.wounded_in != battle.state.turning_point
                reason = f"{who.name} in enemy territory" + (", unhurt" if is_unhurt else "")
                yield from self.score(battle, self.side, 2 if is_unhurt else 1, reason)
