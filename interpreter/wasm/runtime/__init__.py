"""Run-time support: functions of a module that come from no single rule."""
