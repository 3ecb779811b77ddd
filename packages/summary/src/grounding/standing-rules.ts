/**
 * Words with which people state a rule that outlives the moment, by language. Latin scripts match whole words; in
 * Chinese, Japanese and Korean, which do not divide words, the characters themselves are matched.
 */
const wholeWords: readonly string[] = [
  String.raw`always|never|must(?:n['\u2019]?t)?|(?<!\b(?:i|we|they|it|you|that|which) )(?:do not|don['\u2019]?t)|avoid|only (?:use|ever|touch|change|edit|write|run)|from now on|make sure|ensure|prefer(?:ably)?|keep (?:in mind|it|the|all|everything|your|our)|please (?:use|keep|write|answer|leave|stay)|(?<!\b(?:i|we|they) )ha(?:s|ve) to|i (?:want|need|expect) (?:every|all|each)|under no circumstances|no matter what|remember(?: to| that)?|at (?:most|least)|no more than|not allowed|required?|without (?:asking|changing|touching|using)|instead of|stick to|until i say|unless i`,
  String.raw`immer|nie(?:mals)?|bitte nicht|auf keinen fall|keine?n?|muss|m\u00fcssen|soll(?:st|en)?|ab jetzt|nur noch|bevorzug\w*|vermeid\w*|achte darauf`,
  String.raw`toujours|jamais|ne (?:pas|jamais)|doit|doivent|\u00e9vite[rz]?|uniquement|d\u00e9sormais|pr\u00e9f\u00e8re`,
  String.raw`siempre|nunca|jam\u00e1s|no (?:uses|hagas|cambies|toques|debes)|debes?|evita|a partir de ahora|s\u00f3lo (?:usa|cambia)|prefiero`,
  String.raw`sempre|n\u00e3o (?:use|mude|fa\u00e7a|altere|toque|apague|remova|modifique|edite|mexa)|deve|evite|non (?:usare|cambiare|toccare|modificare|cancellare)|mai`,
  'altijd|nooit|moet(?:en)?|alltid|aldrig|zawsze|nigdy|musi(?:sz)?|asla|her zaman|mutlaka',
  String.raw`\u062f\u0627\u0626\u0645\u0627|\u0623\u0628\u062f\u0627|\u064a\u062c\u0628|\u0645\u0645\u0646\u0648\u0639`,
];
const ruleWords: RegExp = new RegExp(
  [
    // One look around for all of them, because it costs more than the words.
    String.raw`(?<![\p{L}'’])(?:${wholeWords.join('|')})(?!\p{L})`,
    String.raw`^no \p{L}[^.?]{2,60}\bplease\b`,
    '\u0432\u0441\u0435\u0433\u0434\u0430|\u043d\u0438\u043a\u043e\u0433\u0434\u0430|\u043d\u0435\u043b\u044c\u0437\u044f|\u0434\u043e\u043b\u0436\u0435\u043d|\u043e\u0431\u044f\u0437\u0430\u0442\u0435\u043b\u044c\u043d\u043e|\u0438\u0437\u0431\u0435\u0433\u0430\u0439',
    '\u5fc5\u305a|\u7d76\u5bfe|\u3057\u306a\u3044\u3067|\u7981\u6b62|\u5e38\u306b|\u3060\u3051\u306b|\u306a\u3044\u3067\u304f\u3060\u3055\u3044|\u3057\u3066\u306f\u3044\u3051|\u3057\u306a\u304f\u3066\u306f|\u3079\u304d|\u4eca\u5f8c\u306f',
    '\u5fc5\u987b|\u4e0d\u8981|\u4e0d\u8bb8|\u4e0d\u80fd|\u603b\u662f|\u52a1\u5fc5|\u7981\u7528|\u4ece\u73b0\u5728\u5f00\u59cb|\u53ea\u80fd|\u4e0d\u5f97',
    '\ud56d\uc0c1|\uc808\ub300|\ubc18\ub4dc\uc2dc|\ud558\uc9c0 ?\ub9c8|\uae08\uc9c0',
  ].join('|'),
  'iu',
);

/** A question asks for something; a rule states it. */
const question: RegExp = /[?\uff1f]\s*$/;
const shortest = 8;
const longest = 400;

/**
 * The sentences of a user's message that state a rule, verbatim, in order. Long sentences, questions, code and quoted
 * material (fences, `>` lines) are left out.
 */
export function standingRules(text: string): string[] {
  const rules: string[] = [];
  let fence = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    else if (!fence && line.length <= 4_000 && !/^\s*(?:>|[|+-]{2,}|at |File ")/.test(line))
      for (const sentence of sentencesOf(line)) if (isRule(sentence)) rules.push(sentence);
  }
  return rules;
}

function isRule(sentence: string): boolean {
  return (
    sentence.length >= shortest &&
    sentence.length <= longest &&
    ruleWords.test(sentence) &&
    !question.test(sentence) &&
    !/[{};=<>]{2}|^\s*(?:\/\/|\/\*|#include|import |def |class |function )/.test(sentence)
  );
}

const sentenceEnd: RegExp = /[.!?\u3002\uff01\uff1f]/;

/** A line cut into sentences behind a full stop, an exclamation or a question mark; list marks are taken off. */
export function sentencesOf(line: string): string[] {
  const bare = line.replace(/^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/, '');
  return (sentenceEnd.test(bare) ? bare.split(/(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])/u) : [bare])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
