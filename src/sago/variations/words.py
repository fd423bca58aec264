"""Words that carry the meaning of a question by themselves, and common words that a slip of the finger must not turn others into."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words(
    """
    no not never none nor neither nobody nothing nowhere without cannot except excluding unless hardly barely scarcely lack lacks
    lacking false untrue incorrect wrong dont cant wont isnt arent doesnt didnt wasnt werent hasnt havent
    nicht kein keine keinen keinem keiner keines nie niemals ohne außer weder ne pas jamais sans aucun aucune sauf ni sin nunca jamás
    ningún ninguno ninguna nadie nada excepto salvo mai senza nessuno nessuna né não nunca sem nenhum nenhuma geen niet nooit zonder
    не нет ни без никогда никто ничего кроме
    """
)
"""Words that turn a statement round, in several languages, lower case."""

NUMBER_WORDS = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
    twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions
    trillion dozen dozens half halves third thirds quarter quarters once twice thrice double triple first second fourth fifth sixth
    seventh eighth ninth tenth last single pair couple
    """
)
"""Numbers written as words, lower case."""

QUANTIFIERS = _words(
    """
    all any some every each both either many much more most few fewer fewest less least several enough only just always often sometimes
    usually rarely seldom mostly nearly almost exactly about than same other another else before after above below under over between
    until since during within outside inside maximum minimum highest lowest larger largest smaller smallest greater greatest bigger
    biggest longer longest shorter shortest older oldest younger youngest higher lower earlier later increase decrease true correct
    right left if then because although while and but or yes must may might can could should would will shall
    alle jeder jede jedes einige mehr weniger meisten nur tous toutes chaque plus moins todos todas cada más menos
    """
)
"""Words of amount, comparison, time order and condition, lower case."""

UNITS = _words(
    """
    mm cm dm km m mi ft in yd mg kg g lb lbs oz ml cl dl l hz khz mhz ghz kb mb gb tb w kw mw gw v kv a ma j kj cal kcal pa hpa bar atm
    k c f s ms ns h hr hrs min mins sec secs mph kph rpm ppm percent percentage degree degrees celsius fahrenheit kelvin
    meter meters metre metres kilometer kilometers kilometre kilometres centimeter centimeters centimetre centimetres millimeter
    millimeters inch inches foot feet yard yards mile miles gram grams kilogram kilograms ounce ounces pound pounds ton tons tonne
    tonnes liter liters litre litres gallon gallons pint pints cup cups second seconds minute minutes hour hours day days week weeks
    month months year years decade decades century centuries dollar dollars cent cents euro euros watt watts volt volts joule joules
    calorie calories acre acres hectare hectares byte bytes bit bits square cubic
    """
)
"""Units of measure, lower case; protected behind a number."""

STARTERS = _words(
    """
    what which who whom whose when where why how whether is are was were do does did has have had the this that these those there here
    it its they them their we our you your he his she her in on at by for from with as to of a an please find name choose select give
    tell explain describe complete identify consider suppose imagine given according following answer state list write read pick
    describe say decide classify
    """
)
"""Words that are capital only because a sentence starts with them, lower case; every other capitalised word may be a name."""

COMMON = _words(
    """
    able area army away baby back bake bald ball band bank bare barn base bath bead beak beam bean bear beat been beer bell belt bend
    best bike bill bind bird bite blue boat body boil bold bolt bomb bond bone book boot bore born boss bowl brake bread break brick
    bride broad brown brush build bunk burn bush busy cake call calm came camp card care cart case cash cast cave cell chair chain
    cheap check chest chief child chin chip city clam clan clay clean clear clock close cloth cloud coal coast coat code cold come
    comma cook cool cope copy core corn cost crab crack crash cream crop crow crowd crown cure dairy daily dark data date dawn dead
    deaf deal dear debt deck deep deer desert dessert desk diary dice died diet diner dinner dirt dish dive dock doll done doom door
    dose dove down drag draw dream dress drink drip drive drop drug drum dual duck duel dull dust duty earn ease east easy eaten edge
    else even ever evil exit face fact fail fair fake fall fame farm fast fate fear feed feel feet fell felt file fill film find fine
    fire firm fish five flag flat flow fold folk fond food fool foot form fort foul found four free frog from fuel full fund gain game
    gate gave gear gift girl give glad glass goal goat goes gold gone good grab grain grass grave gray great green grew grey grow
    gulf hair half hall hand hang hard harm hate have head heal hear heat heel held hell help here hero hide high hill hire hold hole
    holy home hope horn horse host hour house huge hung hunt hurt idea inch iron item jail join joke jump jury keen keep kept kick
    kill kind king kiss knee knew knife know lace lack lady laid lake lamb lame lamp land lane large last late later latter lawn lazy
    lead leaf lean learn leap least leave left lend lens less life lift like limb lime line link lion list live load loan lock long
    look loop loose lord lose loss lost lots loud love luck lump lung made mail main make male mall many mark mask mass mate math meal
    mean meat meet melt menu mere mile milk mill mind mine mint miss mist mode mold mood moon moral more most moth mouse mouth move
    much must nail name navy near neat neck need nerve nest news next nice night nine node noon north nose note noun once only onto
    open oral oven over pace pack page paid pail pain paint pair pale palm pant park part pass past paste path peace peak pear peel
    peer pile pill pine pink pipe place plain plan plane plant plate play plot plug plum poem poet pole poll pond pool poor pope pork
    port pose post pour pray press price prime print pull pump pure push quiet quit quite race rage rail rain raise rake rang rank
    rare rate read real rear rely rent rest rice rich ride ring rise risk road roar roast rock role roll roof room root rope rose
    rough round rude ruin rule rush rust safe sail salt same sand sang save scan scar scare scene seal seat seed seek seem seen self
    sell send sent shade shake shape share shark sharp sheep sheet shelf shell shine ship shirt shock shoe shop shore short shot show
    shut sick side sign silk sing sink site size skin skip slave sleep slid slide slip slow smart smell smile smoke snack snail snake
    snow soap sock soft soil sold sole some song soon sore sort soul soup sour south space spare spark speak speed spell spend spent
    spin spoil spoke spoon sport spot stage stair stake stale stamp stand star stare start state stay steak steal steam steel steep
    stem step stick still stone stood stool stoop stop store storm story stove straight strait street strip such suit sure swam sweat
    sweep sweet swim swing tail take tale talk tall tank tape task taste team tear tell tend tent term test than that them then there
    they thick thin thing think this those threat throat throne throw tide tied tile till time tiny tire toast told tone took tool
    toss tour town toxic trace track trade trail train tray treat tree trial tribe trick trip truck true trunk trust truth tube tune
    turn twin type ugly unit upon used user vain vary vast vein very vest view vote wade wage wait wake walk wall want ward warm warn
    wash waste watch water wave weak wear weed week well went were west wheat wheel when where which while white whole wide wife wild
    will wind wine wing wipe wire wise wish with wolf wood wool word wore work world worm worn worse worst worth wound wrap wrist
    write wrong yard year your zone
    """
)
"""Common English words; an edit that ends in one of them is not made, since nobody could tell it from another question."""
