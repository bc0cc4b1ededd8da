"""Whether using a rule would come to anything."""

from __future__ import annotations

from contextvars import ContextVar

from ktsim.rules.engine.action import refuses
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import conditions_of
from ktsim.rules.teams.playing.conditions import holds
from ktsim.rules.teams.playing.effects import candidates
from ktsim.rules.teams.playing.free_actions import could_act
from ktsim.rules.teams.playing.happening import Use, those
from ktsim.rules.teams.playing.in_sequences import is_one_of

_ASKED: ContextVar[frozenset[tuple[str, str, str]]] = ContextVar("asked", default=frozenset())
"""The rules being asked about: whoever may be let act may have a rule that lets others act, and so on in a circle."""


def is_useful(scene: BoundRule) -> bool:
    """Whether there is somebody for its first pick, or for a free action; one that leads only back to itself is not."""
    me, who = ("" if each is None else each.id for each in (scene.me, scene.who))
    asked = (scene.clause.key, me, who)
    if asked in _ASKED.get():
        return False
    token = _ASKED.set(_ASKED.get() | {asked})
    try:
        return _is_useful(scene)
    except Unknown:
        return False
    finally:
        _ASKED.reset(token)


def _is_useful(scene: BoundRule) -> bool:
    first = next(iter(scene.clause.rule.do), None)
    if first is not None and first.word == "weaken-rule":
        return _has_rule(scene, str(first.main))
    if first is not None and first.word == "ap-cost" and scene.who is not None:
        return all(holds(scene, each) for each in conditions_of(scene.clause.rule, first)[0]) and any(
            each.is_act and is_one_of(each, first, "actions") and refuses(scene.battle, scene.who, each) is None
            for each in scene.battle.actions(scene.who)
        )
    if first is not None and first.word == "resolve-first" and scene.who is not None:
        return any(weapon.kind == "melee" for weapon in scene.battle.weapons(scene.who))
    if first is not None and first.word == "free-action":
        return any(could_act(scene, first, one) for one in those(Use(scene), first))
    if first is None or first.word != "pick" or first.get("may") or first.get("up-to"):
        return True
    return bool(candidates(Use(scene), first))


def _has_rule(scene: BoundRule, name: str) -> bool:
    """Whether the weapon that *who* is shot with has the rule."""
    if scene.foe is None or scene.foe_weapon is None:
        return False
    rules = scene.battle.weapon_rules(scene.foe, scene.foe_weapon, scene.who)
    return any(rule.text.startswith(f"{name} ") for rule in rules)
