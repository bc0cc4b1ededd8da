"""What conditions of team rules ask about the past: of the activation, the action, the sequence."""

from __future__ import annotations

from collections.abc import Iterator

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import EffectBegan
from ktsim.rules.engine.state import Effect, OperativeState, Side, State, Until, other
from ktsim.rules.teams.language.values import Term, Whom
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import is_use_of
from ktsim.rules.teams.playing.conditions import condition, names_of
from ktsim.rules.teams.playing.sequences import TEAM


def remembered(side: Side, what: str, who: OperativeState, by: str = "", until: Until = "turning-point") -> EffectBegan:
    """Something is remembered of the operative, by the rules of *side*."""
    return EffectBegan(Effect(what, TEAM, until, who.id, side, clause=f"past:{what}", by=by))


def was(scene: BoundRule, one: OperativeState, what: str, by: Whom | None = None) -> bool:
    """Whether something is remembered of the operative."""
    return any(
        effect.clause == f"past:{what}"
        and effect.target == one.id
        and effect.side == scene.side
        and (by is None or scene.is_meant(by, scene.state.operatives[effect.by]))
        for effect in scene.state.effects
    )


def remembered_for(term: Term) -> str:
    """What of the past a condition asks that the present activation does not tell."""
    if term.word in ("moved", "did", "killed", "shot") and term.get("during") == "turning-point":
        return term.word
    if any(term.get(each) is not None for each in ("leftover", "more-than", "more-than-stat")):
        return "walked"
    if term.get("fresh"):
        return "did"
    if term.word == "resolve-first":
        return "retaliated"
    return term.word if term.word in ("changed-order", "was-visible", "was-engaged") else ""


def walked(side: Side, who: OperativeState, cost: int, allowance: int) -> EffectBegan:
    """The inches of one move, and what was left of it, are remembered for the activation."""
    left = (f"left={max(0, allowance - cost)}",)
    walk = Effect("walked", TEAM, "activation", who.id, side, amount=cost, clause="past:walked", picked=left)
    return EffectBegan(walk)


def walks(state: State, side: Side, who: OperativeState) -> list[Effect]:
    """What is remembered of its moves in this activation."""
    return [e for e in state.effects if e.clause == "past:walked" and e.target == who.id and e.side == side]


def began(battle: Battle, side: Side, who: OperativeState, asked: frozenset[str]) -> Iterator[EffectBegan]:
    """What is remembered as an activation or counteraction begins, as far as some rule asks about it."""
    if "changed-order" in asked and battle.former_order not in ("", who.order):
        yield remembered(side, f"changed to {who.order}", who, until="activation")
    for one in battle.state.operatives.values() if "was-engaged" in asked else ():
        if one.is_in_killzone and battle.engaged_with(one):
            yield remembered(side, "was engaged", one, until="activation")
    enemies = [each for each in battle.state.side(other(who.side)) if not each.is_incapacitated]
    seen = (battle.table.is_visible(battle.state, each.id, who.id) for each in enemies)
    if "was-visible" in asked and any(seen):
        yield remembered(side, "was visible", who, until="activation")


# -- the activation ----------------------------------------------------------------------------------


@condition("changed-order")
def _changed_order(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return was(scene, one, f"changed to {term.main}")


@condition("was-visible")
def _was_visible(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    now = scene.state.activation
    if now is None or now.operative != one.id:
        raise Unknown("was-visible")
    return was(scene, one, "was visible")


@condition("was-engaged")
def _was_engaged(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return was(scene, one, "was engaged")


@condition("moved", "during", "more-than", "more-than-stat")
def _moved(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if term.get("during") == "turning-point":
        return was(scene, one, "moved")
    if term.get("during") == "action":
        return scene.action is not None and scene.action.is_move
    most = scene.battle.move(one).value if term.get("more-than-stat") else term.get("more-than")
    if most is not None:
        return sum(each.amount for each in walks(scene.state, scene.side, one)) > float(str(most))
    now = scene.state.activation
    return now is not None and now.operative == one.id and bool(now.moves)


# -- the action and the sequence ---------------------------------------------------------------------


@condition("was-wounded")
def _was_wounded(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return _before(scene, one).wounds < scene.battle.card(one).wounds


@condition("hurt", "during")
def _hurt(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Whether it inflicted damage on an enemy in the action that is or was just performed."""
    return any(
        each.side != one.side and each.wounds < _before(scene, each).wounds and each.wounded_by == one.id
        for each in scene.state.operatives.values()
    )


def _before(scene: BoundRule, one: OperativeState) -> OperativeState:
    before = scene.battle.before
    return one if before is None else before.operatives[one.id]


@condition("killed", "during")
def _killed(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if term.get("during") == "turning-point":
        return was(scene, one, "killed")
    if term.get("during") == "action":
        return any(
            each.side != one.side and each.is_incapacitated and each.wounded_by == one.id
            for each in scene.state.operatives.values()
            if not _before(scene, each).is_incapacitated
        )
    if scene.foe is None:
        raise Unknown("foe")
    return scene.foe.is_incapacitated and scene.foe.wounded_by == one.id


@condition("shot", "during")
def _shot(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return was(scene, one, "shot", term.main if isinstance(term.main, Whom) else None)


@condition("did", "during")
def _did(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Actions of its activation; in a sequence what it is doing there."""
    names = names_of(term)
    if term.get("during") == "turning-point":
        return any(was(scene, one, f"did {name}") for name in names)
    if term.get("during") == "sequence":
        doing = scene.doing if one is not scene.foe else _OPPOSITE.get(scene.doing, "")
        return doing in names
    return any(name in names for name in done(scene, one))


_OPPOSITE = {"shooting": "shot-at", "shot-at": "shooting", "fighting": "retaliating", "retaliating": "fighting"}


@condition("first-of")
def _first_of(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return sum(name in names_of(term) for name in done(scene, one)) == 1


@condition("charged")
def _charged(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return "Charge" in done(scene, one)


def done(scene: BoundRule, one: OperativeState) -> list[str]:
    """The actions of its activation or counteraction, if that is under way."""
    now = scene.state.activation
    return [] if now is None or now.operative != one.id else [Action.counted_as(name) for name in now.actions]


@condition("primary-target")
def _primary_target(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Selected itself, or looked at before anybody is."""
    return scene.battle.aimed in ("", one.id)


@condition("engagable")
def _engagable(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.foe is None:
        raise Unknown("foe")
    return scene.battle.table.in_control_range(scene.state, one.id, scene.foe.id)


@condition("placed")
def _placed(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Whether it carried the marker as the action began, and does not any more."""
    before, state = scene.battle.before, scene.state
    if before is None:
        return False
    had = {marker.id for marker in before.carried_by(one.id) if marker.kind == term.main}
    return any(id in state.markers and state.markers[id].carrier is None for id in had)


@condition("used-rule", "during")
def _used_rule(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """A rule of the team by its name: used in this turning point, or marked as used for longer or shorter."""
    ids, is_long = scene.ids(str(term.main)), term.get("during") == "turning-point"
    ploys = scene.state.ploys_used if is_long else ()
    return any(f"{scene.side}:{id}" in ploys for id in ids) or any(
        effect.side == scene.side and is_use_of(effect, ids) and (not is_long or effect.until == "turning-point")
        for effect in scene.state.effects
    )
