"""`game.yaml` to declarations: what there is, before anything is done with it."""
