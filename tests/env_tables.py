"""Tables at which the environments are tested, of 2, 3 and 4: the presets, and two with all that can be agreed on."""

from thousand_env.rules import PRESETS, RuleSet

# All that can be played side by side; what excludes something here is in GOLDEN.
EVERYTHING = (
    "classic cut_ceremony=yes cut_single_card=yes dealer_errors=10 redeal_three_nines=force redeal_four_jacks=offer"
    " redeal_talon_jacks=offer negative_auction=others_pass exchange=closed must_beat=yes must_overtrump=yes"
    " declare_with=king_or_queen trump_from=next_trick marriage_first_lead=always ace_marriage=yes"
    " ace_marriage_trump=last_ace round_declarer=yes bolts=cumulative barrel_auction=granted barrel_skippable=yes"
    " reverse_barrel=500 blind_bonus=50 write_off_limit=0 write_off_on_barrel=yes write_off_with_barrel=yes"
    " enforcement=table bonus_hands=2 bonus_suits=2 bonus_card=2"
)
GOLDEN = (
    "online golden=yes golden_none_made=repeat golden_doubles_marriages=no write_off=off baptism=yes blind=yes"
    " blind_bolts=count declare=automatic barrel_failed_contract=deduct barrel_tie=one_falls negative_auction=barred"
    " redeal_low_talon=force talon_at_100=declarer_chooses ace_marriage_trump=led_ace enforcement=table bonus_card=3"
)
PLAYERS = (2, 3, 4)

TEXTS = {**{name: name for name in PRESETS}, "everything": EVERYTHING, "golden": GOLDEN}


def table(name: str, players: int, **changes: int) -> RuleSet:
    """The table of a name in `TEXTS` for so many players; of four, the dealer scores where everything is agreed on."""
    scores = " dealer_scores=talon" if players == 4 and name not in PRESETS else ""
    return RuleSet.parse(f"{TEXTS[name]} players={players}{scores}").replace(**changes)


TABLES = [(name, players) for name in TEXTS for players in PLAYERS]
