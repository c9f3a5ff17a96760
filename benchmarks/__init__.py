"""What it costs and what it is: figures (`rollouts`) and the signature of the game (`signature`)."""
