"""Whether the conditions of team rules hold: one handler a word, with the arguments it understands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ktsim.geometry.plane import length
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.placing import base_shape
from ktsim.rules.engine.shapes import Surroundings
from ktsim.rules.engine.state import MarkerState, OperativeState, inches, other
from ktsim.rules.engine.table import CONTROL_RANGE, contests
from ktsim.rules.teams.language.values import PICKED, SELF, Term, Whom
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.weapon_names import KINDS, is_rule, is_weapon
from ktsim.sight.scene import EPS

Check: TypeAlias = Callable[[BoundRule, Term, OperativeState], bool]


@dataclass(frozen=True)
class ConditionHandler:
    """How a condition is answered; *args* are the arguments it understands besides the main one and *about*."""

    check: Check
    args: frozenset[str]


CONDITIONS: dict[str, ConditionHandler] = {}


def condition(word: str, *args: str) -> Callable[[Check], Check]:
    """The decorated function answers the condition *word*, with these arguments."""

    def register(check: Check) -> Check:
        CONDITIONS[word] = ConditionHandler(check, frozenset(args))
        return check

    return register


def holds(scene: BoundRule, term: Term, about: OperativeState | None = None) -> bool:
    """Whether *term* holds; it is about *about*, or whom the rule is about, unless it says whom."""
    if term.word in ("not", "any", "all"):
        inner = [holds(scene, each, about) for each in _terms(term.main)]
        return not any(inner) if term.word == "not" else any(inner) if term.word == "any" else all(inner)
    handler = CONDITIONS.get(term.word)
    if handler is None:  # one about dice that nobody knows here
        raise Unknown(term.word)
    given = term.get("about")
    if isinstance(given, Whom):
        found = _everybody(scene, given)
        if term.word in OF_PLACES:  # who has left the killzone is nowhere
            found = [one for one in found if one.is_in_killzone]
        return any(handler.check(scene, term, one) for one in found)
    one = about or scene.who or scene.me
    if one is None:
        if term.word in WITHOUT_OPERATIVE:
            return handler.check(scene, term, None)  # type: ignore[arg-type]
        raise Unknown(term.word)
    if term.word in OF_PLACES and not one.is_in_killzone:
        raise Unknown(term.word)
    return handler.check(scene, term, one)


def _everybody(scene: BoundRule, whom: Whom) -> list[OperativeState]:
    """Those meant, the incapacitated and removed too: a condition may ask about them."""
    bound = scene.role(whom.role)
    among = scene.state.operatives.values() if bound is None else bound
    if bound == ():
        raise Unknown(whom.role)
    return [one for one in among if scene.is_meant(whom, one)]


def _terms(value: object) -> tuple[Term, ...]:
    return tuple(each for each in value if isinstance(each, Term)) if isinstance(value, tuple) else ()


def _others(scene: BoundRule, value: object, one: OperativeState) -> list[OperativeState]:
    """Whom a condition compares *one* with: those meant, or any enemy of it in the killzone."""
    if isinstance(value, Whom):
        if scene.role(value.role) == ():
            raise Unknown(value.role)
        if value.other and scene.who is None and one.side == scene.side:
            scene = scene.but(who=one)  # "another" is another one than who is narrowed by it
        return [each for each in scene.members(value) if each is not one and each.is_in_killzone]
    return [each for each in scene.state.side(other(one.side)) if not each.is_incapacitated]


def is_itself(scene: BoundRule, value: object, one: OperativeState) -> bool:
    """Whether *one* is compared with itself: it is visible to itself and no distance away (SIGHT-8)."""
    return value == SELF and scene.me is one


def markers(scene: BoundRule, *names: str) -> list[MarkerState]:
    """Objective markers, mission markers, those of the rule's side that are called so,
    or the one that was picked."""
    return [
        marker
        for marker in scene.state.markers.values()
        if "any" in names
        or ("picked" in names and marker.id == scene.marker)
        or ("objective" in names and marker.kind == "objective")
        or ("mission" in names and is_of_mission(marker))
        or (marker.kind in names and marker.owner == scene.side)
    ]


def is_of_mission(marker: MarkerState) -> bool:
    """Whether a marker is a mission marker: picked up by whoever may, which markers of equipment are not."""
    return marker.kind != "objective" and marker.owner is None and marker.can_be_picked_up


# -- where it is -------------------------------------------------------------------------------------


@condition("within", "of", "visible", "mutual", "marker", "wholly", "horizontally")
def _within(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    reach, table, state = _inches(term), scene.battle.table, scene.state
    if term.get("of") == SELF:
        reach = scene.longer(reach)
    elif term.get("of") == PICKED and scene.me is None and scene.picked:
        reach = scene.but(me=scene.picked[0]).longer(reach)
    if name := term.get("marker"):
        found = markers(scene, str(name))
        if term.get("visible"):  # within its control range
            return any(table.reaches(state, one.id, each.point, inches(each.radius)) for each in found)
        return any(_far_from(scene, term, one, each) <= reach for each in found)
    return is_itself(scene, term.get("of"), one) or any(
        table.is_within(state, one.id, each.id, reach) and _is_seen(scene, term, one, each)
        for each in _others(scene, term.get("of"), one)
    )


def _far_from(scene: BoundRule, term: Term, one: OperativeState, marker: MarkerState) -> float:
    """How far the operative is from a marker: its base, or the furthest of it (*wholly*), perhaps seen from above."""
    x, y, level = marker.point
    level = one.level if term.get("horizontally") else level
    if not term.get("wholly"):
        return scene.battle.table.distance_to(scene.state, one.id, (x, y, level), inches(marker.radius))
    flat = inches(round(length(one.x - x, one.y - y))) + scene.battle.table.radius(one) - inches(marker.radius)
    return length(max(0.0, flat), inches(one.level - level))


def _is_seen(scene: BoundRule, term: Term, one: OperativeState, by: OperativeState) -> bool:
    return not term.get("visible") or sees(scene, term, by, one)


def sees(scene: BoundRule, term: Term, by: OperativeState, one: OperativeState) -> bool:
    """Whether *one* is visible to *by*; with *mutual* the other way round will do."""
    table, state = scene.battle.table, scene.state
    if table.is_visible(state, by.id, one.id):
        return True
    return bool(term.get("mutual")) and table.is_visible(state, one.id, by.id)


@condition("more-than", "from", "marker")
def _more_than(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    reach, table, state = _inches(term), scene.battle.table, scene.state
    if name := term.get("marker"):
        return all(
            table.distance_to(state, one.id, each.point, inches(each.radius)) > reach
            for each in markers(scene, str(name))
        )
    return not any(table.is_within(state, one.id, each.id, reach) for each in _others(scene, term.get("from"), one))


def _inches(term: Term) -> float:
    assert isinstance(term.main, (int, float))
    return float(term.main) + EPS


@condition("visible", "mutual", "sees")
def _visible(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if term.get("sees"):
        return any(sees(scene, term, one, each) for each in _others(scene, term.main, one))
    return is_itself(scene, term.main, one) or any(sees(scene, term, by, one) for by in _others(scene, term.main, one))


@condition("control-range")
def _control_range(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    table, state = scene.battle.table, scene.state
    near = (table.in_control_range(state, one.id, each.id) for each in _others(scene, term.main, one))
    return is_itself(scene, term.main, one) or any(near)


@condition("no-other")
def _no_other(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    near = [each for each in scene.battle.engaged_with(one) if not each.is_incapacitated]
    return len(near) == 1


@condition("territory", "wholly")
def _territory(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    battle, base = scene.battle, scene.battle.footprint(one)
    if term.main == "drop-zone":
        outline = battle.drop_zone(scene.side)
    else:
        outline = battle.territory(scene.side if term.main == "own" else other(scene.side))
    return base.is_wholly_inside(outline) if term.get("wholly") else base.gap(outline) <= EPS


@condition("on-board")
def _on_board(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return one.is_in_killzone


@condition("higher")
def _higher(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.foe is None:
        raise Unknown("foe")
    return inches(one.level - scene.foe.level) >= _inches(term) - 2 * EPS


@condition("contests")
def _contests(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    battle = scene.battle
    return any(contests(battle.table, battle.state, one, marker) for marker in markers(scene, *names_of(term)))


@condition("controls")
def _controls(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    battle = scene.battle
    return any(
        marker.controller == one.side and contests(battle.table, battle.state, one, marker)
        for marker in markers(scene, *names_of(term))
    )


@condition("carrying")
def _carrying(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return any(term.main in (None, marker.kind) for marker in scene.state.carried_by(one.id))


@condition("marker-placed")
def _marker_placed(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return bool(markers(scene, str(term.main)))


@condition("terrain-near")
def _terrain_near(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Terrain of a kind within its control range, ``heavy-2`` within so many inches and not lower, or Vantage above."""
    battle = scene.battle
    around = Surroundings.of(battle.table.terrain_in(scene.state), scene.state.terrain)
    base = base_shape(battle, one)
    for name in names_of(term):
        kind, _, reach = name.partition("-")
        if name == "above-vantage":
            if around.is_above(base, "vantage"):
                return True
            continue
        traits = frozenset() if kind == "any" else frozenset({kind})
        if around.nearest_with(base, traits, float(reach or CONTROL_RANGE)) is not None:
            return True
    return False


# -- how it is ---------------------------------------------------------------------------------------


@condition("order")
def _order(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    wanted = scene.order if term.main == "picked" else term.main
    return one.order == wanted


@condition("wounded")
def _wounded(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return scene.battle.is_wounded(one)


@condition("injured")
def _injured(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return scene.battle.is_injured(one)


@condition("ready")
def _ready(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return one.is_ready


@condition("expended")
def _expended(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return one.is_in_killzone and not one.is_ready


@condition("incapacitated")
def _incapacitated(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return one.is_incapacitated


@condition("keyword")
def _keyword(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return any(scene.has_keywords(one, str(each)) for each in names_of(term))


@condition("is")
def _is(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return isinstance(term.main, Whom) and scene.is_meant(term.main, one)


@condition("foe")
def _foe(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.foe is None:
        raise Unknown("foe")
    return isinstance(term.main, Whom) and scene.is_meant(term.main, scene.foe)


@condition("exists", "at-least")
def _exists(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if not isinstance(term.main, Whom):
        return False
    if (least := term.get("at-least")) is None:
        return bool(scene.members(term.main))
    are_fallen = any(each.word == "incapacitated" for each in term.main.that)
    among = _everybody(scene, term.main) if are_fallen else scene.members(term.main)
    return len(among) >= int(str(least))


@condition("stat-above", "than")
def _stat_above(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    than, battle, stat = term.get("than"), scene.battle, str(term.main)
    found = scene.role(than.role) if isinstance(than, Whom) else None
    if not found:
        raise Unknown("stat-above")
    return all(getattr(battle.card(one), stat) > getattr(battle.card(each), stat) for each in found)


@condition("token", "at-least")
def _token(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return tokens(scene, one, str(term.main)) >= int(str(term.get("at-least") or 1))


def tokens(scene: BoundRule, one: OperativeState, name: str) -> int:
    """How many tokens of the name it has, for good or for a while, or counts as having."""
    lasting = sum(e.clause == f"token:{scene.side}:{name}" and e.target == one.id for e in scene.state.effects)
    own = one.tokens.get(f"{scene.side}:{name}", 0)
    return own + lasting + int(scene.stands(one, "counts-as", name))


@condition("status")
def _status(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return scene.stands(one, "status", str(term.main))


@condition("stat", "is")
def _stat(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    number = getattr(scene.battle.card(one), str(term.main))
    return compared(number, str(term.get("is")), scene)


def compared(number: int, comparison: str, scene: BoundRule | None = None) -> bool:
    """Whether the number is as a comparison such as ``>=3`` says."""
    sign = comparison.rstrip("0123456789")
    wanted = int(comparison[len(sign) :])
    return {
        ">=": number >= wanted,
        "<=": number <= wanted,
        ">": number > wanted,
        "<": number < wanted,
        "=": number == wanted,
    }[sign]


# -- what it does and has done -----------------------------------------------------------------------


@condition("activated-now", "anyones")
@condition("counteracting", "anyones")
def _under_way(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    now, kind = scene.state.activation, "activation" if term.word == "activated-now" else "counteraction"
    return now is not None and now.kind == kind and (now.operative == one.id or bool(term.get("anyones")))


@condition("weapon")
def _weapon(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    used, wanted = _weapon_of(scene, one), names_of(term)
    if "datacard" in wanted and not is_on_datacard(scene, used):
        return False
    named = [name for name in wanted if name not in KINDS and name != "datacard" and not name.startswith("not ")]
    narrowing = [name for name in wanted if name in KINDS or name.startswith("not ")]
    is_named = not named or any(is_weapon(used, name) or _has_profile(scene, one, used, name) for name in named)
    return is_named and all(is_weapon(used, name) for name in narrowing)


def _has_profile(scene: BoundRule, one: OperativeState, used: Profile, name: str) -> bool:
    """Whether ``*/profile`` is a profile of the weapon, be it used with another."""
    own = used.key.partition("/")[0]
    return name.startswith("*/") and any(
        each.key.partition("/")[0] == own and is_weapon(each, name) for each in scene.battle.weapons(one)
    )


@condition("weapon-rule")
def _weapon_rule(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.doing == "fought":  # nobody has selected a weapon yet
        return False
    weapon = _weapon_of(scene, one)
    texts = scene.team.rules_had(scene, one, weapon)
    return any(is_rule(text, str(name)) for text in texts for name in names_of(term))


def _weapon_of(scene: BoundRule, one: OperativeState) -> Profile:
    weapon = scene.foe_weapon if one is scene.foe else scene.weapon
    if weapon is None:
        raise Unknown("weapon")
    return weapon


def is_on_datacard(scene: BoundRule, weapon: Profile) -> bool:
    """Whether it is printed on the datacard of one of those in the sequence, not given by equipment."""
    both = (each for each in (scene.who, scene.foe, scene.me) if each is not None)
    return any(weapon in scene.battle.card(each).weapons for each in both)


@condition("being-shot")
def _being_shot(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """A target of the Shoot action just performed, hit as well or selected."""
    return one.id in scene.battle.targets


@condition("in-cover")
def _in_cover(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """In cover from whoever it is that looks, Seek or not. In an attack a target is as it was found to be for that:
    whoever a Blast hits as well as the primary target is, and beside what obscures it what its player took."""
    enemy = scene.foe if one is not scene.foe else scene.who
    if enemy is None:
        raise Unknown("in-cover")
    is_target = one is scene.foe if scene.foe_weapon is None else one is not scene.foe and scene.who in (None, one)
    if scene.ruling is not None and (scene.weapon or scene.foe_weapon) and is_target:
        return scene.ruling.in_cover
    return scene.battle.table.target_ruling(scene.state, enemy.id, one.id, ()).in_cover


@condition("has-cover-saves")
def _has_cover_saves(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.ruling is None:
        raise Unknown("has-cover-saves")
    shooter, weapon = (scene.foe, scene.foe_weapon) if one is scene.who else (scene.who, scene.weapon)
    if shooter is None or weapon is None:
        raise Unknown("has-cover-saves")
    if not scene.ruling.in_cover:
        return False
    # Its own rules may have it ignore Saturate; what a weapon is granted is asked without them.
    battle, saves = scene.battle, 1
    if scene.doing == "shot-at":
        rules = battle.weapon_rules(shooter, weapon, one, scene.ruling)
    else:
        rules = battle.edition.weapon_rules.parse_all(tuple(scene.team.rules_had(scene, shooter, weapon)))
    for rule in rules:
        saves = rule.cover_saves(saves)
    return saves > 0


@condition("obscured")
def _obscured(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    if scene.ruling is None or one is not (scene.foe if scene.doing == "shooting" else scene.who):
        raise Unknown("obscured")  # it is asked of the target
    return scene.ruling.is_obscured


@condition("valid-target")
def _valid_target(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    table, state = scene.battle.table, scene.state
    found = (table.target_ruling(state, by.id, one.id, ()) for by in _others(scene, term.main, one))
    return any(ruling.is_visible and ruling.is_valid for ruling in found)


# -- the battle --------------------------------------------------------------------------------------


@condition("turning-point")
def _turning_point(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return compared(scene.state.turning_point, str(term.main))


@condition("initiative")
def _initiative(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    return scene.state.initiative == scene.side


def names_of(term: Term) -> tuple[str, ...]:
    main = term.main
    return tuple(map(str, main)) if isinstance(main, tuple) else (str(main),)


OF_PLACES = frozenset(
    {"within", "more-than", "visible", "control-range", "no-other", "territory", "higher", "contests", "controls"}
) | {"in-cover", "valid-target", "terrain-near", "engagable"}
"""Conditions that are about where an operative stands."""
WITHOUT_OPERATIVE = frozenset({"turning-point", "initiative", "exists", "marker-placed", "used-rule", "foe"})
"""Conditions that are about the battle, not about an operative."""
