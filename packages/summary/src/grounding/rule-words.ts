/**
 * Words with which people state a rule that outlives the moment, by language. Latin scripts match whole words; in
 * Chinese, Japanese and Korean, which do not divide words, the characters themselves are matched.
 */
const wholeWords: readonly string[] = [
  String.raw`always|never|must(?:n['\u2019]?t)?|(?<!\b(?:i|we|they|it|you|that|which) )(?:do not|don['\u2019]?t)|avoid|only (?:use|ever|touch|change|edit|write|run)|from now on|make sure|ensure|prefer(?:ably)?|keep (?:in mind|it|the|all|everything|your|our|out|away|off|clear)|please (?:use|keep|write|answer|leave|stay|be|call|stick)|(?<!\b(?:i|we|they) )ha(?:s|ve) to|i (?:want|need|expect) (?:every|all|each)|under no circumstances|no matter what|remember(?: to| that)?|at (?:most|least|all times)|no more than|not allowed|required?|without (?:asking|changing|touching|using|telling|my|our|prior|explicit)|instead of|stick to|until i say|unless i`,
  String.raw`stay (?:away|out|off|clear|within|on|in|with|under|below)|hands off|off[- ]limits|leave [^.]{1,60}? (?:alone|untouched|unchanged|intact|as (?:is|it is|they are))|whatever you do|every time|each time|whenever|read[- ]only|forbidden|prohibited|mandatory|no ?body|no one|nothing (?:gets?|is|may|can|should|goes|will|ever)|(?:my|our) (?:okay|ok|approval|permission|consent|go-ahead|sign-?off)|ask (?:me )?(?:first|before)|check with me|by default|as a rule|going forward|strictly|exclusively|should(?: always| never| not| only|n['\u2019]t)|i (?:prefer|like|hate|dislike|do not want|don['\u2019]t want)|conventions?|may not|before (?:each|every|any)|be (?:brief|concise|terse|careful)|treat|in (?:english|german|french|spanish|italian|portuguese|japanese|chinese|korean)|your (?:answers|replies|responses|messages)`,
  String.raw`immer|nie(?:mals)?|nicht|auf (?:deutsch|englisch)|auf keinen fall|keine?n?|muss|m\u00fcssen|soll(?:st|en)?|ab jetzt|nur|bevorzug\w*|vermeid\w*|achte darauf|finger weg|tabu|bleib\w*|lass(?:e|t)? [^.]{1,60}(?:in ruhe|so|unver\u00e4ndert)|ausschlie\u00dflich|ohne (?:meine?|r\u00fcckfrage|zu fragen)|verboten|d\u00fcrfen|darf(?:st)?|grunds\u00e4tzlich|stets|k\u00fcnftig|in zukunft|duze|sieze|deine[nrms]? antworten`,
  String.raw`toujours|jamais|ne (?:pas|jamais)|n(?:e |['\u2019])\p{L}+(?:-\p{L}+)? (?:pas|jamais|rien|plus)|doit|doivent|\u00e9vite[rz]?|uniquement|seulement|d\u00e9sormais|pr\u00e9f\u00e8re|interdit\w*|tutoie|vouvoie|sans (?:mon|me|demander)|il faut|laisse[rz]?|en (?:fran\u00e7ais|anglais)|(?:tes|vos) r\u00e9ponses`,
  String.raw`siempre|nunca|jam\u00e1s|no (?:uses|hagas|cambies|toques|debes|modifiques|borres|elimines|agregues|a\u00f1adas|escribas|edites|ejecutes)|debes?|evita|a partir de ahora|s[o\u00f3]lo|solamente|\u00fanicamente|prefiero|prohibid[oa]|sin (?:mi|preguntar\w*|permiso)|tut\u00e9ame|en (?:espa\u00f1ol|ingl\u00e9s)|(?:tus|sus) respuestas`,
  String.raw`sempre|n\u00e3o (?:use|mude|fa\u00e7a|altere|toque|apague|remova|modifique|edite|mexa|adicione|escreva)|deve|evite|proibid[oa]|somente|apenas|sem (?:minha|perguntar)|(?:tuas|suas) respostas|non (?:usare|cambiare|toccare|modificare|cancellare|aggiungere|scrivere)|mai|vietato|soltanto|senza (?:il mio|chiedere)|lascia|in italiano|em portugu\u00eas|(?:tue|sue) risposte`,
  String.raw`altijd|nooit|moet(?:en)?|blijf|alleen|verboden|zonder (?:mijn|te vragen)|alltid|aldrig|aldri|bara|endast|f\u00e5r inte|m\u00e5 ikke|zawsze|nigdy|musi(?:sz)?|nie (?:zmieniaj|usuwaj|dotykaj|dodawaj|u\u017cywaj)|tylko|bez mojej|asla|her zaman|mutlaka|sadece|yaln\u0131zca`,
  String.raw`\u062f\u0627\u0626\u0645\u0627|\u0623\u0628\u062f\u0627|\u064a\u062c\u0628|\u0645\u0645\u0646\u0648\u0639|\u0644\u0627 \u062a\p{L}+|\u0641\u0642\u0637`,
];

/** A sentence that says how things are to be done, or what is not to be done at all. */
const shapes: readonly string[] = [
  // What holds for all of a kind or for none; what only happened is no rule.
  String.raw`^(?:no|only|all|every|each|any) (?!.{0,80}(?:ed|was|were|had|did|found|ran|broke)\b)\p{L}[^?]{2,80}$`,
  String.raw`, (?:not|no) \p{L}`,
  String.raw`\bonly[.!]?$`,
  // Which of two, and why: the second half is no next step.
  String.raw`^(?:please )?use [^.,;]{1,40}(?:, (?!then|and then)| and not| not| over| rather than)`,
  String.raw`^(?:please )?(?:answer|reply|respond|speak|talk) (?:to me |me )?(?:in|with|only|briefly|as)(?!\p{L})`,
];

/** Tells whether a sentence has the words or the shape of a rule. */
export const ruleWords: RegExp = new RegExp(
  [
    // One look around for all of them, because it costs more than the words.
    String.raw`(?<![\p{L}'\u2019])(?:${wholeWords.join('|')})(?!\p{L})`,
    ...shapes,
    String.raw`\u0432\u0441\u0435\u0433\u0434\u0430|\u043d\u0438\u043a\u043e\u0433\u0434\u0430|\u043d\u0435\u043b\u044c\u0437\u044f|\u0434\u043e\u043b\u0436\u0435\u043d|\u043e\u0431\u044f\u0437\u0430\u0442\u0435\u043b\u044c\u043d\u043e|\u0438\u0437\u0431\u0435\u0433\u0430\u0439|\u0442\u043e\u043b\u044c\u043a\u043e|\u0437\u0430\u043f\u0440\u0435\u0449|\u043d\u0435 \p{L}+(?:\u0439|\u0439\u0442\u0435)(?!\p{L})|\u0431\u0435\u0437 \u043c\u043e\u0435\u0433\u043e|\u043f\u043e-\u0440\u0443\u0441\u0441\u043a\u0438|\u043d\u0430 (?:\u0440\u0443\u0441\u0441\u043a\u043e\u043c|\u0430\u043d\u0433\u043b\u0438\u0439\u0441\u043a\u043e\u043c)`,
    String.raw`\u5fc5\u305a|\u7d76\u5bfe|\u3057\u306a\u3044\u3067|\u7981\u6b62|\u5e38\u306b|\u3060\u3051\u306b|\u306a\u3044\u3067\u304f\u3060\u3055\u3044|\u3057\u3066\u306f\u3044\u3051|\u3057\u306a\u304f\u3066\u306f|\u3079\u304d|\u4eca\u5f8c\u306f|\u306e\u307f|\u4ee5\u5916|\u307e\u307e\u306b|(?:\u65e5\u672c|\u82f1)\u8a9e\u3067`,
    String.raw`\u5fc5\u987b|\u4e0d\u8981|\u4e0d\u8bb8|\u4e0d\u80fd|\u603b\u662f|\u52a1\u5fc5|\u7981\u7528|\u4ece\u73b0\u5728\u5f00\u59cb|\u53ea\u80fd|\u4e0d\u5f97|\u8bf7\u52ff|\u7528(?:\u4e2d\u6587|\u82f1\u6587|\u82f1\u8bed)|\u4e0d\u51c6|\u59cb\u7ec8|\u4e00\u5f8b|\u522b(?:\u52a8|\u6539|\u7528|\u5220|\u78b0|\u518d|\u628a|\u5fd8)`,
    String.raw`\ud56d\uc0c1|\uc808\ub300|\ubc18\ub4dc\uc2dc|\ud558\uc9c0 ?\ub9c8|\uae08\uc9c0|\ub9c8\uc138\uc694|\ub9d0\uc544|\ub9d0 \uac83|\ub9cc \uc0ac\uc6a9|(?:\uc601\uc5b4|\ud55c\uad6d\uc5b4)\ub85c`,
    String.raw`\u0939\u092e\u0947\u0936\u093e|\u0915\u092d\u0940|\u0915\u0947\u0935\u0932|\u092e\u0924 `,
  ].join('|'),
  'iu',
);

/** Announces rules: a heading, a line before a list, or the words before a colon. */
export const announcing: RegExp =
  /(?<!\p{L})(?:(?:ground |house )?rules?|guidelines?|constraints?|conventions?|requirements?|preferences?|instructions?|policy|policies|a few things|some things|(?:please )?(?:note|remember)|keep in mind|important|before (?:we|you) (?:start|begin)|in general|generally|also|one more thing|regeln?|vorgaben?|wichtig|vorab|bevor (?:wir|du)|r\u00e8gles?|consignes?|avant de commencer|reglas?|normas?|antes de (?:empezar|come\u00e7ar)|regras?|regole?|prima di iniziare|regels?|zasady)(?!\p{L})|\u043f\u0440\u0430\u0432\u0438\u043b\u0430|\u89c4\u5219|\u8981\u6c42|\u6ce8\u610f|\u30eb\u30fc\u30eb|\u898f\u5247|\u6ce8\u610f|\uaddc\uce59|\uc8fc\uc758|\u0642\u0648\u0627\u0639\u062f/iu;
