import { isQuestion } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';

// All lengths are in characters.
const shortest = 20;
const longest = 400;

// Words that state a choice, and words that state a cause; first of languages that separate words, then of others.
const choices = String.raw`decided?|decision|instead of|rather than|chose|choose|going with|let['\u2019]?s (?:use|go with|keep)|we(?:['\u2019]ll| will) (?:use|go|keep)|i(?:['\u2019]ll| will) (?:use|go with|keep)|trade.?off|statt|entschieden|entscheidung|plut\u00f4t que|d\u00e9cid\u00e9|en lugar de|decidid[oa]|invece di|em vez de`;
const causes = String.raw`because|so that|the reason|root cause|turns out|the (?:problem|issue|bug|fix|solution) (?:is|was)|weil|deshalb|daher|parce que|porque|perch\u00e9|pois`;
const otherChoices =
  '\u0440\u0435\u0448\u0438\u043b|\u65b9\u91dd|\u6c7a\u5b9a|\u4ee3\u308f\u308a\u306b|\u51b3\u5b9a|\u800c\u4e0d\u662f|\u6539\u7528|\u540c\u610f|\uacb0\uc815';
const otherCauses =
  '\u043f\u043e\u0442\u043e\u043c\u0443 \u0447\u0442\u043e|\u306e\u3067|\u305f\u3081|\u539f\u56e0|\u56e0\u4e3a|\ub54c\ubb38\uc5d0';

/** Matches words that introduce a decision or its reason, in several languages. */
const deciding = wordExpression(String.raw`(?<!\p{L})(?:${choices}|${causes})(?!\p{L})|${otherChoices}|${otherCauses}`);
/** Matches words that state a choice. */
const preferring = wordExpression(String.raw`(?<!\p{L})(?:${choices})(?!\p{L})|${otherChoices}`);

/** Matches words of choice at the beginning of a user's sentence, also after agreement, "no" or "please". */
const choosing = wordExpression(
  String.raw`^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|actually|alright|well|hm+|so|then|and|but|please|for now|ja|nein|gut|also|dann|bitte|oui|non|d['\u2019]accord|alors|s[i\u00ed]|vale|bueno|entonces|sim|n\u00e3o|ent\u00e3o|va bene|allora|nee|goed|dan|\u0434\u0430|\u043d\u0435\u0442|\u043b\u0430\u0434\u043d\u043e|\u0442\u043e\u0433\u0434\u0430)[\s,.!:;\u2014-]+){0,3}(?:` +
    [
      String.raw`use|go (?:with|for)|keep|stick (?:with|to)|stay (?:with|on)|switch to|skip|leave (?:it|that|them|the)|drop|choose|pick|take|prefer|we['\u2019]?(?:ll| will) (?:use|keep|go|stay|skip|leave)|i(?:['\u2019]ll| will) (?:use|go with|take|keep|choose|pick)|i(?:['\u2019]d| would) (?:prefer|rather|go with)|i (?:prefer|choose|decided|want to keep|would like to keep)|let['\u2019]?s (?:use|go|keep|not|stick|stay|take|skip|leave|drop|do|try|store|switch)|(?:do not|don['\u2019]?t) (?:use|set|change|remove|touch|bother|do|add|include|implement)`,
      'nimm|nehmen wir|wir nehmen|nutze|verwende|benutze|behalte|bleib(?:en wir)? bei|lass (?:es|das|die|den)|ich (?:will lieber|bevorzuge|m\u00f6chte lieber|h\u00e4tte lieber)|lieber',
      'utilise[sz]?|garde[sz]?|prends|prenons|on (?:garde|prend|utilise|part sur|va utiliser)|je pr\u00e9f\u00e8re|laisse',
      'usa|usemos|mant\u00e9n|mantengamos|vamos con|prefiero|d\u00e9jalo|qu\u00e9date con',
      'use|vamos (?:usar|com|manter)|mantenha|prefiro|deixa',
      'usa|usiamo|teniamo|mantieni|preferisco|lascia',
      'gebruik|hou(?:d)?|laten we|ik heb liever',
      'u\u017cyj|u\u017cyjmy|zostaw|wol\u0119',
      'kullan|kalsın|tercihim',
      '\u0438\u0441\u043f\u043e\u043b\u044c\u0437\u0443\u0439|\u043e\u0441\u0442\u0430\u0432\u044c|\u0434\u0430\u0432\u0430\u0439(?:\u0442\u0435)? (?:\u0432\u043e\u0437\u044c\u043c|\u043e\u0441\u0442\u0430\u0432|\u0438\u0441\u043f\u043e\u043b\u044c\u0437)\\p{L}*',
    ].join('|') +
    String.raw`)(?!\p{L})|(?:\u306b\u3057\u3088\u3046|\u306b\u3057\u307e\u3057\u3087\u3046|\u306b\u3057\u3066\u304f\u3060\u3055\u3044|\u3067\u3044\u304d\u307e\u3057\u3087\u3046|\u3067\u304a\u9858\u3044\u3057\u307e\u3059|\u306e\u65b9\u304c\u3044\u3044)|^(?:\u7528|\u5c31\u7528|\u9009|\u9078|\u4fdd\u7559|\u4e0d\u8981\u7528|\u8fd8\u662f\u7528)|(?:\uc73c\ub85c|\ub85c) (?:\ud558\uc790|\uac00\uc790|\ud574 ?\uc8fc\uc138\uc694)`,
);

/** Matches a refusal at the beginning of a sentence that says more than "no". */
const refusing = wordExpression(
  String.raw`^(?:(?:no|nope|nein|non|nee|nie|n\u00e3o|\u043d\u0435\u0442|hay\u0131r|\u0644\u0627|\u05dc\u05d0|\u0928\u0939\u0940\u0902)(?:[\s,.!\u060c]|-(?!\p{L}))+(?!(?:problem|worries|idea|one|wait)(?!\p{L}))\S+(?:\s+\S+){1,}|(?:\u3044\u3084|\u3044\u3044\u3048|\u4e0d|\u4e0d\u8981|\uc544\ub2c8)[\u3001,\uff0c\s].{4,})`,
);

/** Matches words of a decision anywhere in a user's sentence. */
const decided = wordExpression(
  String.raw`(?<!\p{L})(?:(?:we|i)(?:['\u2019]ve| have)? decided|my decision|instead of|rather than|going with|entschieden|statt|lieber|plut\u00f4t que|d\u00e9cid\u00e9|en lugar de|en vez de|decidid[oa]|invece di|em vez de|in plaats van|zamiast|\u0432\u043c\u0435\u0441\u0442\u043e|\u0440\u0435\u0448\u0438\u043b\p{L}*|\u0628\u062f\u0644\u0627|\u0628\u0647 \u062c\u0627\u06cc)(?!\p{L})|(?<=\S), (?:not|nicht|pas|no|non|n\u00e3o|niet|nie|\u0430 \u043d\u0435) \S+[^,]{0,40}$|\u65b9\u91dd|\u6c7a\u5b9a|\u4ee3\u308f\u308a\u306b|\u3067\u306f\u306a\u304f|\u51b3\u5b9a|\u800c\u4e0d\u662f|\u6539\u7528|\u540c\u610f|\uacb0\uc815|\ub300\uc2e0`,
);

/** Matches an order to take a step, such as "Use git to find out". */
const ordering = wordExpression(String.raw`^(?:please )?use [^,.;]{1,80} to \p{L}`);

/** A fast pre-check for {@link states}: true if the line may contain such a sentence. */
export function mayState(line: string): boolean {
  return line.length >= shortest && deciding.test(line.toLowerCase());
}

/** Matches the end of a sentence that only introduces the next one. */
const introducing = /[:\uff1a]["'*_)\s]{0,4}$/;

/** True for a sentence, by the user or the agent, that states a decision or gives a reason. */
export function states(sentence: string): boolean {
  if (sentence.length < shortest || sentence.length > longest) return false;
  return !isQuestion(sentence) && !introducing.test(sentence) && deciding.test(sentence.toLowerCase());
}

/** True for a sentence with {@link states} that says what was chosen, not only what a cause is. */
export function prefers(sentence: string): boolean {
  return preferring.test(sentence.toLowerCase());
}

/** True for a user's sentence that chooses, decides or refuses. */
export function chooses(sentence: string): boolean {
  const words = sentence.trim().toLowerCase();
  if (words.length > longest || isQuestion(words)) return false;
  return (
    (choosing.test(words) && !ordering.test(words)) ||
    refusing.test(words) ||
    (words.length >= shortest / 2 && decided.test(words))
  );
}
