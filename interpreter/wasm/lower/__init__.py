"""The machine to instructions: functions over the context of the function that is under construction."""
