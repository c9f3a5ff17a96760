"""Questions about bidding and play, answered with error bars."""
