"""Less common English words, and names, that one slip of the finger makes of a common word: a house is no hose, a team no tram.

They are the words of English (also what is rude, and first names) that differ from a common one by a neighbouring key, two letters swapped,
one dropped, or one doubled. A slip that ends in one of them is not made. Which words are common enough to be meant was looked up in the
word frequencies of wordfreq (Speer 2022) and pyspellchecker.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ONE_SLIP_AWAY = _words(
    """
    abbot abby abed abel abide ability abode abuses acadia aced aces ache aches acknowledgment acme acne acorn actin acton addams additive
    aden adkins admires adored adorn adventures advertises advises aeon aesthetic afar afield agar agility aging aide aides aint aires akin
    alan alas alder aldo alert ales alex alexandra alger alice alight alison allan allison allot allude alluding ally aloe aloha alonso
    alonzo alot alpha alps also alta alteration alum aluminum alva amer americas amin amir amis amon amor amos amour amplifies amps analyse
    analysed analyses analyze analyzed analyzes analyzing anders andes andreas andres andrews angels angles anglo anil anne announces anode
    anon antony ants anus apex apologies apologise apologize apologized apples apps aram archeological archeology arches archie argus arian
    aries arise armor armored aron arose arse assembles asses asset aston auden aunt authorised authorization authorized automaton averse
    avert avid baal babe babel babes bach backwater bacon bade badge badges bagging bail baker bakers baking bale ballad ballon bane banger
    bans banter barbra barbs bards barge barges barking barman barnet baron barrack barre barron bart barter barton basil basing bass
    basses basset bate batista batman baton batsman batted batter batting batty bauer bayer beaches beaker bearer bearings beast beasts
    beater beaters beatings becket beep beet beets behavioral being beings bela believes bellow bender benefitted benefitting benin bennet
    bent berber bering bern berne bert beside bess beth betta betty bevan bevin bidding bide bids biff bight bile bilge billet billy bing
    bins bios birch bitch biter bitter blake blame blast blasted blasting blasts blazes bled bleed blind blob blocs blond blonde blot blow
    blurs blurted boars boas boast boasted boasting boasts bobs bock bode boeing boer boers bogs bois bolder bolo bolster bong bongo bonne
    bonner bonny bono boob booed booing booker bookings boomer boone boos booster booth boring borne bose bosh boson bother bothers bots
    bounced bounded bounding bowed bowels bower bowers bowing bows boxy brace braces brady brag braised braking bran brandon brant bras
    brasil brat brats braun brave braved braver braves bray brazil breath breaths bred breed brest bret brian bribe brice brie brig brine
    brit brock broke brooke brooms bros browne brows bruce bruh brunt bryce buck budding buff buffet buffs bugger bugle bulky bull bullion
    bulls bully bums bunch bund bunt burch burley burnet burnt burt burton buses bushes busses bust busting busts butch bute butt butter
    button buying buys byers byes cabs caching cade cafe cafes cain caine calf calvary camber camel cameos cameron cameroon campaign
    campion cams camus canceled canceling cancelled cancelling cane canes cannes canning cannon cannons canon canons canton cantons canyon
    caper capers capped capping caps cara carb carbs careers carer carers carey carl carlton carmel carne carols carp carrier carries
    carson carte carter cartier carve carving carvings cary casing casio cass caste caster casters castes casual cate cater caters cath
    cathy cation cations caudal causal caving cavs cease cedar cement cements centers centred centres cesar challenges cham chan chanel
    chang changing channel chanted chanting chaos chap chaplin chaps char characterised characterized charger chargers charges charging
    charted charter charters charting chatter chatting cheat cheater cheats cheer cheery chef chefs chen cheng cher cherry chess chester
    chews chiba chick chiles chili chill chilli ching chink chipped chipper chipping chiral choc chock chop chopped chopping chords chores
    christie chuck chucked chucks chug chun chung cinch cine cirrus civilisation civilization civilized clap claps clare claude clause
    cleaner cleats clemens clever cline clint closet clot clots clove clung coca cock cocked cocker cocks coda coder cody coed coffers
    cogent coil coiled coils coin coke coking cola cole colin collie collin collision colluded collusion colon color colored colorful
    coloring colors colt coma comers comey comic comical coming commands commenced commended commutes como competing compiled complains
    complied comte concession concessions condos conducive cone cones coney confession confessions conform conformation conformed
    conforming conforms cong congested conical conn connor conor cons constricted consumes continent converged converging cooke cooker
    cooler coon cooper coors coos coping copped copper copping cops cora coral corby cord corner corp corps corral cory cosby costal cosy
    cote couch councilor counseling counselling counsellor counsellors counselor countess countrywide coupe cover covered covert covet
    coveted covey cowl cowley cows cozy crag crap craps crate crater crates crave craved craving cravings cray created creation cred cree
    crepes crested crete crick cries crises cristina criticised criticize criticized criticizing crony cruises crusades cubs cues cunt
    cunts curbed curbing curd curie curing curse curses curt curtin cushing cuss custer cute cuter cutter cyan cyrus dabs dais dali dally
    daly dame dames dammit damn dams dana dances dane danes dank dans darin daring darryl dart daryl dating davids davis davy deadly dearly
    debit debs debut deceased deciding decode decoded decoding deduced deems defection defective defector defectors defer defiant defies
    define deleted deletion delhi deli dell demise demos demoted dems denis denise dennis denny denoted dens dense dent dented dents depot
    dept derail derailed derivation derive derived deriving detail detailed detective deter deterred deus deviant devin devon devotes dewy
    diane dianne diarrhea dias dibs dick dicks dido digs dike dill dilly dime dimes dina dine ding dink dint dion dior diplomas dipping
    dirk discus disk diss ditch diver diverged diverging divers diversify diversity divest divested divided diving dmitri docs dodges doer
    doge dogging doin dole domino dona dong donne donner dons dope dork dory douglas dover downy doze dragoon dragoons dram drier dries
    dripping dropping duane duds dues duet duets duff dune dung dunk dunne duped duran dusk dutch dyer dyes dying dyke dykes eager eared
    earthy easing eater eaton eben edwin elia eliot elisa elisabeth elise eliza elizabeth elle elliot elon elsa elsie emanuel emil emmanuel
    emmet emphasize emphasized employees employers encode endeavor endeavors endure endured endures enduring enrol enrollment enrolment
    ensue ensued ensues ensuing ensure ensured ensuring envy eras erich erie erin ernest ernst eros erwin esse ester esters eternal
    eternally ether ethic ethically eton evan excuse exert exerts exes explode exploded explodes exploding explore explored explores
    exploring exports facet facing faction factional factions fade faded fades fading fads fags fairy faker fare fared fares faring fart
    fatah fatter faulty fave faves favorable favorite favorites favour favoured favours faye feat feats feces feds fees fend fending feral
    ferris fess fest fetal feud fiance fiat fiber fibers fife fiji filing filings filler fillets fillings filly finders finely finer finish
    fink finley finnish finns firearm fireman firmer firs firth fisher fist fitz fiver fixes fizz fizzy flak flake flakes flame flames
    flavor flavored flavors fleeing flees flick flickr flicks flies fling flings flip flips flock flocks flooding floods floored flooring
    floors flop flopped flopping flops flue flume flung flyer foal foaming focused focussed focussing foes foil foiled foils folly font
    fonts fora fore forearm forearms foreman forest forester forge forges forging forked forks formulae forrest forte foster foxes foyer
    framed framing franchisees francis francs frat fray frazer fred freshen fret fright frith froth fuelled fuji fulfil fulfilment fuller
    fully funk furry furs fury fuss gabe gable gaby gaelic gage gags gail gale galley gals gaping gaps garage garb gard garde gardner
    garlic garner garret garry garth gary gasp gasped gasping gasses gaul gavel gaya gays gaze gazed gazes gazing geek geeks gees gems gene
    generic generics genes genetic genial gens gentle genus george georgia gerard german gerrard gets gifs giggles gigs giles gill gills
    gilt gimp gist glade glen globe globes glove gloves glows glut gnome gnomes goad godard gods godwin goff goggles gogh goin goldman gong
    goodie goodman goodwin goody gooey goof goofing goofy goon gore gorge gorges gory goth gower gown grad grads gran grander gras grated
    grating greg grenville grim grin grins gris groan grocer groove grooves groped groping gros gross grove grover groves grown guerilla
    guide guise gull gulls gums guns gust gusts guts guys gyms haas hagen haha hail hailed hailing hale hales haley halley hallo halos hama
    handles hanna hannover hanover hans harbor hardy harem harley harness harry hart hash hassan hast hater haters hath hatter haul hauled
    hauling hauls haven havens hawks haydn hayes hays headings heaped heaping heaps heater heath heller helper herding herds herman heroes
    heron herpes hester hickey hikes hilary hillary hilly hilt hinds hines hinged hips hiring hitch hither hitter hive hoard hobbes hobbs
    hockey hoes hokey holly homey homogenous homs hone honed honesty honor honorable honored honors hons hooper hoops hoot hoover hoping
    hopper hopping horde hordes horus hose hoses hotel hotter hove hover howe hubs huddle huggins hugh hugs hull hulls humor hunan hunger
    hungry huns hunter hurdle husain huston hutch identifies identities identity ides idle immorality impatient impeding inane incentive
    incest inciting indented indices indicted indies indo induced induces inducted inert infernal infested infirm influences info infra
    ingest ingested ingesting injures inline inmate innate inpatient inquires insect inset inst installment instalment instalments insulted
    insulting intensify intensities intensity inter internal interred into invades inventive invest invested inviting ionic iran iris
    irrigated irrigation irritation isle jade jaded jags jaime jamie jams jane jang janie janis janus jarred jeannette jeffery jeffrey jena
    jess jesse jews jiggle jingle joan joann joanna jodie jody joey john johnson jong jonny jose josie jude judgment judgments judy jung
    jungle kahn kain kama kane kara karina kate katy kaye keel kegs keller kelly kenton kepler kern kevin khan kilos kimberly kipling
    kirsten kitts knicks knit knits knocks knot knotted kong koran kristen kung kyle labeled labeling labelled labelling labor laborers
    labs lacing lacy lads lager lain lair lama lana lancer landry lang lansing laos laps lara lard lars larson lash lass lathe lather latte
    laud launches laws lays leah leaner leary leasing lectures leeds lees leger lego leigh leith leon lerner lest leto leveled levelled
    levelling levis lewd liar libby liber lice license licensees lick licked licking licks lien liens lifter lighting lightning likable
    liking lila lilian lilly lily lima limo limp lina lind linger lining linn lino lire lisa lite litter litters livable lively living liza
    lmao loam lobby lobe lobes lobo lode lodi loft lofts logan login loin loins lois lola lolly loner loomed looming looms loon loony loos
    looser loosing lore loser losers losing lott louie louse lovely lovey loving lowe luca lucan lucca luce lucy luge lugs luis luisa luke
    lula luna lunches lunge luring lust luster lute luxemburg lying lynch lyre maas mace mach macro macros macs madeline madge mafia maga
    mage magic magma mags magus maher maia maim maine maker makers making makings malaga mama mamma mana mane manga manger mania manic
    manly manna manny manor manors manson manta manufactures mara marcel marches marco mare mares mari maria marian marianna marie marin
    marina marines marino mario marion maris marisa marist marital marius markers marlin marlon maroon marred mars marshal mart marta
    martial martin martins marty marvel marvellous marvelous marvin mary mash mason mata matches mater mathew mathews mathias mathis mats
    matt matte matthew matthews matthias maud maul mauled maximize maya mayer maze mccarty mcconnell mcdonald mcdonnell mcintosh mckay
    mckenzie mclean mcleod mcmillan mcpherson medalist medial mediate mediating mediation meds mega megan mellon melon merges mess meta
    mets mews meyer meyers mice mich micheal michel michele michelle mick micky middleton midi mike mikes mikey milder miley milky miller
    milos mime mimi mina minced mini minimize minis mink minster minty mira mire miro misled mister mite mitt mixes moat mobs mobster
    mobsters mock modal modality modeled modeling modelled modelling modesty modi mods mohamed mohammed moines mojo moldy moll mollie molly
    moly moms mona mong monies monk mono mons mont montage monterrey mooney moor moore mooring moors mora morality moran morel morin morley
    morn morning moro moron morons mort moses mosquitos moss mosses mossy mote motley moto mott motto mousse muck muddle mulder mull muller
    mulling munch munro mustache muster musty mute mutt myers myles nadal nagy nance nanking nara nasa nasal nave neal neatly needles needy
    neighbor neighborhood neighborhoods neighboring neighbors neil nell nerd nerds nerdy nero ness nether neural neuron neurons newt newton
    nichols nicolas niger nike nikki nile nils nina nite nitty nobel noel nome nona noose nora nous noyes nude nuke nuns oars oats observes
    oder offices olden oliver ordnance organisation organisations organise organised organising organization organizational organizations
    organize organized organizer organizers organizes organizing osaka osborne ouster outage outed outs overeating overhead overly owes
    owns pacer pacers pacing packers packets pager paging pajama paler paley pali palo pals pane panes pangs panned panning panty papa
    papal para parched pardons pare pared pariah paris parish parka parley parlor parma parrish parry pars parson parton pasty pate patel
    patently paterson paton patron pats patted patten patter patterson patties patting patton pave paved paving payable payback payer
    payers payoff payoffs peach peasant pease peat peeing peep peeping pegs peirce peking pele perfect perk perl perm personalized pest
    pews philip philips phillip phillips photos picket pickets pics piece pieced piecing pied pier pigs pike pikes piling pima pimp pimping
    pimps pinch pinched pinches pinching ping pings pinter piping pips pisces piss pitches pitt pitting pitts pius pizza plaid plank plata
    plating platte pleaded pleading pleas pleasing pled plies plop ploy pocket pods poisson poke pokes polar polly polo poly pomp poms pong
    pons pony poof poole pooped pooping poplar popped popping pops pore porter porto poser posing posse posses potable potion potions
    potted potting potts pounder pouting preaches precious predicted prefect prelude premiers prep pres preset presets previous prim primo
    privatization probing processed procession processions processor processors prod produces prof profess professed professing profession
    professor professors programmes promoting proms prone proper pros prospects prot provides proving prying psst pubic publishes pubs puck
    pugs puke punch punched punching pune puns punt punts pups purchases purdue puree purify purity purse purses pursue puss puts putt
    putting pyre qualifies qualify qualities quality quantify quantity quin quint rabbis rachel racial racine racing radial ragged raging
    rags raid raided raiding raids raiser raising raja raking rama ramos ramps rams ranches randal ranges ransom ranting raping rapped
    rapping raps rata raul rave raves raving reade realise realised realising realization realize realized realizes realizing realty reap
    rebel receives recife recognise recognised recognize recognized recognizes recognizing recon rectal rector reeds reefer reefs reeks
    reel reels reeve reference refs refuge refuges refute regain regained regaining regains regard regarded regimens regina reign reigned
    reigning reigns rein reins reis related relied relive reliving reminder renal rene repay repel researches reset resin resins restated
    retain retained retaining retard retarded retards retina retirees retraining reuse reused reusing revel revels revere revered reverence
    revs revving rewrote rhone ribbed richer richie rick ricks ricky ridding rife riff rifts riga rigged riggs rigs riled riley rios riot
    rioting riots ripe risen riser risers rising rite rivera rivets roan robbins roberson robins rockers rocky roger rogers rogue roland
    rolf roman romeo rona rooster roosters rosen ross roster rosters rosy rota rote rots rotted rotting rove rover rovers rowe roxy rube
    ruben ruble rubs ruby ruck ruddy rudy ruff rugged rugs rumor rumored rumors rung runway ruse rusk russel rutledge saba saber sabina
    sable sack sacked sacking sacks sacred sacs sade safer saga sagan sage sages saggy saks salaam salas salon saloon saloons salter salve
    salvia sami samson sana sandal sandals sander sanders sanford sank sappy saps sara saran sars sash satin saul savage saver saving
    savior savor savoy sawed sawn sayin scams scape scarlet scarred scarring scat schulz scoot scorch scores scot scots scotus scouring
    scouts scraped scraping scrapped scrapping scum seam seams sean sear seared searing sears seas seedy seeing seep seeping seeps seer
    sees seine selves sender senor sens sensing sentient sept serge serra seton setter setters setting settle settles seward sewed sewn
    sexist shack shacks shad shading shag shaking shale shame shaming shan shane shard shards sharing shat shay sheen shelly shepard
    sheppard sher shia shifty shiite shipped shipper shippers shipping shire shit shite shits shitting shogun shone shoo shoot shoots
    shopped shopper shoppers shopping shorty shout showman showy shred shrubs shrunk shun shutting sicily sicker sickly siding sieve sift
    sifting sigh sighed sighing sighs sigma signaling signalled signalling signer silky sill sills silly silo silos silt simmer simmons
    simon sims simulate simulated simulates simulating simulation sine sinned sinner sinners sinning sion sipped sipping sips sire sired
    sirs sitter sitting siva sixes sizable sizing skate skated skater skates skelton skew skid skids skies skilful skim skipped skipper
    skipping skis skit skits skye slag slain slam slamming slap slaps slash slashed slashing slate slated slater slates slats slavs slayer
    sled slew slicing slider sliders slim slimming slipped slipper slipping sliver sloan slop slotted slugs slum slung slur slurred slurs
    slut sluts smack smacks smoky smother smug smuggle snag snare snares sneer snell sniff snip snipes snore snort snot snout snuff snug
    snuggle snuggled snuggling sober sobs soda sofa solder solis solo solver somme sonja sonny sony sooo soooo soot soothing sora sosa sous
    sowing sown soya spade spades spain spam spamming spar sparing sparky sparring spas spate specialised specialized specializes
    specializing specialty sped spender spew spice spiced spicer spices spied spies spike spilt spire spires spit spits spitting spool
    spore spotted spotting spotty spout spring springer springing springs sprinter sprints sprung spur spurs stacy staging stain stained
    staining staking stalked stalking stalks stamford stan stanford stans starling starred starring stat stateside stating stats stature
    statute stave staves steamer steen steve stiff stifling sting stinger stings stint stints stipe stir stirs stock stocking stocks stocky
    stoke stoked stokes stole storing strange straus streaked streaking streaks strep stride strife striking stringer stripped strive
    strode stroking stronger strove strung stubs stuff stung stuns stunt suave subs subset subsets subsides suck sudan sued sues suffer
    suffers suite sully summaries summer summons sumner sump sums sunset super supplies surf surfer surfers surfing surgeon surging surly
    susan susana susanne sven swab swabs swap swaps swat swig swine swung tables tabs tact taft tags taker takers takin taking talker tame
    tamed tamer taming tana tanto taos tapering tapped tapper tapping tara tarn tarp tart tass taster tata tate tats taunted teaches teak
    teas tech teens tees tempe tenant tenor tensed terence teresa teri tern terrence tess testes tetra texas thea theaters theatres thee
    thereon thomson thong thongs thorne though throes throughout throughput tiber ticker tickle tics tiling timer timers timmy timor tina
    ting tinged tinker tinted tipped tipper tipping tiring tito tits toby toga togo toil toke tomas tommy toms tong tony tonya toots
    topical topics topped topping tore tort tory totalled totalling tote toto tots tout touted touting touts tracer tracing tracy trad
    trader trading trainees trainers tram trams tran tranquillity trans trash traveled traveler travelers traveling travelled traveller
    travellers travelling tread treads treble tricia trill tripe tripped trope troy truss tsar tuba tubing tubs tuck tucked tucker tucking
    tucks tues tuff tugs tummy tumor tumors tuna tuner tuning turing twas twit tying tyne tyrone unarmed unauthorized unbearable unbeatable
    undertone unduly unfold unfunded unify union unis unread untold uptight upton uses ussr utilized vail vale valor vane vanish vapor
    vaughn veda vegas venus vera verde verity verse verve vial vibe vibes vice vices vida vidal vide vigil vigo vila vile villa villages
    vine vines viola violet viral visa vita vital vito vive vole vols vows vries wack wading wafer wafers wagging waging wags waking wale
    wales walker waller wane waned waning warden ware wares waring warmer warner warren wart warts wary watches waver waving waxing weaves
    webber weber weight weld welding welt wench wether whet whim whipping whisky whitaker whitey whoever whooping whopping widely wider
    widest wien wiener wight wigs wile wiles wilful wilfully willy wily winder winger wingers winkle wins winter winters winton wisely
    wiser wisest wits wold wong woof woolf worshiped worshipers worshiping wort wrath wright wring writ wrote yeats yogurt yong yore zine
    """
)
"""Such words, in small letters."""
