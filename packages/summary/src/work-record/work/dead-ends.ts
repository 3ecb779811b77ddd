import { isProgramOutput } from '../rules/pasted-lines.ts';
import { sentencesOf } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';

// All lengths are in characters.
const longestLine = 1_000;
const shortestSentence = 20;
const longestSentence = 300;

/** A fast pre-check that a text may report a dead end. */
const hint: RegExp =
  /\b(?:tried|attempt|approach|dead end|work(?:s|ed)?|won['\u2019]t|workaround|not possible|impossible|reverted|abandon)|funktioniert|geht nicht|versuch|marche pas|fonctionne|funciona|funcion|funziona|werkt niet|fungerar inte|dzia\u0142a|\u0440\u0430\u0431\u043e\u0442\u0430|\u043f\u043e\u043b\u0443\u0447\u0438\u043b|\u884c\u4e0d\u901a|\u4e0d\u8d77\u4f5c\u7528|\u6ca1\u6709\u7528|\u3046\u307e\u304f\u3044|\u52d5\u4f5c\u3057\u307e\u305b\u3093|\uc791\ub3d9\ud558\uc9c0|\uc548 \ub429\ub2c8\ub2e4/i;

/** Matches a sentence that reports that something was tried and did not work, or cannot work. */
const deadEnd = wordExpression(
  [
    String.raw`(?<!\p{L})(?:(?:i|we|i['\u2019]ve|we['\u2019]ve|have|has|was|were) (?:already |also |first )?(?:tried|attempted)|tried|attempted to|(?:first|initial|previous|earlier|repeated|both|all|my|these|those) attempts?)(?!\p{L}).{1,200}(?<!\p{L})(?:but|failed|fails|did(?:n['\u2019]t| not)|does(?:n['\u2019]t| not)|without success|no luck|in vain|errors? out)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:approach|method|option|workaround|solution|strategy|idea|way|attempt|patch|trick|hack)s?(?!\p{L}).{0,80}(?<!\p{L})(?:did(?:n['\u2019]t| not) (?:work|help)|does(?:n['\u2019]t| not) work|won['\u2019]t work|will not work|can(?:no|['\u2019])t work|failed|is not (?:possible|viable|feasible)|isn['\u2019]t (?:possible|viable|feasible))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:won['\u2019]t|will not|does(?:n['\u2019]t| not)|did(?:n['\u2019]t| not)) (?:actually )?work(?!\p{L}).{0,40}(?<!\p{L})(?:because|since|as|due to)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:dead end|not possible because|impossible because|had to (?:abandon|give up|revert)|(?:abandoned|reverted) .{1,80} because|gave up on)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:(?:funktioniert|klappt|geht|ging) (?:so |aber |leider )?nicht,? (?:weil|da|denn)|(?:hat|haben) nicht (?:funktioniert|geklappt|geholfen)|ohne erfolg|versucht,? aber|(?:ne|n['\u2019])\s?(?:a |ont )?(?:marche|fonctionne|march\u00e9|fonctionn\u00e9)\s?(?:pas|pas,? car)|essay\u00e9.{1,120}mais|no (?:funciona|funcion\u00f3) (?:porque|ya que)|intent\u00e9.{1,120}pero|n\u00e3o (?:funciona|funcionou) (?:porque|pois)|tentei.{1,120}mas|non (?:funziona|ha funzionato) perch\u00e9|provato.{1,120}ma|werkt(?:e)? niet,? (?:omdat|want)|fungera(?:r|de) inte,? eftersom|nie dzia\u0142a,? (?:bo|poniewa\u017c))(?!\p{L})`,
    '\u043d\u0435 (?:\u0440\u0430\u0431\u043e\u0442\u0430\u0435\u0442|\u0441\u0440\u0430\u0431\u043e\u0442\u0430\u043b\u043e|\u043f\u043e\u043b\u0443\u0447\u0438\u043b\u043e\u0441\u044c),? (?:\u043f\u043e\u0442\u043e\u043c\u0443|\u0442\u0430\u043a \u043a\u0430\u043a)|\u884c\u4e0d\u901a|\u4e0d\u8d77\u4f5c\u7528|\u6ca1\u6709\u7528|(?:\u8bd5|\u5c1d\u8bd5).{1,60}\u5931\u8d25|\u3046\u307e\u304f\u3044\u304b|\u8a66.{1,60}(?:\u5931\u6557|\u30c0\u30e1|\u52d5\u304b)|\u52d5\u4f5c\u3057\u307e\u305b\u3093\u3067\u3057\u305f|\uc791\ub3d9\ud558\uc9c0 \uc54a\uc558|\uc2dc\ub3c4.{1,60}\uc2e4\ud328',
  ].join('|'),
);

/** True for a text of the agent that reports a dead end. */
export function isDeadEnd(text: string): boolean {
  return hint.test(text) && deadEnd.test(text.toLowerCase());
}

/** Returns the first sentence of a text that reports a dead end, verbatim; `''` if there is none. */
export function deadEndOf(text: string): string {
  if (text.length < shortestSentence || !hint.test(text)) return '';
  let inFence = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (inFence || line.length > longestLine || !hint.test(line) || /^\s*>/.test(line) || isProgramOutput(line))
      continue;
    for (const sentence of sentencesOf(line))
      if (
        sentence.length >= shortestSentence &&
        sentence.length <= longestSentence &&
        deadEnd.test(sentence.toLowerCase())
      )
        return sentence;
  }
  return '';
}
