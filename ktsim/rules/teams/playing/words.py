"""Which hooks of the engine a word of the language needs: effects that hold, moments at which something happens."""

from __future__ import annotations

from dataclasses import dataclass

SEQUENCES = frozenset({"shooting", "fighting", "retaliating"})
MELEE = frozenset({"fighting", "retaliating"})
ALWAYS = frozenset({"always"})
SHOT_AT = frozenset({"shot-at"})
COMMON = frozenset({"", "who", "if", "instead"})


@dataclass(frozen=True)
class StandingWord:
    """An effect that holds: the hooks that ask for it, the moments it may hold at, the arguments it understands.

    *late*: conditions about dice it can be bound to; *is_limited*: whether its uses are counted, so that it may have a
    limit; *may*: whether leaving it to the player makes no difference, because nobody would do without it.
    """

    hooks: tuple[str, ...]
    moments: frozenset[str]
    args: frozenset[str] = COMMON
    late: frozenset[str] = frozenset()
    is_limited: bool = False
    may: bool = False


def _args(*names: str) -> frozenset[str]:
    return COMMON | frozenset(names)


DAMAGED = frozenset({"die", "damage", "first-time"})
ROLLED = frozenset({"fails", "criticals", "successes"})

STANDING: dict[str, StandingWord] = {
    "grant": StandingWord(("weapon_texts",), ALWAYS | SEQUENCES, _args("weapons", "instead-of"), may=True),
    "remove-rule": StandingWord(("weapon_texts",), ALWAYS | SEQUENCES, _args("weapons")),
    "ignore-rule": StandingWord(("weapon_texts",), ALWAYS | SHOT_AT | MELEE),
    "unaffected": StandingWord(("weapon_texts", "hand"), ALWAYS | SHOT_AT | MELEE, _args("unless-target"), may=True),
    "weaken-rule": StandingWord(("weapon_texts",), ALWAYS | SHOT_AT, _args("by")),
    "replace-rule": StandingWord(("weapon_texts",), ALWAYS | SHOT_AT, _args("with")),
    "stat": StandingWord(
        ("stat", "hand", "shot"),
        ALWAYS | SEQUENCES | SHOT_AT,
        _args("by", "set", "most", "least", "weapons", "not-with-injury"),
    ),
    "ignore-changes": StandingWord(
        ("hand", "shot"), ALWAYS, _args("from", "weapons", "except", "may", "with-weapons"), may=True
    ),
    "reroll": StandingWord(("hand", "guards"), ALWAYS | SEQUENCES | SHOT_AT, _args("dice", "results"), may=True),
    "forbid-reroll": StandingWord(("hand", "shot"), ALWAYS | SEQUENCES | SHOT_AT, _args("results")),
    "retain": StandingWord(("guards",), SHOT_AT, _args("dice", "of"), may=True),
    "convert": StandingWord(
        ("hand", "guards"),
        SEQUENCES | SHOT_AT,
        _args("to", "discard", "of", "result", "per-token", "any-retained"),
        late=ROLLED,
        is_limited=True,
        may=True,
    ),
    "choose": StandingWord(("hand", "guards"), SEQUENCES | SHOT_AT, late=ROLLED, is_limited=True, may=True),
    "critical-on": StandingWord(("hand", "shot"), ALWAYS | SEQUENCES | SHOT_AT, _args("of")),
    "no-critical-below": StandingWord(("hand",), ALWAYS | SEQUENCES),
    "cover-save": StandingWord(("shot",), SHOT_AT, may=True),
    "reduce-damage": StandingWord(
        ("wards",),
        ALWAYS | SHOT_AT | MELEE | {"damage"},
        _args("least", "halve", "to", "whole", "not-with"),
        late=DAMAGED,
        is_limited=True,
        may=True,
    ),
    "downgrade-crit": StandingWord(("wards",), SHOT_AT | MELEE | {"damage"}, late=DAMAGED, is_limited=True, may=True),
    "roll": StandingWord(
        ("wards",), SHOT_AT | MELEE | {"damage"}, _args("at", "do"), late=DAMAGED, is_limited=True, may=True
    ),
    "strike-damage": StandingWord(("duel",), MELEE | ALWAYS, _args("most"), late=frozenset({"first-time"})),
    "block": StandingWord(("duel",), MELEE, _args("unless-brutal"), may=True),
    "early-block": StandingWord(("duel",), MELEE, may=True),
    "resolve-first": StandingWord(
        ("retaliates_first", "duel", "fought"), frozenset({"retaliating"}) | ALWAYS, late=frozenset({"first-time"})
    ),
    "extra-action": StandingWord(("stat", "claim"), ALWAYS, _args("not-both")),
    "ap-cost": StandingWord(("stat",), ALWAYS, _args("actions", "except", "once"), is_limited=True),
    "allow": StandingWord(
        (
            *("stat", "waives", "actions", "forbids_weapon", "weapon_ap", "move_request", "walked", "ruling", "claim"),
            *("shoots_past_friends", "action_ends"),
        ),
        ALWAYS,
        _args("times", "while", "after", "weapons", "either", "except", "psychic-once", "dear", "must", "regardless")
        | {"free-once", "leftover", "only-foe-engaged", "dear-once"},
        is_limited=True,
        may=True,
    ),
    "forbid": StandingWord(("claim", "forbids_activation"), ALWAYS, _args("except")),
    "forbid-rules": StandingWord((), ALWAYS),
    "forbid-weapons": StandingWord(("forbids_weapon",), ALWAYS, _args("not-own")),
    "forbid-retaliation": StandingWord(("forbids_retaliation",), ALWAYS),
    "assist": StandingWord(("assists",), ALWAYS),
    "forbid-assist": StandingWord(("forbids_assist",), ALWAYS | MELEE),
    "forbid-order": StandingWord(("forbids_order",), ALWAYS),
    "forbid-target": StandingWord(("ruling",), ALWAYS | SHOT_AT, _args("unless-within", "precedence")),
    "obscure": StandingWord(("ruling",), ALWAYS | SHOT_AT),
    "reveal": StandingWord((), ALWAYS | {"shooting"}, may=True),
    "no-light-cover": StandingWord(("weapon_texts",), ALWAYS),
    "shoot-past-friends": StandingWord(("shoots_past_friends",), ALWAYS | {"shooting"}, may=True),
    "controls": StandingWord(("control_apl",), frozenset({"control"}) | ALWAYS),
    "head": StandingWord((), ALWAYS),
    "distance": StandingWord((), ALWAYS, _args("actions")),
    "immune": StandingWord((), ALWAYS),
    "no-damage-from": StandingWord(("shot", "hand"), ALWAYS),
    "cap-damage": StandingWord(("hand",), ALWAYS, _args("weapons")),
    "carries": StandingWord(("ready_step", "may_pick_up", "refuses_marker_at"), ALWAYS, _args("not-near-enemy")),
    "move-extra": StandingWord(("move_request", "stat"), ALWAYS, _args("actions")),
    "climb": StandingWord(("move_request",), ALWAYS, may=True),
    "drop": StandingWord(("move_request",), ALWAYS, may=True),
    "forbid-move": StandingWord(("move_request",), ALWAYS),
    "relocate": StandingWord(
        ("relocates",),
        ALWAYS,
        _args("own-move", "dash", "horizontally", "no-engage", "through-walls", "actions"),
        is_limited=True,
        may=True,
    ),
    "control-apl": StandingWord(("control_apl",), frozenset({"control"}) | ALWAYS, _args("total", "set", "at-least")),
    "counteract": StandingWord(("may_counteract",), ALWAYS),
    "not-counted": StandingWord(("counts_for_kills",), ALWAYS),
    "ploy-cost": StandingWord(("ploy_cost",), ALWAYS, _args("cp", "specified", "used-for"), is_limited=True),
    "add-weapon": StandingWord(
        ("weapons", "forbids_weapon", "sequence_ends", "fought"),
        ALWAYS,
        _args("times", "per", "unless-better"),
        is_limited=True,
    ),
    "use-grenades": StandingWord(("weapons", "actions"), ALWAYS, _args("hit")),
    "extra-equipment": StandingWord(("more_equipment",), ALWAYS, frozenset({""}), may=True),
    "status": StandingWord((), ALWAYS),
    "counts-as": StandingWord((), ALWAYS),
}
"""Effects that hold."""

PAID = frozenset({"strike", "reduce-damage", "downgrade-crit", "roll", "convert"})
"""Effects in the middle of a sequence that a firefight ploy may be used for."""

MOMENT_HOOKS: dict[str, tuple[str, ...]] = {
    "used": ("actions", "gambits"),
    "activation": ("actions",),
    "gambit": ("gambits",),
    "ready-step": ("ready_step",),
    "turning-point-ended": ("turning_point_ends",),
    "firefight-begins": ("firefight_begins",),
    "firefight-ends": ("firefight_ends",),
    "activated": ("activation_begins",),
    "counteracts": ("activation_begins",),
    "activation-ended": ("activation_ends",),
    "expended": ("expended",),
    "doing": ("action_begins", "action_holds"),
    "done": ("action_ends",),
    "has-fought": ("fought",),
    "near-marker": ("moved", "action_ends", "ready_step"),
    "rolling": (),
    "defending": (),
    "defended": (),
    "dying": ("would_fall",),
    "incapacitated": ("incapacitated",),
    "incapacitates": ("incapacitated",),
    "targeted": (),
    "fought": (),
    "choosing-target": (),
    "choosing-weapon": (),
    "rolled": (),
}
"""Moments at which something happens, with the hooks where it must."""

WINDOWS: dict[str, tuple[str, ...]] = {
    "activated": ("activated",),
    "counteracts": ("counteracts",),
    "weapon chosen": ("choosing-target", "choosing-weapon"),
    "targeted": ("targeted",),
    "fought": ("fought",),
    "shot begins": ("rolling",),
    "fight begins": ("rolling",),
    "attack rolled": ("rolled",),
    "attack retained": ("defending",),
    "defence rolled": ("defended",),
    "fight rolled": ("rolled",),
    "has fought": ("has-fought",),
    "action begins": ("doing",),
    "action ended": ("done",),
    "incapacitated": ("incapacitated", "incapacitates"),
    "activation ended": ("activation-ended", "expended"),
}
"""Windows in which rules of these moments may be used."""
OFFERED = frozenset(word for words in WINDOWS.values() for word in words) | {
    "activation",
    "dying",
    "firefight-begins",
    "firefight-ends",
    "gambit",
    "ready-step",
    "turning-point-ended",
    "used",
}
"""Moments at which a player may be asked."""
