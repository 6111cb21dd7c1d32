"""Words that often say the same of two things, where one asks and the other states it: *start* a firm, *found* it.

Base forms, a line for each sense; a word may have several. Verbs, and nouns for who does them or what they lead to.
"""

SAME_SENSE: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in """
    found founder start establish create set launch form begin initiate
    open start begin launch inaugurate
    die death pass kill perish deceased
    bear birth born birthplace native
    marry wife husband spouse wed bride groom marriage widow
    write author writer pen novel book compose composer
    direct director
    make develop build create produce manufacture construct developer
    beat defeat win overcome victory
    lose defeat loss
    call name know dub nickname term title
    own owner belong possess
    live reside inhabit inhabitant settle home residence
    lie locate situate base find stand sit
    buy acquire purchase takeover
    sell sale
    murder kill assassinate shoot
    star act play appear actor cast
    lead head leader chief chair run command
    run operate manage
    study attend educate graduate school
    work serve employ
    publish release issue publication appear
    record sing perform
    choose pick select appoint elect nominate
    succeed successor replace follow
    meet convene encounter
    leave depart quit resign
    resign step quit
    end finish close cease stop
    shut close
    cancel drop shelve call abandon
    hold take happen occur place
    big large great
    get receive obtain win earn
    coin invent create devise come
    invent inventor develop devise
    discover find discovery
    design designer architect
    build construct erect
    execute kill death
    arrest detain capture
    take capture seize conquer
    border neighbour neighbor adjoin surround
    move relocate migrate transfer
    cover report
    accuse charge allege blame
    unite unify merge
    join merge enter
    say state tell claim describe announce
    population inhabitant people resident
    father son daughter child parent mother
    cost price worth
    help assist aid support
    """.strip().splitlines()
)
