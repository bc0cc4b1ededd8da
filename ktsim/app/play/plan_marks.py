"""A plan drawn on the table: whoever acts, its ways to where it will stand, and whom it attacks."""

from __future__ import annotations

from dataclasses import replace

from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.overlays import TEAL, Ghost, Label, Measure, Overlay, ring
from ktsim.game.review.carrying_out import BetterPlan
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import inches
from ktsim.sight.scene import Scene


def plan_marks(battle: Battle, scene: Scene, plan: BetterPlan, there: str) -> list[Overlay]:
    """The plan; *there* are the words with its operative's name where it ends."""
    who = scene.operative(plan.operative)
    items: list[Overlay] = [ring(who, 0.13, colour=TEAL, width=0.09)]
    at = (who.x, who.y, who.level)
    for step in plan.steps:
        for point in step.path:
            to = (inches(point[0]), inches(point[1]), inches(point[2]))
            items.append(Measure((at[0], at[1], at[2] + 0.06), (to[0], to[1], to[2] + 0.06)))
            at = to
        if step.target and any(one.id == step.target for one in scene.operatives):
            target = scene.operative(step.target)
            items.append(ring(target, 0.13, width=0.09, dash=0.22))
            items.append(Label((target.x, target.y, target.level + 1.6), f"{step.action}: {battle.name(target.id)}"))
    if at != (who.x, who.y, who.level):
        end = replace(who, x=at[0], y=at[1], level=at[2])
        x, y, z = head_of(end)
        items += [Ghost(end, True), Label((x, y, z + 0.35), f"{battle.name(who.id)}, {there}", "target")]
    return items
