turn-subject = Te jössz: { $title }
turn = Te jössz ebben a játszmában: { $title }:
no-more-mails = Ne jöjjön több ilyen levél erről a játszmáról:
notices = Értesítések
notices-about = Értesítések arról, hogy te jössz, egy játszmában ({ $kind }).
no-more-notices = Ne jöjjön több értesítés
notices-ended = Erről a játszmáról nem jön több értesítés.
