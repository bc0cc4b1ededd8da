"""``ktsim sim``: whole games without a window."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.errors import Problem, UserError
from ktsim.game.boards import board_names
from ktsim.game.bots import BOTS, LEVELS
from ktsim.game.game import Game
from ktsim.game.journal import JournalEntry
from ktsim.game.named_files import at_home
from ktsim.game.partners import Partners
from ktsim.game.players import Player, Sampler
from ktsim.game.record import header_of, save
from ktsim.game.setup import Setup, prepare
from ktsim.game.story import score_sheet
from ktsim.killzones.scene_file import DATES_KNOWN
from ktsim.rules.editions import EDITIONS, MISSIONS, USUAL
from ktsim.rules.kt24.joint.mission import DIFFICULTIES, USUAL_DIFFICULTY
from ktsim.rules.kt24.ops.register import CRIT_OPS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=1, metavar="N", help="how many games (default 1)")
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed gives the same games (default 0)")
    add_game_arguments(parser)
    for side in ("red", "blue"):
        parser.add_argument(f"--{side}-bot", default="random", metavar="BOT", help=f"one of {', '.join(BOTS)}")
        parser.add_argument(f"--{side}-level", default="", metavar="L", help=f"one of {', '.join(LEVELS)}")
    parser.add_argument("--ally", default="", metavar="BOT", help="a bot that plays half of blue in a joint mission")
    parser.add_argument("--json", action="store_true", help="print a JSON object per game")
    parser.add_argument("--score", action="store_true", help="print the score sheet after each game")
    parser.add_argument("--out", metavar="DIR", help="keep the replays in this folder")


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """What every command that begins a game takes."""
    usual = Setup()
    parser.add_argument("--killzone", default=usual.board, metavar="K", help=f"one of {', '.join(board_names())}")
    parser.add_argument("--edition", default=usual.edition, metavar="E", help=f"one of {', '.join(EDITIONS)}")
    usually = ", ".join(f"{mission} for {edition}" for edition, mission in USUAL.items())
    missions = f"one of {', '.join(MISSIONS)} (default: {usually})"
    parser.add_argument("--mission", "--pack", default=usual.mission, metavar="M", help=missions)
    parser.add_argument("--rules", default=usual.rules, metavar="DATE", help=f"rules as of this date; {DATES_KNOWN}")
    crit_ops = f"the shared crit op, one of {', '.join(CRIT_OPS)} (default: drawn in the game)"
    parser.add_argument("--crit-op", default=usual.crit_op, metavar="OP", help=crit_ops)
    levels = f"of a joint mission: {', '.join(DIFFICULTIES)} (default {USUAL_DIFFICULTY})"
    parser.add_argument("--difficulty", default=usual.difficulty, metavar="D", help=levels)
    parser.add_argument("--red", default=usual.red, metavar="TEAM", help="a team's name or file")
    parser.add_argument("--blue", default=usual.blue, metavar="TEAM", help="a team's name or file")
    for side in ("red", "blue"):
        text = f"for {side}: +2CP (more CP to begin with) or -1 (an operative fewer)"
        parser.add_argument(f"--{side}-handicap", default="", metavar="H", help=text)
    parser.add_argument(
        "--table",
        choices=("sight", "plain"),
        default=usual.table,
        help="sight: terrain and figures decide who sees whom; plain: everybody sees everybody",
    )


def setup_of(args: argparse.Namespace) -> Setup:
    mission = MISSIONS.get(args.mission)
    return Setup(
        edition=args.edition,
        board=args.killzone,
        red=mission.machine_team or args.red if mission is not None else args.red,
        blue=args.blue,
        mission=args.mission,
        table=args.table,
        crit_op=args.crit_op,
        handicap_red=args.red_handicap,
        handicap_blue=args.blue_handicap,
        rules=args.rules,
        difficulty=args.difficulty,
        players="2" if args.ally else "1",
    )


def machine_seat(args: argparse.Namespace, mission: str, unnamed: str | None) -> None:
    """Have red of a joint mission, unless a bot was named for it, played as its operatives are."""
    if mission in MISSIONS and MISSIONS[mission].machine_team and args.red_bot == unnamed:
        args.red_bot = "npo"


def ally_of(args: argparse.Namespace, seed: int | str, seconds: float | None = None) -> Player:
    """The bot that shares blue."""
    if args.ally not in BOTS:
        raise UserError(Problem("--ally", f"no such bot {args.ally[:40]!r}; there are {', '.join(BOTS)}"))
    return BOTS[args.ally](seed, "", seconds)


def bot_of(args: argparse.Namespace, side: str, seed: int | str, seconds: float | None = None) -> Player:
    """The bot the arguments name for *side*."""
    name, level = getattr(args, f"{side}_bot"), getattr(args, f"{side}_level")
    if name not in BOTS:
        raise UserError(Problem(f"--{side}-bot", f"no such bot {name[:40]!r}; there are {', '.join(BOTS)}"))
    if level and level not in LEVELS:
        raise UserError(Problem(f"--{side}-level", f"no such level {level[:40]!r}; there are {', '.join(LEVELS)}"))
    return BOTS[name](seed, level, seconds)


def check_seed(place: str, text: str) -> None:
    """Whether a seed is text at all: the system hands over any bytes."""
    if not text.isprintable() or len(text) > NAME_LIMIT:
        text = printable(text, 40)
        raise UserError(Problem(place, f"'{text}' is no seed; use at most {NAME_LIMIT} letters and digits"))


def run(args: argparse.Namespace) -> int:
    if args.games < 1:
        raise UserError(Problem("--games", f"{args.games} is not a number of games; at least 1"))
    machine_seat(args, args.mission, "random")
    for side in ("red", "blue"):
        bot_of(args, side, "0")
    if args.ally:
        ally_of(args, "0")
    check_seed("--seed", args.seed)
    setup = setup_of(args)
    out = Path(args.out) if args.out else None
    if out is not None:
        _make_folder(out)
        setup = at_home(setup)
    for number in range(1, args.games + 1):
        print(one_game(setup, f"{args.seed}/{number}", number, args, out), flush=True)
    return 0


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"no folder for replays can be made there: {error.strerror}; name another"
        raise UserError(Problem(printable(str(out), 200), text)) from None


def one_game(setup: Setup, seed: str, number: int, args: argparse.Namespace, out: Path | None) -> str:
    """Play one game; the line that tells of it."""
    battle, state = prepare(setup)
    header_state = state.copy()
    game = Game(battle, state)
    players: dict[str, Player] = {
        "red": bot_of(args, "red", f"{seed}/red"),
        "blue": bot_of(args, "blue", f"{seed}/blue"),
        "chance": Sampler(f"{seed}/chance"),
    }
    if args.ally:
        players["blue"] = Partners(players["blue"], ally_of(args, f"{seed}/ally"))
    entries: list[JournalEntry] = []
    while game.pending is not None:
        try:
            answer = players[game.pending.seat].answer(game.pending, game)
            game.submit(answer)
        except Exception as error:
            error.add_note(f"in the game of seed {seed}, after {len(game.answers)} answers")
            raise
        if out is not None:
            entries.append(JournalEntry(game.digest(), answer=answer))
    if out is not None:
        save(out / f"game-{number:04}.ktsim", entries, header_of(game, setup, header_state))
    vp = game.state.vp
    if args.json:
        told_json = {
            "game": number,
            "winner": game.outcome,
            "vp": vp,
            "decisions": len(game.answers),
            "hash": game.digest(),
        }
        if args.score:
            told_json["rules_as_of"] = battle.rules_as_of
            told_json["sheet"] = [line._asdict() for line in game.state.sheet]
        return json.dumps(told_json)
    told = "draw" if game.outcome == "draw" else f"{game.outcome} wins"
    score = f"VP red {vp['red']} blue {vp['blue']}"
    line = f"game {number}: {told}, {score}, {len(game.answers)} decisions, {game.digest()}"
    return "\n".join([line, *score_sheet(game.battle)]) if args.score else line
