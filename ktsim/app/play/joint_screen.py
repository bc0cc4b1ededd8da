"""Agreeing on a joint mission: one player, two at one screen, or one with a bot, against operatives nobody plays."""

from __future__ import annotations

from dataclasses import replace

from ktsim.app.play import offers
from ktsim.app.play.offers import NON_PLAYER, SetupOffer
from ktsim.app.play.saves import HUMAN, Agreement
from ktsim.app.play.setup_page import Field, SetupPage
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.app.screens.screen import Host
from ktsim.game.setup import Setup
from ktsim.rules.editions import MISSIONS
from ktsim.rules.kt24.joint.mission import USUAL_DIFFICULTY

ALONE, COMMANDER = "alone", "commander"
TOGETHER = (
    SetupOffer(ALONE, "Alone", "You have the whole team."),
    SetupOffer(COMMANDER, "With the commander", "A bot has half of the team; you take turns within it."),
    SetupOffer(HUMAN, "Two players", "Each has half of the team; you take turns within it at one screen."),
)
WORDS = "You are blue, against operatives nobody plays: each does what its list of behaviours says."


class JointScreen(SetupScreen):
    """The page for joint missions."""

    def __init__(self, desktop: Host) -> None:
        super().__init__(desktop, is_solo=True)

    def _take_up(self) -> None:
        self.name = "joint-setup"
        mission = self._offered("mission")[0].key
        self.chosen |= {"red-seat": NON_PLAYER, "mission": mission}
        self.chosen |= {"together": ALONE, "difficulty": USUAL_DIFFICULTY}
        super()._take_up()

    def page(self) -> SetupPage:
        page, chosen = super().page(), self.chosen
        board, mission = page.columns[0]
        together = Field("together", "WHO PLAYS", TOGETHER)
        level = Field("difficulty", "DIFFICULTY", offers.difficulties(chosen["mission"]))
        columns = [[board, together], [mission, level], page.columns[1], page.columns[-1]]
        rules = replace(page.rules, offers=[offer for offer in page.rules.offers if offer.key == "kt24"])
        return replace(page, title="Joint missions", words=WORDS, rules=rules, columns=columns)

    def _offered(self, name: str) -> list[SetupOffer]:
        if name == "mission":
            return offers.missions("kt24", self.chosen["board"], is_joint=True)
        return super()._offered(name)

    def setup(self) -> Setup:
        found = super().setup()
        is_alone = self.chosen["together"] == ALONE
        team = MISSIONS[found.mission].machine_team
        return replace(found, red=team, handicap_red="", players="1" if is_alone else "2")

    def agreement(self) -> Agreement:
        together = self.chosen["together"]
        level = "commander" if together == COMMANDER else "normal"
        return replace(super().agreement(), ally="" if together == ALONE else together, level=level)
