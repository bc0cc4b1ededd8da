"""What a moment is for those it is about, as words of the language."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.teams.playing.force import Doing
from ktsim.rules.teams.playing.in_sequences import weapon_of


def as_fallen(
    battle: Battle, one: OperativeState, foe: OperativeState | None
) -> tuple[str, OperativeState, OperativeState | None]:
    """What *one* was doing as somebody fell, in whosever activation: it fought *foe*, retaliated against it, shot it,
    was shot, or none of these."""
    found = ""
    if battle.before is not None and foe is not None:
        if (one.id, foe.id) in battle.fights:
            found = "fighting"
        elif (foe.id, one.id) in battle.fights:
            found = "retaliating"
        elif {one.id, foe.id} & battle.targets:
            now = battle.state.activation  # the shooter may be caught in its own Blast
            is_shooter = foe.id in battle.targets and (
                one.id not in battle.targets or now is None or now.operative == one.id
            )
            found = "shooting" if is_shooter else "shot-at"
    return found, one, foe


def doings(battle: Battle, word: str, moment: Moment) -> list[Doing]:
    """What a moment is for those it is about, as a word of the language sees it."""
    who, other, weapon = moment.who, moment.other, moment.weapon
    if word in ("targeted", "fought"):
        return [] if other is None else [Doing(word, other, who, foe_weapon=weapon)]
    if word == "incapacitates":
        return [] if other is None else [Doing(*as_fallen(battle, other, who), also=(word,))]
    if word in ("rolled", "rolling"):
        if moment.duel is None:
            mine = Doing("shooting", who, other, weapon, also=(word,))
            return [mine, Doing("shot-at", other, who, foe_weapon=weapon, also=(word,))]
        own = weapon_of(battle, who, moment.duel.hands[0])
        answer = weapon_of(battle, other, moment.duel.hands[1])
        return [
            Doing("fighting", who, other, own, answer, also=(word,)),
            Doing("retaliating", other, who, answer, own, also=(word,)),
        ]
    if word == "defending":
        return [Doing(word, other, who, foe_weapon=weapon)]
    if word == "defended":
        return [Doing("shot-at", other, who, foe_weapon=weapon, also=(word,))]
    if word == "has-fought":
        mine, theirs = Doing("fighting", who, other, also=(word,)), Doing("retaliating", other, who, also=(word,))
        return [mine, theirs]
    return [Doing(word, who, other, weapon)]
