"""What is offered: frames, trials, menus."""
