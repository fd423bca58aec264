"""Words that carry the meaning of a question by themselves, and common words that a slip of the finger must not turn others into."""

from __future__ import annotations

import re

_LETTERS = re.compile(r"[^\W\d_]+")
_SMALL_ASCII = re.compile(r"[a-z]+")


def folded_words(text: str) -> list[str]:
    """Returns the runs of letters of a text, each folded.

    >>> folded_words("It's 5 Groß.")
    ['it', 's', 'gross']
    """
    if text.isascii():  # elsewhere one letter may fold into several, or into a mark that parts a word
        return _SMALL_ASCII.findall(text.lower())
    return [word.casefold() for word in _LETTERS.findall(text)]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words(
    """
    no not never none nor neither nobody nothing nowhere without cannot except excluding unless hardly barely scarcely lack lacks
    lacking false untrue incorrect wrong dont cant wont isnt arent doesnt didnt wasnt werent hasnt havent hadnt couldnt wouldnt shouldnt
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
    shorter taller tallest heavier heaviest lighter faster slower farther further nearest cheaper cheapest whole entire total average
    majority minority plenty numerous multiple various approximately roughly plus minus times
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
    able cram cist tine patty
    acid act action add addition admit affect age ago aid air alive alone altar alter altitude ape aptitude arcs area arm army art
    arts ask assets ate away awe axe baby back bad bag bake bald ball band bang bank banks banner bare barley barn bars base basis bat
    bath bay beach bead beak beam bean bear bears beat beats bed been beer bees beg begin begun behavior belief bell belt bend best bet
    big bike bill bind bird bit bite blue boat body boil bold bolt bolts bomb bond bonds bone bones book boom boot bore born boss bought
    bowl box boxes boy brad brain brake bread break brick bride bring broad brown brush bud bug build bunk buns burn burns bus bush busy
    but cabal cache cage cake call calm came camp canal card care caring carry cars cart carton cartoon case cash cast cat cats cause
    cautious cave cell chain chair chat cheap check chest chief child chin chip chops chose cite cites city clam clan clarify clarity
    class claws clay clean clear click clip clock clone close cloth cloths cloud clutch coal coast coat code cold come comma compete
    complaint compliant concert confer confirm contact contest context convert cook cool cope copy cords core corn cost costs cot cough
    counties country county court crab crack crash cream crop cross crow crowd crown crush cure cut daft daily dairy damp dare dark data
    date dawn dead deaf deal dear debt decent decide deck deep deer defect defied delay denied density deny desert desire desk dessert
    detect device devise dial diary dice died dies diet digest diner dinner dirt dish dive dock dogs doll dome done doom door dose dot
    dove down drag drank draw dream dress drink drip drive drop drove drug drum drunk dual duck duel duke dull dust duty earn ears ease
    east easy eaten eats edge edit effect else emerge even ever evil excise exercise exist exit exits extract face fact fail fair fake
    fall fame fan farm farther fast fat fate father favor fear feed feel feet fell felt fibre fiction field fiend fight figs file fill
    filled film fin final find fine finger fire firm fish fit fits five fixed flag flags flat fled floss flow flows flush fold folk fond
    food fool foot form formal former fort forth foul found four free freed fried friend fries frog from fuel full fun fund fuse gain
    gained game gate gave gear gift girl give glad glass goal goat goes gold gone good grab grace grade grain grass grave gray great
    green grew grey grid grow growth guess gulf had hair half hall ham hand hang hard hare harm harp has haste hat hate hated have head
    heal hear heard heart heat heating heel held hell help hen her here hero hid hide high hill him hint hire his hits hold hole holy
    home hood hope hoped hopped hops horn horse host hot hour house how huge hung hunt hurt huts idea ideas immoral inch incite indeed
    infer inferior insects intent interior invent invite ions iron issue item jail join joke jump jury keen keep kept key kick kids kill
    kind king kiss knee knew knife know lace lack lady lag laid lake lamb lame lamp land lane large last latch late later latter lawn
    layer lazy lead leaf lean leap learn lease least leave led left leg legs lend lens less let lid lied lies life lift like likes limb
    lime line linen liner link lion list live lived liver lives load loaf loan lock log lone long look loop loose lord lose loss losses
    lost lot lots loud love loved lover lows loyal luck lump lunch lung mad made mail main major make male mall man manage many map
    marble march margin mark market marry marsh mask mass match mate math matter mayor meal mean meat medal media meet melt men menu
    mere merit metal mild mile milk mill mind mine miner minor mint miss missed mission mist moan mode mold mole money monkey mood moon
    mop moral morale more mortal most moth mother motor mouse mouth move much mud mule muse must mutter nail naive naked name nasty
    native naval navel navy near neat neck need nerve nest net new news next nice night nine nits nod node noise noon north nose noses
    nosy not note noun novel now nurse nut offer often oily once only onto open oral order oven over owed owing pace pack pads page paid
    pail pain paint pair pale palm pan pant pants parent park part party pass past pasta paste pastor patch patent path pause paws pay
    peace peak pear peas peek peel peer pen person pet petty phase phone pies pile pill pills pin pine pink pipe pit pitch pith pity
    place plain plan plane plant plate play plot plug plum ply poem poet poison pole police policy polish poll pond pool poor pope popes
    pork port pose post pot pots potter pound pour powder power praise pray present press prevent price pride prime prince print prize
    prizes probe promote prompt proof proud prove pull pulls pump punk puppet pure push quiet quit quite quota quote race raft rage rail
    rain raise rake rally ran random rang rank rare rat rate rates ratio raw ray reach react read real rear red relay relief relies rely
    rent reply reside resign rest retire retried revenge rewrite ribs rice rich rid ride rider rides ring rise risk rival river road
    roar roast rob robe robs rock rocket rod rode rods role roll roof room root rope rose roses rouge rough rougher round route row rows
    royal rude ruin rule rump run rush rust safe sail saint sake sale salt same sand sane sang sat sauce saucer save scan scar scare
    scene scent seal seat seed seek seem seen seize self sell send sense sent series serve set sever several sewing shade shake shape
    share shark sharp shave shed sheep sheer sheet shelf shell shift shin shine ship shirt shock shoe shop shore short shot show shrink
    shrug shut sick side sides siege sight sign silk sing single sink sit site size skill skin skip skull slave sleep slice slid slide
    slip slit slot slow smart smell smile smoke snack snail snake snow soap soar sock socks soft soil sold sole solid some son song sons
    soon sore sort soul sound soup sour south space span spare spark speak spear speed spell spend spent spider spin spite spoil spoke
    spoon sport spot spray spry spun squid stage stains stair stake stale stall stamp stance stand star stare start state states static
    station statue status stay steady steak steal steam steed steel steep stem step stick still stone stood stool stoop stop store storm
    story stove straight strait strap straw stream street stress strike string strip stripe stroke strong stuck study style such suit
    sun sung sunk supper sure swam swan swear sweat sweep sweet swim swing sworn tack tail take tale talk tall tan tank tap tape taps
    task taste teach team tear tease tell ten tend tent term terms test text than that their them then there they thick thin thing think
    this thorough those threat threw thrive throat throne through throw thumb thump thus thy tick tide tie tied tier ties tight tile
    till tilt time tin tiny tip tire tired titled toast toes told toll tome ton tone tons took tool top torn toss touch tough tour towel
    tower town toxic toy toys trace track trade trail train transit trap tray treat treats tree trial tribe trick tried tries trip
    troops trot trough truck true trunk trust truth tube tune turn turned tusk twin type ugly unit unity untie upon used user utter vain
    valley value valve vary vast vein very vest vet view viper visit voice void volt vote wade wage wager wages waist wait wake walk
    wall walls want ward warm warn warp wars wash waste watch water wave way weak wear weary weed week weigh well went were west wheat
    wheel when where which while white who whole why wide widow width wife wild will wind wine wing wipe wire wise wish with wives woken
    wolf woman women wood wool word wore work world worm worn worry worse worst worth worthy wound woven wrap wrapped wreck wrist write
    wrong yard year yearn yell yellow young your youth zone
    """
)
"""Common English words; an edit that ends in one of them is not made, since nobody could tell it from another question."""
