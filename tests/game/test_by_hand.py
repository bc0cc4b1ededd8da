"""What a card says and no rule enforces is done by hand: logged with its reason, undone, replayed, never in the way."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.hand_words import deed_from
from ktsim.game.players import Sampler
from ktsim.game.record import load
from ktsim.game.session import Session
from ktsim.game.setup import Setup, new_game
from ktsim.game.text_play import TextPlay
from ktsim.rules.engine.by_hand import CHANGED_STATS, LASTS, Deed, DoneByHand, deed_of, in_dice
from ktsim.rules.engine.decisions import Pick, Roll
from ktsim.rules.engine.state import SIDES

PLAIN = Setup(board="open", table="plain", mission="skirmish")


def until(game: Game, topic: str, seed: int = 1) -> Game:
    """A game played at random until a question of that topic is put."""
    rng = Random(seed)
    while game.pending is not None and game.pending.topic != topic:
        game.submit(game.pending.sample(rng))
    assert game.pending is not None
    return game


def at_action(seed: int = 1) -> tuple[Game, str]:
    """A game in which somebody is asked for its next action, and who."""
    game = until(new_game(PLAIN), "action", seed)
    assert game.state.activation is not None
    return game, game.state.activation.operative


def told(game: Game) -> str:
    return next(e.words(game.battle.name) for e in reversed(game.events) if isinstance(e, DoneByHand))


def test_wounds_are_changed_with_a_reason_and_back() -> None:
    game, who = at_action()
    before, wounds = game.digest(), game.state.operatives[who].wounds
    game.submit(Deed("blue", "a splinter", "wounds", who, (-2,)).answer)
    assert game.state.operatives[who].wounds == wounds - 2
    name = game.battle.name(who)
    assert told(game) == f"By hand, Gravel Jackals (blue): {name} suffers 2 damage (by hand). Why: a splinter."
    game.submit(Deed("red", "Old salve", "wounds", who, (1,)).answer)
    assert "Lantern Wardens (red)" in told(game)  # the log names who did it
    game.rewind(len(game.answers) - 2)
    assert game.digest() == before


def test_the_question_is_asked_again_with_what_there_is_now() -> None:
    """APL by hand gives or takes actions at once."""
    game, who = at_action()
    assert game.pending is not None
    assert "2AP left" in game.pending.prompt
    game.submit(Deed("red", "a drum", "stat", who, (1, "apl", "activation")).answer)
    assert "3AP left" in game.pending.prompt
    game.submit(Deed("red", "a fog", "stat", who, (-1, "apl", "activation")).answer)
    assert "2AP left" in game.pending.prompt


def test_whoever_is_taken_out_by_hand_is_removed_and_may_return() -> None:
    game, who = at_action()
    enemy = game.state.enemies(who)[0]
    game.submit(Deed("red", "a mine", "wounds", enemy.id, (-enemy.wounds,)).answer)
    assert game.state.operatives[enemy.id].is_removed
    assert game.pending is not None
    assert game.pending.topic == "action"
    game.submit(Deed("blue", "it was not", "wounds", enemy.id, (3,)).answer)
    assert not game.state.operatives[enemy.id].is_removed
    assert game.state.operatives[enemy.id].wounds == 3
    own = game.state.operatives[who]
    game.submit(Deed("red", "its heart", "wounds", who, (-own.wounds,)).answer)
    assert own.is_removed
    assert game.state.activation is None  # its activation is over


def test_order_tokens_cp_and_place() -> None:
    game, who = at_action()
    state = game.state
    order = "conceal" if state.operatives[who].order == "engage" else "engage"
    game.submit(Deed("red", "smoke", "order", who, (order,)).answer)
    assert state.operatives[who].order == order
    game.submit(Deed("red", "a bite", "token", who, (2, "Poison")).answer)
    assert state.operatives[who].tokens == {"Poison": 2}
    cp = state.cp["blue"]
    game.submit(Deed("blue", "a gift", "cp", "blue", (2,)).answer)
    assert state.cp["blue"] == cp + 2
    x, y, level = state.operatives[who].point
    game.submit(Deed("red", "a gust", "move", who, (x, y + 400, level)).answer)
    assert state.operatives[who].point == (x, y + 400, level)
    for wrong in (
        Deed("red", "no", "cp", "blue", (-99,)),
        Deed("red", "no", "move", who, (-5000, 0, 0)),
        Deed("red", "no", "token", who, (-3, "Poison")),
        Deed("red", "no", "wounds", who, (60,)),
        Deed("red", "no", "rule", who, ("Sneezing 4", "action")),
        Deed("red", "no", "wounds", "nobody", (1,)),
        Deed("red", " ", "wounds", who, (-1,)),
    ):
        with pytest.raises(IllegalAnswer):
            game.submit(wrong.answer)


@pytest.mark.parametrize("answer", [("by hand",), ("by hand", "red", "x", "fly", "", ()), ("by hand", 1, 2, 3, 4, 5)])
def test_what_is_no_proper_deed_is_refused(answer: Any) -> None:
    game, _ = at_action()
    with pytest.raises(IllegalAnswer):
        game.submit(answer)


def test_a_weapon_rule_for_this_attack() -> None:
    game, who = at_action()
    own = game.state.operatives[who]
    weapon = next(each for each in game.battle.weapons(own) if each.kind == "ranged")
    before = len(game.battle.weapon_rules(own, weapon))
    game.submit(Deed("red", "a lens", "rule", who, ("Saturate", "action")).answer)
    assert len(game.battle.weapon_rules(own, weapon)) == before + 1
    game.submit("pass")
    assert not [effect for effect in game.state.effects if effect.source == "a lens"]  # it is over with the activation


@pytest.mark.parametrize("dice", ["attack", "defence"])
def test_a_re_roll_is_given_to_whoever_shoots_or_is_shot_at(dice: str) -> None:
    game = until(new_game(PLAIN), "target", 5)
    assert isinstance(game.pending, Pick)
    target = game.pending.open_keys[0]
    shooter = game.state.activation.operative if game.state.activation is not None else ""
    whose = shooter if dice == "attack" else target
    side = game.state.operatives[whose].side
    game.submit(Deed(side, "luck", "re-roll", whose, (dice, "action")).answer)
    game.submit(target)
    while game.pending is not None and not (game.pending.topic == "reroll" and game.pending.seat == side):
        assert game.pending.topic != "action", "it was never offered"
        game.submit((1,) * game.pending.count if isinstance(game.pending, Roll) else game.pending.sample(Random(1)))
    assert isinstance(game.pending, Pick)
    assert any("By hand: luck" in option.text for option in game.pending.options)


def test_dice_on_the_table_are_left_alone() -> None:
    game = until(new_game(PLAIN), "attack", 3)
    who = next(iter(game.state.operatives))
    assert in_dice(game.pending)
    before = game.digest()
    with pytest.raises(IllegalAnswer, match="Dice are on the table"):
        game.submit(Deed("red", "x", "wounds", who, (-1,)).answer)
    assert game.digest() == before
    pending = game.pending
    game.submit(Deed("red", "x", "token", who, (1, "Mark")).answer)
    assert game.pending is pending


def some_deed(game: Game, rng: Random) -> Deed:
    """Something done by hand, whether or not it can be."""
    who = rng.choice(list(game.state.operatives.values()) or [None])  # type: ignore[list-item]
    id = who.id if who is not None else "nobody"
    side, lasts = rng.choice(SIDES), rng.choice(list(LASTS))
    kinds: list[tuple[Any, ...]] = [
        ("wounds", id, (rng.choice((-9, -3, -1, 1, 4)),)),
        ("stat", id, (rng.choice((-1, 1)), rng.choice(CHANGED_STATS), lasts)),
        ("rule", id, (rng.choice(("Piercing 1", "Balanced", "Silent")), lasts)),
        ("re-roll", id, (rng.choice(("attack", "defence")), lasts)),
        ("token", id, (rng.choice((-1, 1, 2)), "Poison")),
        ("order", id, (rng.choice(("engage", "conceal")),)),
        ("cp", side, (rng.choice((-2, -1, 1)),)),
        ("note", "", ("something",)),
    ]
    if who is not None:
        kinds.append(("move", id, (who.x + rng.randint(-3000, 3000), who.y + rng.randint(-3000, 3000), who.level)))
    return Deed(side, "soak", *rng.choice(kinds))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_with_deeds_come_to_their_end_and_replay(seed: int, tmp_path: Path) -> None:
    """Whatever is done by hand at whatever moment: the game goes on, and its journal leads to the same hash."""
    rng, path = Random(seed), tmp_path / "game.ktsim"
    session = Session.begin(PLAIN, path, is_sandbox=True)
    game, done = session.game, 0
    while game.pending is not None:
        deed = some_deed(game, rng)
        if rng.random() < 0.2 and game.refuses(deed.answer) is None:
            before = game.digest()
            session.submit(deed.answer)
            done += 1
            if rng.random() < 0.2:
                session.undo()
                assert game.digest() == before
                continue
        if game.pending is not None:
            session.submit(game.pending.sample(rng))
    session.close()
    assert done > 20
    again = load(path)
    assert not again.differs
    assert again.game.digest() == game.digest()
    kept = [deed_of(answer) for answer in again.game.answers]
    assert sum(deed is not None for deed in kept) > 15


def test_it_is_typed_in_a_terminal(tmp_path: Path) -> None:
    session = Session.begin(PLAIN, tmp_path / "game.ktsim")
    until(session.game, "action")
    assert session.game.state.activation is not None
    name = session.game.battle.name(session.game.state.activation.operative)
    lines = iter(["hand", f"hand wounds {name} -1 because a stray shot", f"hand {name} +1", "quit"])
    out = io.StringIO()
    TextPlay(session, lambda: next(lines), out, dice=Sampler(1)).run()
    said = out.getvalue()
    assert "hand wounds NAME +2 because REASON" in said
    assert f"{name} suffers 1 damage (by hand). Why: a stray shot." in said
    assert "Say what is done and why" in said
    session.close()


def test_lines_stand_for_deeds() -> None:
    game, who = at_action()
    name = game.battle.name(who)
    for line, kind, args in (
        ("apl {} -1 activation because x", "stat", (-1, "apl", "activation")),
        ("rule {} Piercing 1, action because x", "rule", ("Piercing 1", "action")),
        ("re-roll {} defence turning-point because x", "re-roll", ("defence", "turning-point")),
        ("token {} +1 Slow Poison because x", "token", (1, "Slow Poison")),
        ("order {} conceal because x", "order", ("conceal",)),
        ("move {} 12.5,8 because x", "move", (12500, 8000, 0)),
    ):
        assert deed_from(line.format(name), "red", game.state) == Deed("red", "x", kind, who, args)  # type: ignore[arg-type]
    assert deed_from("cp blue -1 because x", "red", game.state) == Deed("red", "x", "cp", "blue", (-1,))
