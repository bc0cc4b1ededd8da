"""An invented team in the community JSON shape; every test changes a copy of it."""

from __future__ import annotations

from typing import Any


def rule(name: str, number: Any = None, details: Any = None) -> dict[str, Any]:
    found = {"id": f"WR-{name}"}
    return found | ({} if number is None else {"number": number}) | ({} if details is None else {"details": details})


def profile(*rules: dict[str, Any], name: str = "", **changes: Any) -> dict[str, Any]:
    return {"profileName": name, "ATK": "4", "HIT": "3+", "DMG": "3/4", "WR": list(rules), **changes}


def weapon(name: str, kind: str, *profiles: dict[str, Any]) -> dict[str, Any]:
    return {"wepId": name.upper(), "wepName": name, "wepType": kind, "profiles": list(profiles)}


def operative(name: str, *weapons: dict[str, Any], **changes: Any) -> dict[str, Any]:
    found = {"opTypeId": name.upper(), "opTypeName": name, "MOVE": '6"', "APL": 2, "SAVE": "4+", "WOUNDS": 9}
    return found | {"keywords": "MOTH, CLERK", "basesize": 28, "weapons": list(weapons), "abilities": []} | changes


def sample() -> dict[str, Any]:
    clerk = operative(
        "Head Clerk",
        weapon("Inkwell", "R", profile(rule("UNIV-RANGE", 8), rule("UNIV-PIERCING", 1, "Crits"))),
        weapon(
            "Stapler",
            "R",
            profile(rule("UNIV-HEAVY", None, "Dash"), name="Slow"),
            profile(rule("UNIV-LETHAL", 5), rule("MOTH-DUST"), name="Quick"),
        ),
        weapon("Ruler", "M", profile(rule("UNIV-BRUTAL"))),
        APL=3,
        keywords="MOTH, CLERK, LEADER",
        abilities=[
            {"abilityName": "Filing", "description": "Whenever this operative is shooting, file a form.\n\n- Twice"}
        ],
        actions=[
            {
                "name": "Stamp",
                "AP": 1,
                "description": None,
                "effects": ["Stamp a form."],
                "conditions": ["Never at lunch."],
            }
        ],
    )
    cart = operative("Paper Cart", weapon("Wheels", "M", profile()), basesize="60x35", MOVE="-", APL=0)
    return {
        "killteamId": "MOTH",
        "killteamName": "Moth Office",
        "archetypes": ["Seek & Destroy", "Security"],
        "composition": "One clerk and one cart.",
        "ploys": [
            {"ployType": "S", "ployName": "Overtime", "description": "Stay late."},
            {"ployType": "T", "ployName": "Tea Break", "description": "Stop at once."},
        ],
        "equipments": [{"eqName": "Blotter", "description": "Dries.", "weapons": []}],
        "teamAbilities": [{"abilityName": "Paperwork", "description": "Everything takes longer."}],
        "opTypes": [clerk, cart],
        "weapon_rules": [{"id": "WR-MOTH-DUST", "name": "Dust", "description": "While fighting, everybody sneezes."}],
    }
