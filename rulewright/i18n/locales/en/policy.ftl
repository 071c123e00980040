# A trained policy among the players.

bot-policy = trained
