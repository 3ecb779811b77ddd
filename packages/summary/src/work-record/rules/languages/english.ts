import type { Directives } from './directives.ts';

/** Verbs used to instruct an agent. They are listed because English imperatives look like nouns. */
const doing =
  '(?:add|answer|ask|build|call|check|comment|commit|confirm|count|create|delete|deploy|document|do|edit|end|explain|follow|format|give|group|import|include|indent|install|keep|limit|link|lint|list|log|make|mark|merge|modify|move|name|open|place|prefix|print|push|put|quote|read|rebase|rebuild|regenerate|remove|reply|report|respond|return|review|round|run|save|show|sign|sort|split|squash|start|stop|store|strip|summarize|tag|talk|tell|test|touch|translate|update|use|validate|verify|work|wrap|write)';

/**
 * A word that can be an imperative: not a past or third-person form, and not one of the common words that are not
 * verbs.
 */
const order = String.raw`(?!(?:\p{L}*(?<![su])s|\p{L}*(?<![ef])ed|\p{L}{3,}ing|mind|again|the|an?|on|in|at|if|when|where|for|from|this|that|my|our|your|one|two|some|after|before|once|because|to|about|by|as|and|or|i|we|you|they|it|he|she|there|got|had|saw|seen|been|ran|did|went|came|gave|found|told|took|made|knew|thought|same|just|really|quite|broken|heard|happen)(?!\p{L}))\p{L}+`;

/** Verbs that describe a state and are not used as imperatives. */
const state =
  'know|remember|think|see|understand|recall|care|mind|worry|believe|have|seem|want|like|need|work|exist|fit|match|get (?:it|why|how|any|what)|really|even|you|they|we|i|bother';
const soon = String.raw`(?![^.]{0,80}\b(?:yet|now(?! on)|this time|today|at the moment)\b)`;
const pronoun = '(?:it|this|that|there|i|he|she|they|we|you|what|which|who|something)';
/** A pronoun as the subject of a clause. */
const subject = String.raw`(?:^|[,;:(] ?|(?<!\p{L})(?:and|but|so|that|because|if|think|guess) )${pronoun}`;
const person = '(?:you|agents?|everyone|everybody|anyone|contributors?)';
const permission =
  '(?:my|our|me|us|asking|telling|checking|consulting|prior|explicit|permission|approval|review|an? (?:tests?|review|ticket|reason|discussion))';
const saying = '(?:say|ask|tell|approve|confirm|agree|explicitly|sign|give|want|request|review)';

/** Nouns after `no` in reports: "no errors", "no luck". */
const found =
  'errors?|warnings?|output|results?|luck|problems?|idea|worries|thanks|difference|effect|response|reason|clue|need|way|matter|such|one|more|longer|wonder|doubt|rush|answers?|success|issues?|hits?|match|matches|data|rows|signs?|connection|thing|i|it|that|this|we|you|they|there|he|she|do|don|not|but|the|let|just|please|wait|go|of|because|so|what|why|is';

export const english: Directives = {
  opening: [
    // Prohibitions
    `never (?:ever )?${order}`,
    String.raw`(?:do not|don['’]?t) (?!(?:${state})(?!\p{L}))(?:ever )?\p{L}+(?! (?:it|that|this|them|so)(?:$|[.!,]))${soon}`,
    String.raw`no (?!(?:${found})(?!\p{L}))(?!.{0,80}\b(?:was|were|ran|failed|passed|found|showed|appeared|now|anymore|yet|so far|failing)\b)(?:\p{L}+ ){0,3}?(?:\p{L}+(?:s|ing|ion|ment)|emoji|code|access|network)(?=[.!,;(]|$| \(| (?:in|on|at|for|from|to|with|without|before|after|outside|inside|under|of|or|and|unless|until|than|please|ever|whatsoever|as|may|must|should|is|are)(?!\p{L}))`,
    "not (?:a single|any) |(?:do not|don['’]?t) you (?:dare|ever) |it is (?:forbidden|prohibited|not allowed|mandatory|required) to ",
    String.raw`(?:stay|keep|steer) (?:away|out|off|clear|within|on|in(?! mind)|inside|under|below)(?!\p{L})`,
    'hands off|refrain from|stick (?:to|with) |(?:refer to|address) me as |call me (?!back|when|if|at|later)',
    String.raw`leave [^.]{1,60}? (?:alone|untouched|unchanged|intact|in place|as (?:is|it is|they are))(?!\p{L})`,
    String.raw`avoid (?!(?:it|this|that)(?!\p{L}))\p{L}`,
    String.raw`stop (?!(?:\p{L}+ing )?(?:it|this|that|the)(?!\p{L}))\p{L}+ing(?!\p{L})`,
    'no more (?!errors|problems|issues|than one)',
    String.raw`(?:nothing|nobody|no one|no \p{L}+|none)(?!\p{L})[^?]{1,100} (?:without ${permission}|(?:until|unless) (?:i|we) ${saying}|except |outside )`,
    String.raw`(?:nobody|no one) (?:but|except|else|other)(?!\p{L})`,
    String.raw`(?:nothing|nobody|no one|none of [^?]{1,40}) (?:may|should|must|shall|is (?:to|allowed))(?!\p{L})`,
    String.raw`(?!${pronoun} |the |yes|no|ok)(?:\p{L}+ ){0,2}\p{L}+, not (?:\p{L}+ ){0,2}\p{L}+[.!]?$`,
    // Obligations
    `always ${order}`,
    String.raw`only (?:ever )?${doing}(?!\p{L})`,
    String.raw`${doing} (?:[^?,]{0,40} )?(?:only|always|never|exclusively) (?!(?:fails?|works?|once|twice)\b)`,
    '(?:make|be) (?:absolutely )?sure (?!(?:it|this|that) (?:works|runs|is )|i )',
    'ensure (?!(?:it|this) )',
    'remember (?:to|that|not|never|always|you) |(?:keep|bear) in mind|take care (?:to|that|not) |note that you ',
    String.raw`(?:ask|tell|warn|consult|check with|wait for|show) (?:me|us|my)(?!\p{L})[^?]{0,60}(?:before|first)(?!\p{L})|ask (?:first|before) `,
    `(?:whenever|every time|each time) (?!i (?!${saying})|it |we |he |she |they |the )`,
    String.raw`(?:before|after|with|on|for|in) (?:each|every|any) [^?]{1,60}, ?(?:(?:please|always|first) )?${doing}(?!\p{L})`,
    String.raw`${doing}(?!\p{L})[^?]{0,80} (?:before|after|for|on|in|with|per|to) (?:each|every|any)(?!\p{L})`,
    String.raw`(?:answer|reply|respond|speak|talk|write|explain)(?: to me| me| back| everything| all [^.,]{1,30}| (?!the |an? |this |that )(?:\p{L}+ )?\p{L}+s)? (?:(?:only|always|exclusively|just) )?(?:in|as|like|briefly|shortly|concisely)(?! (?:the (?!imperative|present|active|passive|first|third|style)|this|that|it|a new)\b)(?!\p{L})`,
    'be (?:more |very |as |extra |always )?(?:brief|concise|terse|careful|short|precise|polite|honest|critical|sceptical|skeptical|thorough|explicit|consistent|conservative|direct|strict|formal|informal)',
    String.raw`keep [^.,]{1,50}? (?:short|small|brief|minimal|simple|under|below|within|above|concise|focused|consistent|compatible|clean|stable|green|separate|private|sorted|working|passing|free of|up to date|in sync|at most)(?!\p{L})`,
    'use [^;]{1,60}(?: instead of| rather than| over|,? (?:and )?(?:not|never)|,? no) ',
    String.raw`use [^,;]{1,60} (?:for|in) (?!(?:the|this|that|these|those|an?|my|your|it|now|here|one|step)(?!\p{L}))\p{L}`,
    String.raw`use [^,;]{1,60} (?:everywhere|throughout|by default|wherever|whenever)(?!\p{L})`,
    // "Use X, Y is deprecated."
    String.raw`use [^,;]{1,40}, (?!then |and |or |it |this |that )[^,;]{1,20} (?:\p{L}{2,}(?<!s)s|is|are|does|isn['’]t|doesn['’]t)(?!\p{L})`,
    String.raw`prefer(?:ably)?(?!\p{L})|follow (?:the|our|my|these) [^.]{0,40}(?:style|convention|pattern|guide|rule|standard|format)|follow (?!(?:up|along|through|me|the|this|that|it|these|those|your)(?!\p{L}))\p{L}`,
    String.raw`treat (?!(?:it|this|that)(?!\p{L}))[^.]{1,40} (?:as|like) `,
    String.raw`(?:every|each|all|any)(?!\p{L})(?! time)[^?,]{1,80} (?:must|should|needs? (?:to|an?|at|its|their|one|tests?)|has to|have to|gets? (?:an?|its|their)|goes (?:in|into|to|through)|comes with|(?:is|are) to)(?!\p{L})`,
    String.raw`keep (?:all|every|everything|each|your)(?!\p{L}) [^.?]{2,60} (?:in|as|at|to)(?!\p{L})`,
    String.raw`(?:make|write|give|use) (?:small|short|brief|concise|simple|plain|clear|meaningful|descriptive|relative|absolute|explicit|strict|early) \p{L}+s(?!\p{L})`,
    'consider [^.?]{1,40} (?:frozen|locked|final|closed|off[- ]limits|read-only)',
    String.raw`only (?:i|we) (?!(?:see|get|have|know|had|got|saw|need|can|found)(?!\p{L}))${order}`,
    // A plural without an article, with "always" or "never" and a verb. Verbs of failure make it a report.
    String.raw`(?!(?:the|these|those|my|our|your|this|it|always|never)(?!\p{L}))(?:\p{L}+ )?\p{L}+(?<![su'’])s (?:never|always) (?!(?:finish|work|load|run|pass|start|stop|fail|crash|show|appear|return|arrive|respond|complete|get|time|hang|break|end|seem|look|take|happen|open|close|reach|change)(?!\p{L}))${order}`,
    String.raw`we (?:only|always|never) (?!(?:get|see|hit|reach|receive|find|need|had|got|saw|knew)(?!\p{L}))${order}`,
    String.raw`we (?:don['’]t|do not) (?:use|do|allow|write|commit|merge|ship|mix|import|support|touch|deploy)(?!\p{L})`,
    String.raw`(?:here |in this (?:repo|repository|project|codebase|team) )?we (?:use|write|keep|name|follow|squash|rebase|format|indent|merge|target|support) [^?]{1,80}(?:here|in this (?:repo|repository|project|codebase|team|package)|everywhere|only|before \p{L}+ing)(?!\p{L})`,
    String.raw`(?:our|the|my) (?:convention|policy|rule|standard|style)(?: here)? (?:is|says)(?!\p{L})`,
    'from (?:now|here|this point|today) on(?:wards?)?[ ,]|going forward,|henceforth',
    // "..., everywhere", "..., no exceptions"
    `(?!${pronoun} )[^?]{4,120}, (?:everywhere|always|without exceptions?|no exceptions?|at all times)[.!]?$`,
    // Preferences
    String.raw`i(?:['’]d| would)? (?:(?:really|strongly|generally|usually|always|much|personally) )?(?:prefer|insist|rather)(?!\p{L})`,
    "i(?:['’]d| would)? (?:(?:only|really|just|always) )?(?:want|need|expect|like) (?:every|all|each|any|no|nothing|only|you (?:to (?:always|never|only|stop|keep|ask|avoid|be)|not) |to (?:see|review|approve|be asked|know|check) [^?]{1,60}before )",
    String.raw`i (?:would )?only want |i (?:don['’]t|do not|never) (?:want|like|wish) (?:you|any|anything|anyone|to see|to have|\p{L}+s)(?!\p{L})`,
    String.raw`i (?:hate|love|dislike|can['’]t stand|like) (?!(?:the|this|that|these|it|its|how|what|where|why|your|my|you|to|both|option|all|them)(?!\p{L}))\p{L}`,
  ],
  within: [
    'under no circumstances|in no case|at no point|whatever (?:you do|happens)|no matter what(?! (?:i|we|it|the))',
    `(?<!${subject} )(?:must(?: not|n['’]t| never)|shall not|should(?: not|n['’]t| never))(?! (?:be (?:the case|like|happening|so|that|possible)|happen|work|have|look|fail|take|matter))`,
    "you (?:must|shall|should)(?: not|n['’]t| never| always| only)(?! have)",
    `${person} (?:must|shall|are (?:not )?(?:to|required to|expected to|allowed to|forbidden)|may not|may only|can only|cannot use)(?! have)`,
    'may (?:never|only) be|(?:is|are) (?:not|never) to be',
    "(?:is|are|['’]re|stays?|remains?) (?:strictly |always |not )?(?:not (?:allowed|permitted|acceptable|negotiable|an option)|prohibited|verboten|off[- ]limits|taboo|mandatory|compulsory|obligatory|non-negotiable|out of bounds|required (?:for|in|on|before) (?:all|every|each|any))",
    `without (?:asking|(?:my|our|prior|explicit) (?:okay|ok|approval|permission|consent|go-ahead|sign-?off|review|say-so)|checking with)|(?:unless|until) (?:i|we) ${saying}`,
    'from (?:now|here|this point|today) on(?:wards?)?|going forward|henceforth|for the rest of (?:this|the|our) (?:session|project|chat|conversation)|until further notice|as a (?:general )?rule|in all (?:your|future) ',
    String.raw`(?<!${subject} |(?:bug|problem|issue|error|cause) )must(?! have (?:been|\p{L}+e[dn])| be (?:an?|the|something|some|because|due|wrong|broken|related|coming|in|on|from|missing)(?!\p{L})|[^?]{1,40} (?:somewhere|somehow|already|by now)(?!\p{L})| (?:admit|say|confess))`,
    String.raw`there must be no|(?<!${subject} )(?:has|have|needs?) to (?:keep|stay|remain|continue|support|fit|compile|be (?:\p{L}+[ai]ble|under|below|green))(?!\p{L})`,
    'should (?:always|never|only|all) (?!have)',
  ],
  reports: [
    String.raw`(?<=^|[,;:(–—] ?|(?<!\p{L})(?:and|but|so|because|since|then|now|still|also|yesterday) )(?:i|we|it|they|you|he|she|this|that)(?:['’](?:ve|d)| have| had| has)? (?:(?:just|also|only|never|always|already|even) )?(?:\p{L}{2,}(?<!ne|fe|ee)ed|was|were|got|had|saw|ran|did|went|came|gave|found|told|took|made|knew|thought|broke|said|been|seen)`,
    "i (?:can['’]?t|cannot|can|think|guess|see|know|assume|suspect|noticed?|wonder|have to|am|(?:don['’]t|do not) (?:know|see|think|understand|remember|get|have|recall|need))|i['’]m",
    "(?:users|people|customers|visitors|i|we) (?:have|need|can|cannot|can['’]t|only) ",
    'it (?:never|always|only|does|is|says|seems|looks|still|crashes|fails|works|takes)|(?:seems|looks|appears) (?:to|like|that)',
    'there (?:must|should) be an? |(?:docs|documentation|error|message|log|logs|output|console|spec|report) (?:says?|shows?|tells?|mentions?)',
  ],
};
