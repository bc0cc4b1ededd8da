"""A whole invented team in the community's JSON shape: lists to select from, loadouts, limits, ploys, equipment, and
texts of every kind, some of which nobody can enforce."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from team_json import operative, profile, rule, weapon

SELECTION = """A LANTERN MOTH kill team is composed of:

- 1 KEEPER operative with one of the following options:
  - Storm lamp; brass hook
  - Flare pistol; brass hook
- 7 LANTERN MOTH operatives selected from the following list:
  - GUNNER with fists and one of the following options:
    - Arc lance
    - Tar thrower
  - MENDER*
  - SCOUT*
  - BELLRINGER
  - PORTER

Other than PORTER operatives, your kill team can only include each operative on this list once.

*You cannot select more than two of these operatives combined.
"""


def _moth(name: str, *weapons: dict[str, Any], keyword: str = "", **changes: Any) -> dict[str, Any]:
    words = f"LANTERN MOTH, {keyword or name.upper()}"
    return operative(name, *weapons, **{"keywords": words, "basesize": 28, **changes})


def whole_team() -> dict[str, Any]:
    carbine = weapon("Moth carbine", "R", profile(rule("UNIV-RANGE", 9)))
    fists = weapon("Fists", "M", profile(DMG="2/3"))
    hook = weapon("Brass hook", "M", profile(rule("UNIV-BRUTAL"), ATK="4", HIT="3+", DMG="3/5"))
    keeper = _moth(
        "Keeper",
        weapon("Storm lamp", "R", profile(rule("UNIV-BLAST", 1), ATK="5", DMG="3/5")),
        weapon("Flare pistol", "R", profile(rule("UNIV-RANGE", 8), rule("UNIV-LETHAL", 5), DMG="4/6")),
        hook,
        keyword="KEEPER, LEADER",
        APL=3,
        WOUNDS=11,
        SAVE="3+",
        abilities=[
            {
                "abilityName": "Steady light",
                "description": "Whenever this operative is activated, it regains D3 lost wounds.",
            },
            {
                "abilityName": "Old grudge",
                "description": "Whenever this operative is fighting somebody who laughed at it, it strikes twice.",
            },
        ],
    )
    gunner = _moth(
        "Gunner",
        weapon("Arc lance", "R", profile(rule("UNIV-PIERCING", 1), rule("UNIV-HEAVY", None, "Dash"), DMG="4/6")),
        weapon("Tar thrower", "R", profile(rule("UNIV-RANGE", 7), rule("UNIV-TORRENT", 2), rule("MOTH-STICKY"))),
        fists,
    )
    mender = _moth(
        "Mender",
        carbine,
        fists,
        actions=[
            {
                "name": "Patch up",
                "AP": 1,
                "description": None,
                "effects": ['Select one friendly LANTERN MOTH operative within 3" of this operative to be sewn up.'],
                "conditions": ["This operative cannot perform this action while within control range of an enemy."],
            }
        ],
    )
    scout = _moth(
        "Scout",
        weapon("Long carbine", "R", profile(rule("UNIV-HEAVY", None, "Dash"), rule("UNIV-SILENT"), HIT="2+")),
        fists,
        MOVE='7"',
        abilities=[
            {
                "abilityName": "Wings folded",
                "description": "Whenever an operative is shooting this operative, if you can retain any cover saves, "
                "you can retain one additional cover save.",
            }
        ],
    )
    ringer = _moth("Bellringer", weapon("Hand bell", "M", profile(rule("UNIV-STUN"))), carbine)
    porter = _moth("Porter", carbine, fists, WOUNDS=8, SAVE="4+")
    return {
        "killteamId": "LNT-MOTH",
        "killteamName": "Lantern Moths",
        "archetypes": ["Recon", "Security"],
        "composition": SELECTION,
        "ploys": [
            {
                "ployType": "S",
                "ployName": "Night shift",
                "description": "Friendly LANTERN MOTH operatives' ranged weapons have the Balanced weapon rule.",
            },
            {"ployType": "S", "ployName": "Moonrise", "description": "The moon is higher than it was. Ask everybody."},
            {
                "ployType": "F",
                "ployName": "Second wind",
                "description": "Use this firefight ploy when a friendly LANTERN MOTH operative is activated. Until the "
                "end of that activation, add 1 to its APL stat.",
            },
            {"ployType": "F", "ployName": "Flutter", "description": "Use this firefight ploy when a moth flutters by."},
        ],
        "equipments": [
            {
                "eqName": "Wax plates",
                "description": "Whenever an operative is shooting a friendly LANTERN MOTH operative, you can re-roll "
                "one of your defence dice.",
            },
            {"eqName": "Candle ends", "description": "Light one when it is dark. It smells of honey."},
        ],
        "teamAbilities": [
            {"abilityName": "Drawn to it", "description": "Once per turning point a moth may circle a lamp of yours."}
        ],
        "opTypes": [keeper, gunner, mender, scout, ringer, porter],
        "weapon_rules": [
            {"id": "WR-MOTH-STICKY", "name": "Sticky", "description": "Whoever is hit has tar in its feathers."}
        ],
    }


def downloaded(folder: Path, name: str = "lantern-moths.json") -> Path:
    """The team as a file somebody has downloaded."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(whole_team()), encoding="utf-8")
    return path
