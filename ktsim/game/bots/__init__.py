"""Bots: things that answer decisions by themselves, for solo play and for simulated games."""

from ktsim.content.plugins import Extensible
from ktsim.game.bots.commander import Commander
from ktsim.game.bots.npo import NonPlayer
from ktsim.game.bots.plans import LEVELS
from ktsim.game.bots.quick import quick_answer
from ktsim.game.bots.tactician import Tactician
from ktsim.game.bots.weights import weights_of
from ktsim.game.players import BotKind, Purposeful, Sampler


def _commander(style: str, text: str) -> BotKind:
    def make(seed: int | str, level: str, seconds: float | None) -> Commander:
        return Commander(seed, level, seconds, weights_of(style))

    return BotKind(f"commander-{style}" if style else "commander", text, make, tuple(LEVELS), "commander", True)


_OWN = {
    kind.name: kind
    for kind in (
        BotKind("random", "Does anything that is legal.", lambda seed, level, seconds: Sampler(seed)),
        BotKind(
            "purposeful",
            "Does anything that is legal, but rather what the mission asks for.",
            lambda seed, level, seconds: Purposeful(seed),
        ),
        BotKind(
            "npo",
            "Follows the behaviour list of each operative, as non-player operatives do.",
            lambda seed, level, seconds: NonPlayer(seed, seconds),
            is_repeatable=True,
        ),
        BotKind(
            "tactician",
            "Goes for objectives, uses cover, takes good shots and charges when it pays.",
            lambda seed, level, seconds: Tactician(seed, level, seconds),
            tuple(LEVELS),
            is_repeatable=True,
        ),
        _commander("cautious", "A commander that takes few risks."),
        _commander("aggressive", "A commander that goes for the enemy."),
        _commander("objective", "A commander that goes for markers above all."),
        _commander("", "Plans whole activations, plays for what is scored and minds what the enemy may do."),
    )
}


def _read(name: str, loaded: object) -> BotKind:
    if not isinstance(loaded, BotKind):
        raise TypeError(f"{name!r} is not a BotKind")
    return loaded


BOTS: Extensible[BotKind] = Extensible(_OWN, "ktsim.bots", _read)
"""Every kind of bot by its name."""

__all__ = ["BOTS", "LEVELS", "BotKind", "Commander", "NonPlayer", "Tactician", "quick_answer"]
