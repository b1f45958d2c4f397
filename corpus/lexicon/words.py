"""English words that are also symbols or could be: a symbol that reads as one needs context.

Words of two to seven letters that at least eight of 9,874 saved abstracts and pages write in small
letters, and rarely in capitals; rarer ones where a human gene has them for a symbol or alias.
"""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


WORDS: Final = word_set("""
    abdomen ability able about above abscess absence absent absorb abuse accept access account
    acetate ache aches achieve acid acidic acids acquire across act acted actin acting action
    actions active actors acts actual acuity acute acutely adapt adapted adaptor add added
    adding address adds adenine adenoma adhere adhered adipose adjunct adjust adopt adopted
    adrenal adult adults advance advent adverse advice advise advised aegypti aerobic affect
    affects after again against agar agarose age aged ageing agency agenda agent agents ages
    aging ago agonist agree agreed ahead aid aim aimed aiming air airflow airway airways al
    alanine alba albeit albumin alcohol alert aligned alive all allele alleles allelic allergy
    allow allowed allows almost alone along alpha already also alter altered alters always
    ambient amino among amongst amount amounts amplify amyloid an anaemia anal analog analogs
    analyse analyze anatomy anchor ancient and anemia angina angle angles animal animals
    annual another answer answers antigen anus anxiety any anyone aorta aortic apart apex
    apical apnea apo apos appear appears apple applied apply apr arc arch archaea arcuate are
    area areas aren argue argued argues arguing arise arises arising arm arms arose around
    arousal array arrays arrest arrival artery article as ask asked asp aspect aspects aspirin
    assay assayed assays assess assist assume assumed assumes asthma at ataxia atomic atopic
    atresia atrial atrophy attach attack attacks attempt audit aug augment aura aureus author
    authors autopsy avenues average averted avian avoid avoided aware away axial axis axon
    axonal axons babies baby bacilli back bad bag balance balloon band banding bands bank
    banned bans bar barium barrier bars basal base based bases basic basis bat batch bats
    battery be beam bear bearing beat beating beats became because become becomes bed beds
    bedside bee been before began begin begins begun behave behind being belief beliefs
    believe belong belongs below beneath benefit benign besides best beta better between
    beyond bgr bias biased biases bid big bigger bike bilayer bile biliary billion binary bind
    binding binds binge biofilm biology biopsy bipolar bird birds birth births bit bite bites
    black blacks bladder blame blasts blind blinded block blocked blocker blocks blood blot
    blots blue blunt blunted board bodies body bodys bold bolus bomb bona bond bonds bone
    bones bony book boost boosted border borders born both bottom bound bovine bowel bowl box
    boxes boy boys brain brains branch brand breadth break breaks breast breasts breath bridge
    bridges brief briefly bright bring brings broad broader broadly broken bromide broth
    brought brown budding buffer build builds buildup built bulk bundle bundles burden burn
    burning burns burst bursts busy but button by bypass cage calcium calf call called calling
    calls caloric calorie calves came camel can canal cancer cancers canine cannot cap capable
    capita capital caps capsid capsule capture carbon cardiac cardinal care cared careful
    carers caring carotid carried carrier carries carry cars cascade case cases cash caspase
    cast cat cation cations cats cattle caught causal cause caused causes causing caution cava
    cavity celiac cell cells census cent center centers central centre centres century cereals
    certain cervix chain chains chamber chance chances change changed changes channel chapter
    charge charged charges chart charts check checked chest chi chick chicken child chills
    chimera chip choice choices choline choose chose chosen chronic cilia ciliary cinema
    circuit cis cited cities citrate city clade clades claim claims clamp clan clarify class
    classes classic clean clear cleared clearly cleave cleaved cleaves cleft click clients
    climate clinic clinics clip clock clocks clonal clone cloned clones cloning close closed
    closely closer closing closure clot clots clues cluster cm cn coat coated coating cocaine
    cocoa code coded codes coding codon codons cognate cohesin cohort cohorts coil cold coli
    colitis collect college colon colonic colony color column com coma combat combine come
    comes coming common commune compact company compare compete complex concept concern
    concert condom condoms conduct cone confer confers confirm consent consist consume contact
    contain content control convert cope copies coping copper copy cord core cornea corneal
    corner coronal corpus correct cortex cost costly costs cotton cough could count counted
    counter country counts county couple coupled couples course courses cover covered covers
    cow cranial create created creates crest crisis crop cross crossed crucial crude crypt
    cryptic crystal cue cues cuff culture cure cured current curve curves cut cutoff cutoffs
    cuts cutting cyclase cycle cycles cyclic cyclin cycling cystic cysts cytosol daily dairy
    damage damaged damages danger dark data dataset date dates day days daytime de dead deadly
    deal dealing death deaths debate debated debris dec decade decades decay decide decided
    declare decline deduced deemed deep deeper default defect defects defence defense deficit
    define defined defines degrade degree degrees del delay delayed delays deleted deliver
    delta demand demands demise dengue denote denoted dense density dental dentate depend
    depends depot depth der derive derived dermal descent designs desire desired despite
    destroy detail details detect detects develop device devices devised devoid dextran df
    diary dictate did didn die died diet dietary diets dif differ differs diffuse digest
    digital dilated diluted dim dimer dimers dioxide diploid direct directs disc discuss
    disease display disrupt dissect distal distant diverse divide divided dl do docking doctor
    doctors does doesn doesnt dog dogs doing dollars domain domains don done donor donors
    dormant dorsal dosage dosages dose doses dosing dot dots double doubled doubt down dozen
    dpi drain drank draw drawing drawn drift drink drinks drive driven driver drivers drives
    driving drop droplet dropped drops drove drug drugs dry dual duck duct ductal ducts due
    duplex durable during dust dye dying dynamic dynein dyspnea each ear earlier early ears
    ease easier easily east eastern easy eat eating ebi ecology economy ectopic eczema edema
    edge editing edition edu effect effects efflux effort efforts eg egg eggs egress eight
    either elastic elderly elegans element elevate eleven elicit elicits else elusive eluted
    embryo embryos emerge emerged emerges employ empty en enable enabled enables encode
    encoded encodes end ended endemic ends energy engage engaged engine enhance enlarge enough
    ensure ensures enter entered enteric entire entity entry enzyme enzymes eosin episode
    epitope epsilon equal equally equine era error errors escape ester et eta etc ethanol
    ethical ethics ethnic evade evasion even evenly event events ever every evident evoked
    evolve evolved ex exact exactly exam examine example exceed exceeds except excess excised
    exclude exert exerted exerts exhibit exist existed exists exit exon exons exosome expand
    expands expect expense expert experts explain exploit explore export exposed express
    extend extends extent extra extract extreme eye eyes face faced faces facial facing fact
    factor factors facts faculty faecal faeces fail failed failing fails failure fairly fall
    falling falls false falsely family far farm farmers fashion fast faster fasting fat fatal
    fate fates father fathers fatigue fats fatty faucet favor favored favour fd fear fears
    feature feb febrile fecal feces fed federal feed feeding feel feeling feet feline fell
    felt female females femoral femur fertile fetal fetus fetuses fever few fewer fiber fibers
    fibre fibres fibrils fibrous fide field fields fifth fifty fight figures file files filled
    filling film films filter final finally find finding fine finger fingers firing first
    firstly fission fistula fit fitness fits fitted fitting five fix fixed flanked flash
    flexion flies flight flock floor flora flow flower flows flu fluid fluids flux fly foals
    focal foci focus focused focuses foe foetal fog folate fold folded folding folds folic
    follow follows food foods foot for force forced forces foreign forest fork forks form
    formal format formats formed former forming forms formula forward foster found four fourth
    foveal fox fr fragile frail frame frames free freedom freely fresh freshly friend friends
    from front frontal frozen fruit fruits fuel fuels fulfill full fully funded fundus fungal
    fungi funnel fur further fuse fused fusion fusions future gain gained gaining gains gait
    gallery gambiae games gamma ganglia gap gaps gas gases gastric gave gel gelatin gels gem
    gender genders gene general generic genes genesis genetic genital genome genomes genomic
    genuine genus germ get gets getting giant girls give given gives giving gland glands glass
    glia glial glioma gliomas global glucose gluten glycine go goal goals goat goes going gold
    gonadal good gov govern governs grade graded grades grading gradual graft grafted grafts
    grains gram grams granule gray great greater greatly green grew grey grip groin groove
    gross grossly ground group grouped groups grow growing grown grows growth guanine guide
    guided guides guiding guinea gull gut gyrus habits had hair hairpin half hamster hand
    handle hands haploid happen happens harbor harbors hard harder harm harmful harms has hat
    have having hazard hazards he head heal healed healing health healthy heard hearing heart
    hearts heat heavier heavily heavy heed height held helical helices helix help helped
    helper helpful helping helps heme hen hence heparin hepatic her herbs here herein hernia
    herpes hidden high higher highest highly hinder hip hips his histone history hit hits hoc
    hold holds hole hollow home homes homing homolog hook hop hope hormone horse horses
    hospice host hosts hot hotspot hour hours house housed housing how however hpi html http
    https hub huge human humans humoral hundred hunger hunting hurdles hybrid hygiene hypoxia
    hypoxic ice idea ideal ideas ie if igb ileal ileum iliac ill illegal illicit illness image
    imaged imagery images imaging immune impact impacts impair impairs impede implant implied
    implies imply impose imposed improve in include income indeed index indexes indices indoor
    induce induced inducer induces infancy infant infants infarct infect infects infer influx
    inform infused inhaled inherit inhibit initial injured injury innate inner input inputs
    insect insects insert inserts inside insight instead insult insults insured intact intake
    intakes intense intent interim intimal into intron introns invade inverse invited involve
    iodine ion ions iota iron is island islands islet islets isn isoform isolate issue issued
    issues it itch itching item items its itself jama jan jaw job joining joint jointly joints
    journal judged juice jul just kappa kb kcal keep keeping keeps kept key kg kidney kidneys
    kill killed killer killing kin kinase kinases kind kindly kinds kinetic kiss kit kits knee
    knees knew knife know knowing known lab label labeled labels labor labour lack lacked
    lacking lacks lactate lactose lag lagging lambda lambs lamina laminin land lanes large
    largely larger largest lark larvae larval laser last lasted lasting lasts late latency
    latent later lateral latest latter lattice lavage law lay layer layers lead leader leading
    leads leaf leak leakage lean learn learned least leave leaves leaving lectin led left leg
    legal legs length lengths lens lenses lesion lesions less lessen lesser lessons let lethal
    lets leucine level levels library license lie lies life ligand ligands ligase ligated
    light like likely limb limbs limit limited limits line lineage linear lines lining link
    linkage linked linker linking links lip lipase lipid lipids lips liquid liquids list
    listed lists liter little live lived liver livers lives living load loaded loading loads
    lobar lobe lobes local locally locate located loci locus log logic logical long longer
    longest look looked looking loop looping loops loose lose losing loss losses lost lot low
    lower lowered lowers lowest lu lumbar lumen luminal lung lungs lupus lymph lysate lysates
    lysine lysis lytic macaque machine macular made mailed mainly major make makers makes
    making malaise malaria male males mammals mammary man manage managed mania manner manual
    many map mapped mapping maps mar margin margins marital mark marked marker markers market
    markets marks married marrow mask masked masks mass masses massive mast master match
    matched matches matrix matter mature max maximal maximum may maybe maze meal meals mean
    meaning means meant measles measure meat meats meatus media medial median mediate medical
    medium meet meeting meets meiosis meiotic member members memory men mental message met
    metal methane method methyl metric metrics mg mice micro microg microm mid middle midline
    might migrate mild milder mildly milieu milk million mimic mimics min mind mineral minimal
    minimum minor minus minute minutes missed missing mist mitosis mitotic mitral mix mixed
    mixing mixture ml mm mmol mo mobile mock mode model modeled models modern modes modest
    modify modular module modules moiety mol molar moment money monitor monkey monkeys monomer
    month monthly months mood more morning mosaic most mostly mother mothers motif motifs
    motile motion motor mount mouse mouth move moved moves moving mpg much mucosa mucosal
    mucus mumps murine muscle muscles must mutant mutants mutated mutual myalgia myelin
    myeloid myeloma myosin myriad nail naive naked name named namely names nan nana narrow
    nasal nascent nation nations native natural nature nausea ncbi near nearby nearest nearly
    neck need needed needing needle needles needs neither nerve nerves nervous nested net nets
    network neural neuron neurons neutral never new newborn newer newly news next ng niche
    niches night nine nitrate nitric nitrite nitrone nlm nm nmol no nodal node nodes nodule
    nodules noise non none nor normal north nose not notable notably note noted notes nothing
    notice noticed noting notion nov novel novo now nt nuclear nuclei nucleic nucleus nude
    null number numbers nurse nurses nursing obese obesity objects obscure observe obtain
    obvious occult occupy occur occurs oct ocular odd odds oedema of off offer offered offers
    office offices offset often oil old older omega omicron on once one ones ongoing online
    only onset onto onwards oocyst oocysts oocyte oocytes open opened opening opens operate
    opinion opioid opposed optic optical optimal optimum option options or oral orally order
    ordered orders org organ organic organs origin origins orphan other others otitis our out
    outcome outer outflow outline outlook output outputs outside outward ovarian ovaries ovary
    over overall overlap overt ovine owing own oxidant oxidase oxide oxygen pace pack package
    packed page paid pain painful pains pair paired pairing pairs palm palsy panel panels
    panic papain paper papers parent parents parity parotid pars part partial partly partner
    parts parva pass passage passed passes passing passive past patch patches patent path
    paths pathway patient pattern paucity pay paying pdm peak peaked peaking peaks peas peer
    peers pelvic pelvis penis people peptic peptide per percent perfect perform perhaps period
    periods permit permits persist person persons pg phage phages phase phases phone phorbol
    picked picture piece pieces pig piglets pigment pigs pill pills pilot pin pins pipe
    pivotal place placebo placed places placing plain plan planar plane planned plans plant
    plants plaque plaques plasma plasmid plastic plate plated plates play played player
    players playing plays pleural ploidy plot plots plotted plus pmc pmol pocket point pointed
    points poison pol polar pole poles police policy pollen poly polymer polyp polyps pombe
    pone pool pooled pools poor poorer poorly popular porcine pore portal portion ports pose
    posed poses possess post postal posted potency potent poultry poverty power powered pox
    ppm precede precise predict prep prepare present press preterm prevent prey price prices
    prim primary primate prime primed primer primers priming prion prions prior private probe
    probes probing problem proceed process produce product profile progeny program project
    prolong promise promote prompt prone proof proper propose protect protein proton prove
    proved proven provide proxy pry puberty pubic public pulse pump pumps pupils pure purely
    purity purpose put puts pylori qualify quality quarter queried query quick quickly quit
    quite quo quot rabbit rabbits rabies race racial radial radical radio radius raise raised
    raises raising ramp ramps ran random range ranged ranges ranging rank ranked ranking rapid
    rapidly raptor rare rarely rash rat rate rated rates rather rating ratings ratio ratios
    rats raw ray rays re reach reached reaches react read reader readers readily reading reads
    ready reagent real reality really reason reasons rebound recall receipt receive recent
    record records recover recruit rectal rectum red redness redox reduce reduced reduces ref
    refer refers refine refined reflect reflex reflux reform refused reg regain regard regards
    regimen region regions regular relapse relate related relates release relied relief relies
    relieve rely relying remain remains remodel remote removal remove removed removes renal
    render renders renewal repair repairs repeat repeats replace report reports repress
    request require rescue rescued rescues reserve reside resides residue resolve respect
    respond rest restart resting restore result results retail retain retains retina retinal
    return returns reveal reveals reverse review reviews revised rhesus rhythm rhythms rib
    rice rich rickets right rigid rim ring rings rise rises rising risk risks risky road rob
    robust rock rod rodent rodents role roles room rooms root roots rose rotator rough roughly
    round rounds route routes routine rule ruled rules run running runs rupture rural sac sacs
    sad safe safely safer safety said sale sales saline saliva salt salts salvage same sample
    sampled samples sarcoma save savings saw say saying scale scaled scales scaling scalp scan
    scanned scanner scans scar scarce scheme schemes school schools science scope score scored
    scores scoring screen screens sea seafood search season seasons sec second seconds secret
    secrete section sector sectors secular see seed seeded seeds seeing seek seeking seeks
    seem seemed seems seen segment seizure seldom select self send senior sense sensed senses
    sensing sensor sensors sensory sent sep sepsis septal septic septum sera serial series
    serine serious serovar serum serve served server serves service serving session set sets
    seven seventh several severe sex sexes sexual sham shank shape shaped shapes shaping share
    shared shares sharing sharp sharply she shear shed sheep sheet sheets shift shifted shifts
    ship shock short shorten shorter shortly shot should show showed showing shown shows shunt
    shut sick sickle side sides sigma sign signal signals signs silence silent silica silico
    silver simian similar simple simpler simplex simply sin since single sink sinks sinus
    sister sit site sites sitting situ six sixteen sixth size sizes skewed ski skills skin
    skip skull sleep sleeve slice slices slide slides sliding slight slim slit slope slopes
    slow slowed slower slowly slows small smaller smart smear smears smoke smoked smokers
    smoking smooth snap so soap social society sodium soft soil sole solely solid soluble
    solve solved solvent somatic some someone soon sore sores sorted sorting sought sound
    sounds source sources south soy space spacer spaces spacing span spans sparing sparse
    spasm spatial special species specify spectra speech speed spent sperm spheres spice spike
    spin spinal spindle spine spines spiral spite spleen splenic splice spliced split spoken
    sponge sponges sport sports spot spots spp spray spread spreads spring sputum square
    squares stable stably staff stage staged stages staging stain stained stalk stalled stand
    star stars start started starts state stated states static statin statins station stature
    status stay stayed stays steady stem stent step steps sterile steroid sterol stigma still
    stimuli stock stomach stone stones stool stools stop stopped stops storage store stored
    stores strain strains strand strands strap stream stress stretch strict stroke strokes
    stroma stromal strong stub student studied studies study style subject subset subsets
    subtle subtype subunit success such sudden suffer sugar sugars suggest suicide suite
    suited sulfate sum summary summer sun supine supply support sur sure surface surge surgeon
    surgery survey surveys survive suspect sustain suture swab swabs swine switch swollen
    symptom synapse synergy syringe system systems table tables tackle tag tags tail tails
    take taken takes taking talk tandem tank tap tape taps target targets task tasks taste
    taught tax taxa teach team teams tears teeth tell ten tend tended tends tens tension
    tensor term termed termini terms tertile test tested testes testing testis tests tetanus
    text than thank that the their them theme themes then theory therapy there thereby thereof
    thermal these theta they thick thicker thigh thin things think third thirds this those
    though thought threat threats three thrive throat through thus thymic thymus thyroid
    tibial tick tight tightly tilt time timed timely times timing tiny tip tips tired tissue
    tissues titer titers titres to tobacco today tone tongue too took tool tools top topic
    topical topics tor total totally touch toward towards toxic toxin toxins trace traced
    tracer tracers tracing track tracked tract tracts trade traffic trail train trained trait
    traits trans trap trapped traps trauma travel treat treated tree trees tremor trend trends
    triad triage trial trials tried trigger trimer trio trip triple trisomy tropism trouble
    trough true truly trunk trust try trying tub tube tubes tubular tumor tumors tumour
    tumours tuned turn turned turning turns twelve twenty twice twin twins twist two twofold
    type types typical ulcer ulcers unable unaware unclear uncover und under undergo unified
    uniform unique unit units unknown unless unlike unmet unravel unsafe until unusual up
    update updated updates upon upper upsilon uptake upward urban urea urgent urinary urine
    usage use used useful user users uses using usual usually uterine utero uterus utility
    utilize vaccine vacuole vaginal valid value values valve valves van variant varied varies
    variety various vary varying vast ve vector vectors vehicle vein veins venous ventral
    verbal verify versa version versus very vesicle vessel vessels via viable vice victims
    video view viewed viewing views villi viral virally viremia viremic virion virions viroids
    virtual virus viruses visa visible vision visit visited visits visual vital vitamin vitro
    vivax vivo voltage volume volumes von vs waist wait waiting wake walk walking wall walls
    want wanted ward wards warm warning warrant warts was wash washed washes washing washout
    wasp waste wasting water wave waves way ways we weak weaken weaker weakly wealth weaning
    wear wearing web website week weekly weeks weighed weight weights well wells went were
    western wet what wheat wheeze when where whereas whereby wherein whether which while
    whilst white whites who whole whom whose why wide widely wider width wild will willing
    window windows wine winter wire wish with within without wk woman women word work worked
    worker workers working works workup world worm worms worse worsen worsens worst worth
    would wound wounds wrist writing written wrong www year yearly years yeast yeasts yellow
    yes yet yield yielded yields yolk you young younger your youth yr yrs zero zest zeta zinc
    zip zipper zone zones
""")
