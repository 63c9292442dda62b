"""The names of generated products: the assortment of a supermarket with a pharmacy.

ASSORTMENT maps departments to aisles to product groups. A group has a popularity, package sizes and
varieties. A product is a brand, a variety and a size of one group. Brands are invented. Each entry
of OCCASIONS names eight groups that are bought together. No word holds a comma or a bar.
"""

# A group reads best on one line.
# ruff: noqa: E501
# fmt: off

from __future__ import annotations

Group = tuple[int, str, str]  # popularity, sizes, varieties: the last two between bars

FOOD = (
    "Alpenhof|Sunny Acre|Golden Sheaf|Brook & Vale|Old Orchard|Casa Lenta|Nordlys|Green Hollow|"
    "Millstone|Harbour Lane|La Colline|Redwood Farm|Simply Good|Meadowlark|Two Rivers|Pan Dorato|"
    "Fernhill|Saltmarsh|Kite Hill|Little Barn|Oakmere|Terra Viva|Bluebell|Good Measure"
)
CARE = (
    "Clarena|Pureleaf|Softwell|Brightly|Aquanova|Homely|Lumina|Dermalis|Silva|Everfresh|Nestling|"
    "Calmora|Sparq|Whitewing|Velvetine|Cottonwood|Ecohaus|Tidewater|Gentle Day|Floria|Rinsewell|"
    "Amberline|Snugly|Plain & Kind"
)
MAKERS = (
    "Norvella|Axipharm|Medisol|Curana|Galenika Nord|Helvimed|Biosanta|Remedix|Ostra|Pharmalux|"
    "Vitanova|Salubra|Teravis|Zenmed|Corden Labs|Arbor Health"
)

ASSORTMENT: dict[str, dict[str, dict[str, Group]]] = {
    "Fresh food": {
        "Dairy": {
            "Milk": (92, "1 l|500 ml|2 l|1.5 l", "whole milk|semi-skimmed milk|skimmed milk|lactose-free milk|organic milk|hay milk|goat milk|protein milk"),
            "Yogurt": (66, "150 g|500 g|1 kg|4 x 125 g", "natural yogurt|strawberry yogurt|vanilla yogurt|Greek yogurt|blueberry yogurt|skyr|peach yogurt|drinking yogurt"),
            "Butter": (58, "250 g|125 g|500 g|200 g", "salted butter|unsalted butter|spreadable butter|herb butter|ghee|cultured butter|light butter|garlic butter"),
            "Cream": (34, "200 ml|250 ml|500 ml|330 ml", "whipping cream|single cream|sour cream|double cream|creme fraiche|cooking cream|clotted cream|coffee cream"),
            "Eggs": (70, "6 pieces|10 pieces|12 pieces|18 pieces", "free-range eggs|barn eggs|organic eggs|large eggs|quail eggs|boiled eggs|omega eggs|brown eggs"),
            "Plant drinks": (22, "1 l|500 ml|250 ml|6 x 1 l", "oat drink|almond drink|soy drink|coconut drink|rice drink|hazelnut drink|pea drink|barista oat drink"),
        },
        "Cheese": {
            "Hard cheese": (44, "200 g|400 g|150 g|1 kg", "mature cheddar|Gouda|Emmental|Gruyere|Parmesan|Manchego|Comte|mild cheddar"),
            "Soft cheese": (30, "125 g|200 g|250 g|150 g", "Brie|Camembert|goat cheese|blue cheese|ricotta|mascarpone|burrata|Taleggio"),
            "Cream cheese": (28, "200 g|150 g|300 g|500 g", "plain cream cheese|chive cream cheese|light cream cheese|cottage cheese|quark|pepper cream cheese|salmon cream cheese|vegan cream cheese"),
            "Pizza and salad cheese": (38, "125 g|250 g|200 g|3 x 125 g", "mozzarella|feta|grated mozzarella|halloumi|buffalo mozzarella|grated cheddar|paneer|mini mozzarella"),
        },
        "Fruit": {
            "Bananas": (84, "1 kg|5 pieces|7 pieces|500 g", "bananas|organic bananas|fair trade bananas|baby bananas|plantains|red bananas|snack bananas|green bananas"),
            "Apples": (56, "1 kg|6 pieces|1.5 kg|500 g", "Gala apples|Braeburn apples|Granny Smith apples|Elstar apples|Fuji apples|cooking apples|Pink Crisp apples|organic apples"),
            "Citrus": (46, "1 kg|4 pieces|500 g|2 kg", "oranges|lemons|limes|mandarins|grapefruit|clementines|blood oranges|pomelo"),
            "Berries": (40, "250 g|125 g|400 g|500 g", "strawberries|blueberries|raspberries|blackberries|currants|gooseberries|cranberries|mixed berries"),
            "Grapes and stone fruit": (32, "500 g|1 kg|250 g|750 g", "white grapes|red grapes|peaches|nectarines|plums|cherries|apricots|cotton candy grapes"),
            "Tropical fruit": (24, "1 piece|2 pieces|500 g|350 g", "mango|pineapple|kiwi|papaya|passion fruit|coconut|pomegranate|dragon fruit"),
        },
        "Vegetables": {
            "Tomatoes": (64, "500 g|250 g|1 kg|6 pieces", "vine tomatoes|cherry tomatoes|beef tomatoes|plum tomatoes|cocktail tomatoes|yellow tomatoes|heirloom tomatoes|mini tomatoes"),
            "Potatoes": (54, "2 kg|1 kg|2.5 kg|5 kg", "baking potatoes|new potatoes|waxy potatoes|floury potatoes|sweet potatoes|red potatoes|fingerling potatoes|roasting potatoes"),
            "Onions and garlic": (62, "1 kg|500 g|3 pieces|250 g", "brown onions|red onions|garlic|shallots|spring onions|white onions|leeks|ginger"),
            "Salad": (50, "1 piece|150 g|200 g|250 g", "iceberg lettuce|rocket|baby spinach|romaine hearts|mixed leaves|lamb's lettuce|radicchio|watercress"),
            "Cucumbers and peppers": (52, "1 piece|3 pieces|500 g|250 g", "cucumber|bell peppers|red peppers|snack cucumbers|courgettes|aubergine|chillies|pointed peppers"),
            "Root vegetables": (42, "1 kg|500 g|bunch|750 g", "carrots|beetroot|celeriac|parsnips|radishes|turnips|baby carrots|swede"),
            "Cabbage and beans": (26, "1 piece|500 g|400 g|250 g", "broccoli|cauliflower|white cabbage|green beans|kale|Brussels sprouts|pak choi|sugar snaps"),
            "Mushrooms": (24, "250 g|400 g|150 g|500 g", "button mushrooms|chestnut mushrooms|portobello|oyster mushrooms|shiitake|king oyster mushrooms|mixed mushrooms|enoki"),
            "Fresh herbs": (20, "1 pot|25 g|50 g|bunch", "basil|parsley|coriander|mint|chives|rosemary|thyme|dill"),
            "Avocados": (30, "1 piece|2 pieces|4 pieces|500 g", "ripe avocado|Hass avocado|organic avocado|mini avocado|guacamole|smashed avocado|avocado halves|large avocado"),
        },
        "Meat and fish": {
            "Chicken": (48, "500 g|1 kg|350 g|1.2 kg", "chicken breast|chicken thighs|whole chicken|chicken wings|chicken mince|chicken strips|corn-fed chicken|chicken drumsticks"),
            "Beef": (36, "500 g|400 g|250 g|1 kg", "minced beef|sirloin steak|stewing beef|rump steak|beef burgers|roast beef joint|fillet steak|brisket"),
            "Pork": (28, "500 g|400 g|1 kg|300 g", "pork chops|pork loin|pulled pork|pork mince|pork belly|spare ribs|pork schnitzel|gammon"),
            "Sausages": (34, "400 g|6 pieces|300 g|10 pieces", "bratwurst|pork sausages|chipolatas|merguez|frankfurters|vegetarian sausages|chorizo sausages|Cumberland sausages"),
            "Cold cuts": (46, "100 g|150 g|200 g|80 g", "cooked ham|salami|turkey slices|prosciutto|smoked bacon|chorizo slices|mortadella|pastrami"),
            "Fresh fish": (22, "250 g|300 g|400 g|200 g", "salmon fillet|cod fillet|trout|smoked salmon|prawns|sea bass|mackerel|tuna steak"),
            "Tofu and meat-free": (14, "200 g|400 g|250 g|300 g", "firm tofu|smoked tofu|tempeh|falafel|seitan|vegan mince|veggie burgers|silken tofu"),
        },
        "Bakery": {
            "Bread": (100, "500 g|750 g|1 kg|400 g", "wholemeal bread|white bread|sourdough bread|rye bread|toast bread|multigrain bread|gluten-free bread|farmhouse bread"),
            "Rolls": (72, "4 pieces|6 pieces|2 pieces|8 pieces", "white rolls|seeded rolls|bagels|baguette|ciabatta|burger buns|pretzel rolls|hot dog buns"),
            "Pastries": (40, "1 piece|2 pieces|4 pieces|6 pieces", "butter croissant|pain au chocolat|cinnamon swirl|Danish|apple turnover|doughnut|almond croissant|muffin"),
            "Cakes": (22, "400 g|600 g|1 piece|300 g", "carrot cake|cheesecake|lemon drizzle|brownie|Victoria sponge|marble cake|apple cake|banana bread"),
            "Wraps and flatbreads": (28, "6 pieces|8 pieces|4 pieces|12 pieces", "tortilla wraps|naan|pitta|wholemeal wraps|corn tortillas|chapati|lavash|focaccia"),
        },
    },
    "Pantry": {
        "Breakfast": {
            "Cereals": (42, "500 g|375 g|750 g|1 kg", "corn flakes|fruit muesli|granola|chocolate cereal|bran flakes|wheat biscuits|honey hoops|puffed rice"),
            "Oats": (26, "500 g|1 kg|10 sachets|400 g", "rolled oats|porridge oats|instant oats|apple porridge|honey porridge|oat bran|jumbo oats|overnight oats"),
            "Jam and honey": (30, "340 g|450 g|250 g|200 g", "strawberry jam|apricot jam|blossom honey|orange marmalade|forest honey|raspberry jam|maple syrup|fig jam"),
            "Spreads": (24, "400 g|350 g|200 g|750 g", "hazelnut spread|peanut butter|crunchy peanut butter|almond butter|yeast extract|tahini|speculoos spread|cashew butter"),
        },
        "Pasta and rice": {
            "Pasta": (60, "500 g|1 kg|400 g|250 g", "spaghetti|penne|fusilli|tagliatelle|lasagne sheets|farfalle|wholewheat spaghetti|macaroni"),
            "Filled pasta": (20, "250 g|300 g|500 g|400 g", "spinach tortellini|cheese ravioli|gnocchi|ham tortelloni|mushroom ravioli|beef ravioli|pumpkin agnolotti|maultaschen"),
            "Rice": (38, "1 kg|500 g|2 kg|250 g", "basmati rice|long grain rice|risotto rice|jasmine rice|brown rice|sushi rice|microwave rice|wild rice"),
            "Noodles": (20, "250 g|85 g|300 g|400 g", "egg noodles|rice noodles|ramen|instant noodles|udon|soba|glass noodles|wok noodles"),
            "Pulses and grains": (22, "500 g|1 kg|400 g|250 g", "red lentils|chickpeas dried|couscous|quinoa|bulgur|split peas|pearl barley|black beans dried"),
        },
        "Cans and sauces": {
            "Canned tomatoes": (48, "400 g|4 x 400 g|800 g|200 g", "chopped tomatoes|peeled tomatoes|passata|tomato paste|cherry tomatoes canned|polpa|sundried tomatoes|tomato puree"),
            "Pasta sauce": (40, "400 g|350 g|190 g|500 g", "tomato basil sauce|arrabbiata sauce|green pesto|bolognese sauce|carbonara sauce|red pesto|vegetable sauce|four cheese sauce"),
            "Canned vegetables": (28, "400 g|340 g|200 g|800 g", "sweetcorn|kidney beans|chickpeas|baked beans|white beans|lentils canned|artichokes|peas canned"),
            "Canned fish": (26, "160 g|4 x 80 g|120 g|200 g", "tuna in oil|tuna in water|sardines|mackerel in tomato|anchovies|herring|canned salmon|mussels"),
            "Soup": (18, "400 g|500 ml|4 sachets|600 g", "tomato soup|chicken soup|vegetable soup|lentil soup|mushroom soup|minestrone|pumpkin soup|onion soup"),
            "Condiments": (32, "450 g|250 g|500 ml|200 g", "ketchup|mayonnaise|mustard|barbecue sauce|soy sauce|hot sauce|Worcester sauce|horseradish"),
            "Pickles and olives": (18, "350 g|200 g|670 g|500 g", "gherkins|green olives|black olives|capers|pickled onions|sauerkraut|kimchi|stuffed olives"),
        },
        "Cooking and baking": {
            "Oil and vinegar": (36, "500 ml|750 ml|1 l|250 ml", "olive oil|sunflower oil|rapeseed oil|balsamic vinegar|wine vinegar|sesame oil|coconut oil|cider vinegar"),
            "Flour": (32, "1 kg|500 g|1.5 kg|2 kg", "plain flour|self-raising flour|bread flour|wholemeal flour|spelt flour|cornflour|rye flour|almond flour"),
            "Sugar": (34, "1 kg|500 g|250 g|2 kg", "white sugar|brown sugar|icing sugar|caster sugar|cane sugar|vanilla sugar|demerara sugar|jam sugar"),
            "Baking aids": (20, "100 g|6 sachets|200 g|50 g", "baking powder|dry yeast|cocoa powder|chocolate chips|ground almonds|desiccated coconut|gelatine|fresh yeast"),
            "Spices": (30, "50 g|35 g|100 g|20 g", "black pepper|paprika|curry powder|cinnamon|oregano|cumin|turmeric|chilli flakes"),
            "Salt and stock": (22, "500 g|8 cubes|250 g|120 g", "table salt|sea salt|vegetable stock|chicken stock|beef stock|rock salt|herb salt|bouillon powder"),
        },
        "Snacks": {
            "Chocolate": (46, "100 g|180 g|300 g|45 g", "milk chocolate|dark chocolate|hazelnut chocolate|white chocolate|caramel chocolate|pralines|chocolate bar|mint chocolate"),
            "Biscuits": (36, "200 g|300 g|150 g|400 g", "butter biscuits|chocolate cookies|oat cookies|shortbread|digestives|wafers|ginger biscuits|sandwich cookies"),
            "Crisps": (38, "150 g|175 g|250 g|6 x 25 g", "salted crisps|paprika crisps|tortilla chips|sour cream crisps|vegetable crisps|popcorn|pretzel sticks|vinegar crisps"),
            "Nuts": (22, "200 g|150 g|500 g|100 g", "salted peanuts|cashews|almonds|walnuts|pistachios|trail mix|hazelnuts|pecans"),
            "Sweets": (24, "200 g|150 g|300 g|100 g", "gummy bears|liquorice|mint drops|fruit chews|lollipops|marshmallows|jelly beans|toffees"),
            "Cereal bars": (16, "6 x 25 g|35 g|4 x 40 g|50 g", "oat bar|protein bar|nut bar|date bar|apple bar|chocolate oat bar|honey bar|berry bar"),
        },
    },
    "Drinks": {
        "Hot drinks": {
            "Coffee": (48, "500 g|250 g|1 kg|200 g", "ground coffee|coffee beans|espresso beans|instant coffee|decaf coffee|coffee capsules|filter coffee|mocha coffee"),
            "Tea": (32, "20 bags|50 bags|100 g|40 bags", "black tea|green tea|peppermint tea|camomile tea|fruit tea|Earl Grey|ginger tea|rooibos"),
            "Cocoa": (10, "500 g|250 g|400 g|10 sachets", "drinking chocolate|instant cocoa|malt drink|chai latte powder|white hot chocolate|dark hot chocolate|cocoa pods|spiced cocoa"),
        },
        "Soft drinks": {
            "Water": (56, "6 x 1.5 l|1.5 l|500 ml|6 x 500 ml", "still water|sparkling water|medium sparkling water|spring water|lemon water|mineral water|berry water|low-sodium water"),
            "Cola and lemonade": (44, "1.5 l|6 x 330 ml|330 ml|1 l", "cola|sugar-free cola|lemonade|orangeade|tonic water|ginger ale|bitter lemon|elderflower lemonade"),
            "Juice": (42, "1 l|1.5 l|250 ml|750 ml", "orange juice|apple juice|multivitamin juice|grape juice|tomato juice|pineapple juice|smoothie|carrot juice"),
            "Energy and iced tea": (22, "330 ml|500 ml|1.5 l|250 ml", "energy drink|peach iced tea|lemon iced tea|sports drink|sugar-free energy drink|mate drink|kombucha|green iced tea"),
        },
        "Beer and wine": {
            "Beer": (40, "6 x 330 ml|500 ml|4 x 500 ml|24 x 330 ml", "lager|pilsner|wheat beer|pale ale|alcohol-free beer|stout|radler|amber ale"),
            "Red wine": (26, "750 ml|1 l|375 ml|3 l", "Merlot|Cabernet Sauvignon|Pinot Noir|Tempranillo|Chianti|Shiraz|Malbec|Primitivo"),
            "White wine": (22, "750 ml|1 l|375 ml|250 ml", "Chardonnay|Riesling|Sauvignon Blanc|Pinot Grigio|Gruner Veltliner|Verdejo|rose wine|Muscat"),
            "Sparkling and spirits": (14, "750 ml|700 ml|200 ml|500 ml", "prosecco|cava|gin|vodka|rum|whisky|bitter aperitif|cream liqueur"),
        },
    },
    "Frozen": {
        "Frozen meals": {
            "Frozen pizza": (34, "350 g|2 x 350 g|400 g|280 g", "pizza margherita|pizza salami|pizza funghi|pizza tuna|pizza quattro formaggi|pizza spinach|pizza hawaii|pizza vegetale"),
            "Ready meals": (22, "400 g|350 g|500 g|800 g", "lasagne|chicken curry|paella|chilli con carne|vegetable stir-fry|cottage pie|pasta bake|pad thai"),
            "Frozen potatoes": (24, "1 kg|750 g|600 g|1.5 kg", "oven chips|potato wedges|hash browns|croquettes|sweet potato fries|rosti|roast potatoes|curly fries"),
        },
        "Frozen basics": {
            "Frozen vegetables": (32, "750 g|450 g|1 kg|300 g", "garden peas|spinach portions|mixed vegetables|broccoli florets|sweetcorn frozen|green beans frozen|soup vegetables|edamame"),
            "Frozen fish": (22, "400 g|300 g|500 g|250 g", "fish fingers|cod portions|salmon portions|prawns frozen|breaded plaice|pollock fillets|calamari|seafood mix"),
            "Frozen fruit": (14, "300 g|500 g|750 g|1 kg", "berry mix|raspberries frozen|mango chunks|smoothie mix|strawberries frozen|cherries frozen|blueberries frozen|acai"),
            "Ice cream": (30, "500 ml|1 l|4 x 100 ml|900 ml", "vanilla ice cream|chocolate ice cream|strawberry ice cream|lemon sorbet|caramel ice cream|cookie ice cream|mango sorbet|ice lollies"),
        },
    },
    "Household": {
        "Paper goods": {
            "Toilet paper": (46, "8 rolls|16 rolls|4 rolls|24 rolls", "toilet paper 3-ply|toilet paper 4-ply|recycled toilet paper|moist toilet tissue|soft toilet paper|toilet paper 2-ply|quilted toilet paper|bamboo toilet paper"),
            "Kitchen roll": (32, "2 rolls|4 rolls|3 rolls|6 rolls", "kitchen roll|recycled kitchen roll|extra strong kitchen roll|printed kitchen roll|half-sheet kitchen roll|jumbo kitchen roll|bamboo kitchen roll|blue kitchen roll"),
            "Tissues": (26, "10 packs|100 sheets|15 packs|30 packs", "paper handkerchiefs|box tissues|balm tissues|menthol tissues|cosmetic tissues|recycled tissues|pocket tissues|napkins"),
            "Foil and bags": (18, "30 m|20 bags|50 bags|10 m", "aluminium foil|cling film|freezer bags|baking paper|bin bags|sandwich bags|compost bags|ziplock bags"),
        },
        "Cleaning": {
            "Laundry": (30, "1.5 l|20 washes|40 washes|1 kg", "colour detergent|white detergent|fabric softener|laundry pods|delicates detergent|stain remover|sensitive detergent|sports detergent"),
            "Dishwashing": (30, "500 ml|40 tabs|750 ml|60 tabs", "washing-up liquid|dishwasher tabs|rinse aid|dishwasher salt|lemon washing-up liquid|dishwasher gel|machine cleaner|aloe washing-up liquid"),
            "Surface cleaners": (22, "1 l|750 ml|500 ml|2 l", "all-purpose cleaner|bathroom cleaner|glass cleaner|floor cleaner|descaler|bleach|oven cleaner|kitchen spray"),
            "Cleaning tools": (14, "3 pieces|1 piece|5 pieces|10 pieces", "sponges|microfibre cloths|scourers|rubber gloves|mop head|dustpan set|duster|bottle brush"),
        },
        "Home": {
            "Batteries and bulbs": (10, "4 pieces|8 pieces|2 pieces|1 piece", "AA batteries|AAA batteries|LED bulb E27|LED bulb E14|button cells|9 V batteries|rechargeable batteries|candle bulb"),
            "Candles": (8, "10 pieces|1 piece|4 pieces|50 pieces", "tealights|scented candle|dinner candles|pillar candle|birthday candles|citronella candle|beeswax candle|jar candle"),
            "Stationery": (8, "1 piece|3 pieces|10 pieces|5 pieces", "notebook|ballpoint pens|sticky tape|envelopes|greeting card|colouring pencils|sticky notes|glue stick"),
            "Flowers": (14, "1 bunch|1 pot|10 stems|20 stems", "tulips|roses|orchid|mixed bouquet|sunflowers|lavender plant|lilies|succulent"),
        },
    },
    "Health and beauty": {
        "Body care": {
            "Soap and shower": (26, "250 ml|300 ml|100 g|500 ml", "shower gel|hand soap|bar soap|shower cream|bath foam|men's shower gel|hand soap refill|body scrub"),
            "Hair care": (22, "250 ml|300 ml|400 ml|200 ml", "shampoo|conditioner|anti-dandruff shampoo|hair spray|hair mask|dry shampoo|hair gel|baby shampoo"),
            "Deodorant": (18, "150 ml|50 ml|75 ml|200 ml", "deodorant spray|roll-on deodorant|deodorant stick|aluminium-free deodorant|men's deodorant|foot deodorant|crystal deodorant|body mist"),
            "Skin care": (16, "50 ml|200 ml|75 ml|400 ml", "day cream|body lotion|hand cream|night cream|sun cream SPF 30|face wash|lip balm|sun cream SPF 50"),
            "Shaving": (10, "200 ml|4 pieces|8 pieces|1 piece", "shaving foam|razor blades|disposable razors|aftershave|shaving gel|beard oil|wax strips|razor"),
            "Dental care": (28, "75 ml|1 piece|500 ml|50 m", "toothpaste|toothbrush|mouthwash|dental floss|whitening toothpaste|interdental brushes|children's toothpaste|brush heads"),
            "Period care": (16, "16 pieces|32 pieces|20 pieces|10 pieces", "tampons regular|tampons super|sanitary pads|panty liners|night pads|menstrual cup|organic tampons|period pants"),
        },
        "Self-care": {
            "Cold remedies": (16, "150 ml|20 pieces|10 sachets|20 ml", "cough syrup|throat lozenges|hot lemon|nasal spray|chest rub|sage pastilles|eucalyptus oil|cold tablets"),
            "Pain relief": (14, "20 pieces|10 pieces|50 g|30 pieces", "paracetamol tablets|ibuprofen tablets|aspirin tablets|pain gel|heat plasters|headache tablets|effervescent aspirin|cooling gel"),
            "Vitamins": (14, "30 pieces|60 pieces|20 pieces|90 pieces", "vitamin C|vitamin D|multivitamin|magnesium|iron|zinc|omega-3 capsules|folic acid"),
            "First aid": (10, "20 pieces|1 piece|10 pieces|50 pieces", "plasters|bandage|disinfectant spray|blister plasters|thermometer|wound ointment|cold pack|cotton pads"),
            "Digestion": (8, "20 pieces|200 ml|12 sachets|40 pieces", "antacid tablets|probiotics|fennel drops|laxative tea|rehydration salts|fibre powder|charcoal tablets|bitter drops"),
            "Family planning": (4, "1 piece|2 pieces|10 pieces|12 pieces", "pregnancy test|condoms|ovulation test|lubricant|extra thin condoms|digital pregnancy test|latex-free condoms|early pregnancy test"),
            "Stop smoking and sleep": (4, "24 pieces|7 pieces|30 pieces|14 pieces", "nicotine gum|nicotine patches|sleep drops|valerian tablets|melatonin spray|nicotine lozenges|earplugs|calming tea"),
        },
    },
    "Baby and pets": {
        "Baby": {
            "Nappies": (20, "30 pieces|60 pieces|22 pieces|90 pieces", "nappies size 2|nappies size 3|nappies size 4|nappies size 5|newborn nappies|nappy pants|night nappies|swim nappies"),
            "Baby food": (20, "190 g|125 g|250 g|400 g", "carrot puree|apple puree|baby porridge|vegetable risotto jar|pear puree|follow-on milk|first infant milk|baby rusks"),
            "Baby care": (14, "64 sheets|200 ml|100 ml|3 x 64 sheets", "baby wipes|baby oil|nappy cream|baby lotion|baby bath|baby powder|water wipes|baby sun cream"),
        },
        "Pets": {
            "Cat food": (26, "400 g|12 x 85 g|1.5 kg|85 g", "cat food chicken|cat food salmon|cat biscuits|kitten food|cat food beef|senior cat food|cat treats|cat food tuna"),
            "Dog food": (22, "800 g|4 kg|400 g|12 kg", "dog food beef|dog food chicken|puppy food|dog biscuits|dog food lamb|dog treats|dental sticks|senior dog food"),
            "Pet care": (8, "10 l|5 kg|1 piece|2 kg", "cat litter|clumping cat litter|bird seed|hay|hamster food|dog waste bags|flea collar|fish food"),
        },
    },
    "Pharmacy": {
        "Heart and metabolism": {
            "Blood pressure": (30, "5 mg|10 mg|20 mg|40 mg", "Rx Ramipril|Rx Lisinopril|Rx Amlodipine|Rx Candesartan|Rx Bisoprolol|Rx Losartan|Rx Valsartan|Rx Metoprolol"),
            "Diabetes": (22, "30 pieces|60 pieces|90 pieces|120 pieces", "Rx Metformin|Rx Insulin glargine|Rx Sitagliptin|Rx Empagliflozin|Rx Gliclazide|Rx Semaglutide|Rx Insulin lispro|Rx Liraglutide"),
            "Cholesterol and blood": (24, "10 mg|20 mg|40 mg|80 mg", "Rx Atorvastatin|Rx Simvastatin|Rx Rosuvastatin|Rx Apixaban|Rx Warfarin|Rx Rivaroxaban|Rx Ezetimibe|Rx Clopidogrel"),
        },
        "Infections": {
            "Antibiotics": (26, "250 mg|500 mg|750 mg|1000 mg", "Rx Amoxicillin|Rx Azithromycin|Rx Doxycycline|Rx Cefuroxime|Rx Ciprofloxacin|Rx Clarithromycin|Rx Nitrofurantoin|Rx Penicillin V"),
            "HIV and hepatitis": (9, "28 pieces|30 pieces|60 pieces|90 pieces", "Rx Dolutegravir|Rx Emtricitabine|Rx Tenofovir|Rx Bictegravir|Rx Sofosbuvir|Rx Entecavir|Rx Darunavir|Rx Ledipasvir"),
            "Antivirals and antifungals": (9, "200 mg|400 mg|800 mg|150 mg", "Rx Aciclovir|Rx Fluconazole|Rx Valaciclovir|Rx Oseltamivir|Rx Terbinafine|Rx Itraconazole|Rx Famciclovir|Rx Voriconazole"),
        },
        "Mind and nerves": {
            "Depression and anxiety": (18, "10 mg|20 mg|50 mg|100 mg", "Rx Sertraline|Rx Citalopram|Rx Fluoxetine|Rx Venlafaxine|Rx Mirtazapine|Rx Escitalopram|Rx Buspirone|Rx Duloxetine"),
            "Psychosis and bipolar": (10, "5 mg|25 mg|100 mg|200 mg", "Rx Quetiapine|Rx Olanzapine|Rx Risperidone|Rx Lithium|Rx Aripiprazole|Rx Clozapine|Rx Lamotrigine|Rx Haloperidol"),
            "Epilepsy and Parkinson": (10, "25 mg|100 mg|250 mg|500 mg", "Rx Levetiracetam|Rx Valproate|Rx Levodopa|Rx Carbamazepine|Rx Pramipexole|Rx Topiramate|Rx Ropinirole|Rx Gabapentin"),
        },
        "Other prescriptions": {
            "Contraception and hormones": (16, "21 pieces|28 pieces|63 pieces|84 pieces", "Rx Levonorgestrel|Rx Estradiol|Rx Desogestrel|Rx Levothyroxine|Rx Drospirenone|Rx Progesterone|Rx Testosterone|Rx Dienogest"),
            "Asthma and allergy": (16, "60 doses|120 doses|200 doses|30 doses", "Rx Salbutamol|Rx Budesonide|Rx Fluticasone|Rx Montelukast|Rx Formoterol|Rx Tiotropium|Rx Beclometasone|Rx Mometasone"),
            "Cancer and immune system": (8, "5 mg|20 mg|50 mg|150 mg", "Rx Tamoxifen|Rx Letrozole|Rx Methotrexate|Rx Imatinib|Rx Azathioprine|Rx Capecitabine|Rx Anastrozole|Rx Bicalutamide"),
        },
    },
}

BRANDS = {
    "Fresh food": FOOD,
    "Pantry": FOOD,
    "Drinks": FOOD,
    "Frozen": FOOD,
    "Household": CARE,
    "Health and beauty": CARE,
    "Baby and pets": CARE,
    "Pharmacy": MAKERS,
}

OCCASIONS: tuple[tuple[str, ...], ...] = (
    ("Bread", "Butter", "Jam and honey", "Coffee", "Milk", "Eggs", "Rolls", "Juice"),
    ("Cereals", "Milk", "Oats", "Yogurt", "Bananas", "Berries", "Plant drinks", "Nuts"),
    ("Pasta", "Pasta sauce", "Canned tomatoes", "Onions and garlic", "Hard cheese", "Beef", "Red wine", "Fresh herbs"),
    ("Salad", "Tomatoes", "Cucumbers and peppers", "Oil and vinegar", "Pizza and salad cheese", "Pickles and olives", "Avocados", "Bread"),
    ("Sausages", "Beef", "Rolls", "Beer", "Condiments", "Potatoes", "Cola and lemonade", "Crisps"),
    ("Flour", "Sugar", "Eggs", "Butter", "Baking aids", "Milk", "Cream", "Chocolate"),
    ("Chicken", "Rice", "Cabbage and beans", "Spices", "Onions and garlic", "Noodles", "Wraps and flatbreads", "Mushrooms"),
    ("Crisps", "Cola and lemonade", "Frozen pizza", "Beer", "Sweets", "Nuts", "Ice cream", "Energy and iced tea"),
    ("Bread", "Cold cuts", "Hard cheese", "Cream cheese", "Tomatoes", "Butter", "Pickles and olives", "Salad"),
    ("Toilet paper", "Kitchen roll", "Laundry", "Dishwashing", "Surface cleaners", "Cleaning tools", "Foil and bags", "Tissues"),
    ("Nappies", "Baby food", "Baby care", "Milk", "Bananas", "Tissues", "Water", "Yogurt"),
    ("Cat food", "Pet care", "Dog food", "Milk", "Kitchen roll", "Canned fish", "Chicken", "Bread"),
    ("Cold remedies", "Tissues", "Tea", "Citrus", "Soup", "Pain relief", "Vitamins", "Jam and honey"),
    ("Soap and shower", "Hair care", "Deodorant", "Dental care", "Skin care", "Shaving", "Period care", "Tissues"),
    ("Apples", "Bananas", "Citrus", "Grapes and stone fruit", "Berries", "Tropical fruit", "Yogurt", "Water"),
    ("Root vegetables", "Potatoes", "Onions and garlic", "Salt and stock", "Sausages", "Cream", "Bread", "Fresh herbs"),
    ("Frozen vegetables", "Frozen potatoes", "Frozen fish", "Ready meals", "Frozen pizza", "Ice cream", "Frozen fruit", "Water"),
    ("White wine", "Fresh fish", "Citrus", "Soft cheese", "Sparkling and spirits", "Grapes and stone fruit", "Flowers", "Rolls"),
    ("Coffee", "Pastries", "Cakes", "Milk", "Biscuits", "Chocolate", "Juice", "Cream"),
    ("Canned vegetables", "Pulses and grains", "Canned tomatoes", "Tofu and meat-free", "Spices", "Rice", "Avocados", "Wraps and flatbreads"),
    ("Vitamins", "Digestion", "Pain relief", "First aid", "Water", "Dental care", "Cereal bars", "Stop smoking and sleep"),
    ("Water", "Rolls", "Bananas", "Cereal bars", "Energy and iced tea", "Chocolate", "Nuts", "Juice"),
    ("Candles", "Flowers", "Stationery", "Red wine", "Chocolate", "Batteries and bulbs", "Cakes", "Sparkling and spirits"),
    ("Eggs", "Cold cuts", "Mushrooms", "Butter", "Canned vegetables", "Sausages", "Rolls", "Tea"),
)
