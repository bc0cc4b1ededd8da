"""The effects of the language that happen: what each does to operatives, sides, dice, markers and sequences."""

from __future__ import annotations

from random import Random

from ktsim.rules.engine.action import Impossible
from ktsim.rules.engine.activation import ACTIVATION_OVER
from ktsim.rules.engine.decisions import Option, PickSome, Place, Steps, ask, pick
from ktsim.rules.engine.events import CpChanged, EffectBegan, Noted, Told
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import (
    ApSpent,
    Healed,
    MarkerAppeared,
    MarkerGone,
    OrderChanged,
    Survived,
    TokenChanged,
    Wounded,
)
from ktsim.rules.engine.placing import is_seen_at, is_under_vantage, refuses_lying
from ktsim.rules.engine.state import Effect, OperativeState, OrderName, Point, inches
from ktsim.rules.teams.language.values import PICKED, LanguageRule, Term, Whom
from ktsim.rules.teams.playing.clauses import Clause, used_up
from ktsim.rules.teams.playing.conditions import compared, holds, markers, tokens
from ktsim.rules.teams.playing.force import is_immune, reach_of
from ktsim.rules.teams.playing.free_actions import FREE_ARGUMENTS, act_freely, activate_next, could_act
from ktsim.rules.teams.playing.happening import (
    HAPPENING,
    UNTILS,
    Use,
    amount,
    begin,
    carry_out,
    effect,
    effect_word,
    effects,
    follow,
    lasting_of,
    those,
    untils,
)
from ktsim.rules.teams.playing.limits import PERIODS
from ktsim.rules.teams.playing.midway import counted_wounds
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.standing import marker_id
from ktsim.sight.scene import EPS

# -- operatives --------------------------------------------------------------------------------------


def candidates(use: Use, term: Term) -> list[OperativeState]:
    """Whom a ``pick`` may choose."""
    assert isinstance(term.main, Whom)
    found = use.scene.but(reach=reach_of).members(term.main)
    found = [one for one in found if not is_immune(use.scene.battle, use.clause.text, one)]
    if name := term.get("not-after"):
        found = [one for one in found if not _was_used_on(use, str(name), one)]
    if term.get("each-once"):
        gone = {effect.target for effect in use.scene.state.effects if effect.clause == chosen_before(use, term)}
        found = [one for one in found if one.id not in gone]
    if term.get("not-benefiting"):
        key = f"{use.clause.key}/"
        now = {effect.target for effect in use.scene.state.effects if effect.clause.startswith(key)}
        found = [one for one in found if one.id not in now]
    after = use.clause.rule.do[use.clause.rule.do.index(term) + 1 :] if term in use.clause.rule.do else ()
    if after and all(each.word == "free-action" and each.get("who") == PICKED for each in after):
        # Whoever is chosen only acts, so it is somebody who can.
        found = [one for one in found if any(could_act(use.scene, each, one) for each in after)]
    return found


def chosen_before(use: Use, term: Term) -> str:
    """How the state remembers whom an effect that chooses nobody twice has chosen."""
    do = use.clause.rule.do
    return f"{use.clause.key}/{do.index(term) if term in do else 0}:{use.scene.side}!"


def _was_used_on(use: Use, name: str, one: OperativeState) -> bool:
    return any(
        effect.clause.endswith("!") and effect.source == name and effect.target == one.id
        for effect in use.scene.state.effects
    )


@effect_word("pick", "count", "up-to", "may", "all", "not-after", "not-benefiting", "with-first", "each-once")
def _pick(use: Use, key: str, term: Term) -> Steps[None]:
    scene, found = use.scene, candidates(use, term)
    if term.get("all"):
        before = scene.picked if term.get("with-first") else ()
        use.scene = scene.but(picked=(*before, *found), first=scene.first or _one(scene.picked))
        return
    most = 1 if term.get("count") is None else (yield from amount(use, term.get("count")))
    if not found:
        if term.get("may") or term.get("up-to"):
            use.scene = scene.but(picked=())
            return
        raise Impossible(f"{use.clause.title}: nobody to choose")
    options = tuple(Option(one.id, f"{one.name} ({one.wounds} wounds)") for one in found)
    values = {one.id: one for one in found}
    if most == 1 and not term.get("may") and not term.get("up-to"):
        chosen = yield from pick(scene.side, "operative", f"{use.clause.title}: whom?", options, values)
        picked: tuple[OperativeState, ...] = (chosen,)
    else:
        keys = yield from ask(
            PickSome(
                seat=scene.side,
                topic="operatives picked",
                prompt=f"{use.clause.title}: whom, in which order?",
                options=options,
                least=0 if term.get("up-to") or term.get("may") else min(most, len(found)),
                most=min(most, len(found)),
                default=tuple(values)[:most],
            )
        )
        picked = tuple(values[each] for each in keys)
    if (period := term.get("each-once")) is not None:
        lasts, mark = PERIODS[str(period)], chosen_before(use, term)
        for one in picked:
            yield EffectBegan(Effect(use.clause.title, TEAM, lasts, one.id, scene.side, clause=mark))
    use.scene = scene.but(picked=picked, first=scene.first or _one(scene.picked))


def _one(picked: tuple[OperativeState, ...]) -> OperativeState | None:
    return picked[0] if picked else None


@effect_word("damage", "per", "most")
def _damage(use: Use, key: str, term: Term) -> Steps[None]:
    per = term.get("per")
    times = len(use.scene.members(per)) if isinstance(per, Whom) else 1
    for one in those(use, term):
        for _ in range(times):
            if one.is_incapacitated or not one.is_in_killzone:
                continue
            inflicted = yield from amount(use, term.main)
            yield Wounded(one.id, inflicted, use.clause.title, "" if use.by is None else use.by.id)
    counted_wounds(use.moment, use.scene.state.operatives)


@effect_word("heal")
def _heal(use: Use, key: str, term: Term) -> Steps[None]:
    for one in those(use, term):
        lost = use.scene.battle.card(one).wounds - one.wounds
        if lost <= 0 or one.is_incapacitated:
            continue
        regained = yield from amount(use, term.main)
        yield Healed(one.id, min(lost, regained), use.clause.title)


STEADFAST = "steadfast"
"""The effect upon an operative that a rule keeps from being incapacitated for the rest of an action."""


@effect_word("survive", "steadfast")
def _survive(use: Use, key: str, term: Term) -> Steps[None]:
    for one in those(use, term):
        yield Survived(one.id, int(str(term.main)), use.clause.title)
        if term.get("steadfast") and use.scene.state.activation is not None:
            title, side = use.clause.title, use.scene.side
            yield EffectBegan(Effect(title, TEAM, "activation", one.id, side, clause=f"{STEADFAST}:{side}"))


@effect_word("order", "may")
def _order(use: Use, key: str, term: Term) -> Steps[None]:
    for one in those(use, term):
        changed: OrderName = "conceal" if one.order == "engage" else "engage"
        order: OrderName = changed if term.main == "change" else term.main  # type: ignore[assignment]
        if order == one.order:
            continue
        is_chosen = use.clause.text.kind == "firefight" and len(use.clause.rule.do) == 1  # it was used for this
        if term.main == "change" and (use.clause.rule.may or term.get("may")) and not is_chosen:
            options = [Option("yes", f"Change it to {order.title()}"), Option("no", "No")]
            prompt = f"{use.clause.title}: change the order of {one.name}?"
            if not (yield from pick(use.scene.side, "team option", prompt, options, {"yes": True, "no": False})):
                continue
        yield OrderChanged(one.id, order, use.clause.title)


@effect_word("token", "count", "most", "otherwise")
def _token(use: Use, key: str, term: Term) -> Steps[None]:
    name, side = str(term.main), use.scene.side
    own = term.get("until")
    lasts = untils(own if isinstance(own, tuple) else ())
    for one in those(use, term):
        count = 1 if term.get("count") is None else (yield from amount(use, term.get("count")))
        had = tokens(use.scene, one, name)
        if (most := term.get("most")) is not None:
            count = min(count, int(str(most)) - had)
        if count <= 0:
            otherwise = term.get("otherwise")
            if isinstance(otherwise, tuple):
                scene, use.scene = use.scene, use.scene.but(picked=(one,))
                yield from effects(use, f"{key}otherwise", [each for each in otherwise if isinstance(each, Term)])
                use.scene = scene
            continue
        if not lasts:
            yield TokenChanged(one.id, f"{side}:{name}", count)
            continue
        for _ in range(count):
            yield from begin(use, f"token:{side}:{name}", lasts, one)


@effect_word("lose-token")
def _lose_token(use: Use, key: str, term: Term) -> Steps[None]:
    for one in those(use, term):
        if one.tokens.get(name := f"{use.scene.side}:{term.main}"):
            yield TokenChanged(one.id, name, -1)


# -- the side ----------------------------------------------------------------------------------------


@effect_word("cp")
def _cp(use: Use, key: str, term: Term) -> Steps[None]:
    yield CpChanged(use.scene.side, int(str(term.main)), use.clause.title)


@effect_word("points", "of", "most", "per")
def _points(use: Use, key: str, term: Term) -> Steps[None]:
    per = term.get("per")
    times = len(use.scene.members(per)) if isinstance(per, Whom) else 1
    gained = times * (yield from amount(use, term.main))
    pool = f"{use.scene.side}:points:{term.get('of')}"
    now = use.scene.state.notes.get(pool, 0) + gained
    if (most := term.get("most")) is not None:
        now = min(now, int(str(most)))
    yield Noted(pool, now)
    yield Told(f"{{0}} has {now} {term.get('of')} ({use.clause.title}).", TEAM, (use.scene.side,))


@effect_word("never-again")
def _never_again(use: Use, key: str, term: Term) -> Steps[None]:
    by = "" if use.scene.me is None else use.scene.me.id
    yield EffectBegan(Effect(use.clause.title, TEAM, "battle", side=use.scene.side, clause=used_up(use.clause), by=by))


@effect_word("card")
def _card(use: Use, key: str, term: Term) -> Steps[None]:
    yield Told(f"{use.clause.title} is used: the players carry out what its card says.", TEAM)


# -- choices and dice --------------------------------------------------------------------------------


@effect_word("roll", "at", "do", "else", "each", "add", "add-if", "less", "less-if")
def _roll(use: Use, key: str, term: Term) -> Steps[None]:
    each, scene = term.get("each"), use.scene
    if not isinstance(each, Whom):
        yield from _roll_once(use, key, term)
        return
    for one in [one for one in scene.members(each) if not is_immune(scene.battle, use.clause.text, one)]:
        use.scene = scene.but(picked=(one,))
        yield from _roll_once(use, key, term)
    use.scene = scene


def _roll_once(use: Use, key: str, term: Term) -> Steps[None]:
    rolled = yield from amount(use, term.main)
    for name, sign in (("add", 1), ("less", -1)):
        where = term.get(f"{name}-if")
        if isinstance(where, tuple) and all(holds(use.scene, each) for each in where if isinstance(each, Term)):
            rolled += sign * int(str(term.get(name)))
    at = str(term.get("at")).replace("turning-point", str(use.scene.state.turning_point))
    name = "do" if compared(rolled, at) else "else"
    inner = term.get(name)
    if isinstance(inner, tuple):
        yield from effects(use, f"{key}{name}", [each for each in inner if isinstance(each, Term)])


@effect_word("choose")
def _choose(use: Use, key: str, term: Term) -> Steps[None]:
    inner = {str(number): each for number, each in enumerate(term.main or ()) if isinstance(each, Term)}  # type: ignore[arg-type]
    able = {number: each for number, each in inner.items() if each.word != "pick" or candidates(use, each)}
    if not able:
        raise Impossible(f"{use.clause.title}: nobody to choose")
    options = [Option(number, _words(each)) for number, each in able.items()]
    values = {number: number for number in able}
    chosen = yield from pick(use.scene.side, "team option", f"{use.clause.title}: which?", options, values)
    yield from effect(use, f"{key}/{chosen}", inner[chosen])


def _words(term: Term) -> str:
    main = term.main
    what = ", ".join(map(str, main)) if isinstance(main, tuple) else str(main) if isinstance(main, (str, int)) else ""
    return f"{term.word.replace('-', ' ')} {what}".strip()


@effect_word("options", "names", "count", "each-once")
def _options(use: Use, key: str, term: Term) -> Steps[None]:
    """One of several rules is in force from now on; with *each-once* none a second time in the battle."""
    scene = use.scene
    rules = [each for each in (term.main if isinstance(term.main, tuple) else ()) if isinstance(each, LanguageRule)]
    called = [str(each) for each in (term.get("names") or ())]  # type: ignore[union-attr]
    used = {effect.clause for effect in scene.state.effects if effect.side == scene.side}
    left = [n for n in range(len(rules)) if not term.get("each-once") or f"{key}={n}!" not in used]
    if not left:
        raise Impossible(f"{use.clause.title}: every option was chosen already")
    options = [Option(str(n), called[n] if n < len(called) else f"Option {n + 1}") for n in left]
    chosen = yield from pick(
        scene.side, "team option", f"{use.clause.title}: which?", options, {str(n): n for n in left}
    )
    if term.get("each-once"):
        yield EffectBegan(Effect(use.clause.title, TEAM, "battle", side=scene.side, clause=f"{key}={chosen}!"))
    own = term.get("until")
    lasts = untils(own if isinstance(own, tuple) else use.clause.rule.until)
    for number, rule in enumerate(rules[chosen].then):
        if rule.on == (Term("used"),):
            yield from carry_out(Use(scene.but(clause=inner_clause(use, f"{key}={chosen}.{number}", rule)), use.moment))
        else:
            yield from begin(use, f"{key}={chosen}.{number}", lasts)


def inner_clause(use: Use, key: str, rule: LanguageRule) -> Clause:
    clause = use.clause
    return Clause(key, clause.text, rule, "effect", clause.kinds)


@effect_word("pick-order")
def _pick_order(use: Use, key: str, term: Term) -> Steps[None]:
    options = [Option("engage", "Engage"), Option("conceal", "Conceal")]
    values = {"engage": "engage", "conceal": "conceal"}
    chosen = yield from pick(use.scene.side, "team option", f"{use.clause.title}: which order?", options, values)
    use.scene = use.scene.but(order=chosen)


@effect_word("pick-marker")
def _pick_marker(use: Use, key: str, term: Term) -> Steps[None]:
    battle = use.scene.battle
    names = term.main if isinstance(term.main, tuple) else (term.main,)
    found = markers(use.scene, *(str(each) for each in names if each in ("objective", "mission")))
    if not found:
        raise Impossible(f"{use.clause.title}: there is no such marker")
    options = [Option(marker.id, battle.name(marker.id)) for marker in found]
    values = {marker.id: marker.id for marker in found}
    chosen = yield from pick(use.scene.side, "team option", f"{use.clause.title}: which marker?", options, values)
    use.scene = use.scene.but(marker=chosen)


# -- markers -----------------------------------------------------------------------------------------


@effect_word("marker", "of", "visible", "or-vantage", "in-control-range", "within", "not-under-vantage", "either")
def _marker(use: Use, key: str, term: Term) -> Steps[None]:
    """A marker of the side is put on the table, of two (*either*) one; the same one lies in one place only."""
    scene, name = use.scene, str(term.main)
    if (second := term.get("either")) is not None:
        options = [Option(each, f"The {each} marker") for each in (name, str(second))]
        values = {name: name, str(second): str(second)}
        name = yield from pick(scene.side, "team option", f"{use.clause.title}: which marker?", options, values)
    for old in markers(scene, name):
        yield MarkerGone(old.id)
    near = term.get("in-control-range") or term.get("of")
    from_ = scene.members(near) if isinstance(near, Whom) else []

    def refuse(point: Point) -> str | None:
        if (why := refuses_lying(scene.battle, point, MARKER_RADIUS)) is not None:
            return why
        table, state, radius = scene.battle.table, scene.state, inches(MARKER_RADIUS)
        if term.get("not-under-vantage") and is_under_vantage(scene.battle, point, MARKER_RADIUS):
            return "It would be underneath Vantage terrain."
        for one in from_:
            if term.get("in-control-range") and not table.reaches(state, one.id, point, radius):
                return f"It would not be within {one.name}'s control range."
            if term.get("or-vantage"):
                is_seen = is_seen_at(scene.battle, one, point, MARKER_RADIUS)
            else:
                is_seen = not term.get("visible") or table.sees_place(state, one.id, point, radius)
            if not is_seen:
                return f"It would not be visible to {one.name}."
            if (most := term.get("within")) is not None:
                far = table.distance_to(state, one.id, point, radius)
                if far > float(str(most)) + EPS:
                    return f'It would be {far:.2f}" from {one.name}.'
        return None

    def suggest(rng: Random) -> Point:
        width, depth = scene.battle.board.terrain.board
        centre = from_[0].point if from_ else (round(500 * width), round(500 * depth), 0)
        for spread in (1200, 2500, 6000, 12000, 15000) * 12:
            x, y = centre[0] + rng.randint(-spread, spread), centre[1] + rng.randint(-spread, spread)
            if 0 < x < 1000 * width and 0 < y < 1000 * depth and refuse((x, y, centre[2])) is None:
                return (x, y, centre[2])
        return centre

    point = yield from ask(
        Place(
            seat=scene.side,
            topic="team marker",
            prompt=f"{use.clause.title}: where is the {name} marker placed?",
            about=name,
            refuse=lambda at: None if from_ and at == from_[0].point else refuse(at),
            suggest=suggest,
        )
    )
    yield MarkerAppeared(marker_id(scene.side, name), name, point, MARKER_RADIUS, owner=scene.side)
    for clause in () if use.clause.rule.then else scene.team.about_marker(name):  # said once, whoever places it
        yield from follow(Use(scene.but(clause=clause), use.moment))
    own = term.get("until")
    if lasts := own if isinstance(own, tuple) and own else scene.team.marker_lasts(name):
        yield from begin(use, f"marker:{scene.side}:{name}", untils(lasts))


@effect_word("remove-marker")
def _remove_marker(use: Use, key: str, term: Term) -> Steps[None]:
    for marker in markers(use.scene, str(term.main)):
        yield MarkerGone(marker.id)


# -- sequences and activations -----------------------------------------------------------------------


@effect_word("redirect")
def _redirect(use: Use, key: str, term: Term) -> Steps[None]:
    assert use.moment is not None
    for one in those(use, term):
        use.moment.other = one
        yield Told(f"{use.clause.title}: {{0}} is the target instead.", TEAM, (one.id,))


@effect_word("free-action", *FREE_ARGUMENTS)
def _free_action(use: Use, key: str, term: Term) -> Steps[None]:
    before = [each for each in use.clause.rule.do if each.word == "pick"]
    is_ordered = term.get("who") == PICKED and bool(before) and not before[-1].get("all")
    use.begun += yield from act_freely(use.scene, term, those(use, term), is_ordered)


@effect_word("next-activation", "may")
def _next_activation(use: Use, key: str, term: Term) -> Steps[None]:
    if isinstance(term.main, Whom):
        found = [one for one in use.scene.members(term.main) if one in use.scene.battle.ready(one.side)]
        yield from activate_next(use.scene, found, bool(term.get("may")))


@effect_word("cancel", "refund")
def _cancel(use: Use, key: str, term: Term) -> Steps[None]:
    """The action about to begin is not performed, nor any more in this activation or counteraction."""
    moment = use.moment
    if moment is None or moment.action is None:
        return
    one, action = moment.who, moment.action
    moment.action = None
    yield Told(f"{use.clause.title}: {{0}} cannot perform {action.name} now.", TEAM, (one.id,))
    yield EffectBegan(Effect(use.clause.title, TEAM, "activation", one.id, use.scene.side, stat=f"no {action.counted}"))
    if not term.get("refund") and moment.ap:
        yield ApSpent(one.id, moment.ap, use.clause.title)


@effect_word("end")
def _end(use: Use, key: str, term: Term) -> Steps[None]:
    """Its activation is over; a move that set something off ends anyway."""
    if term.main != "activation":
        return
    for one in those(use, term):
        now = use.scene.state.activation
        if now is not None and now.operative == one.id:
            yield EffectBegan(Effect(use.clause.title, TEAM, "activation", one.id, stat=ACTIVATION_OVER))


__all__ = ["HAPPENING", "UNTILS", "candidates", "lasting_of"]
