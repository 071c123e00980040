turn-subject = Este rândul tău: { $title }
turn = Este rândul tău la { $title }:
no-more-mails = Fără alte mesaje pentru această partidă:
notices = Înștiințări
notices-about = Înștiințări că este rândul tău, pentru o partidă ({ $kind }).
no-more-notices = Fără alte înștiințări
notices-ended = Pentru această partidă nu vor mai veni înștiințări.
