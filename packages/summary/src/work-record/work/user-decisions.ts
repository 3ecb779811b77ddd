import type { Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';
import { requestIntent } from '../requests/open-requests.ts';
import type { UserTurn } from '../requests/turns.ts';
import type { UserWords } from '../requests/user-words.ts';
import { rememberingText } from '../text/remembering.ts';
import { isQuestion, sentencesOf } from '../text/sentences.ts';
import { rememberedBlocks } from '../text/typed-blocks.ts';
import { wordExpression } from '../text/word-expression.ts';
import { askedIn } from './asked-question.ts';
import { chooses } from './deciding-words.ts';
import type { DecisionSentence } from './decision-sentences.ts';

// All lengths are in characters.
/**
 * Maximum length of a message that is an answer as a whole. In a longer one, only the first sentence may be the answer.
 */
const longestAnswer = 200;
/** Maximum length of a message with decisions. Longer messages are documents or templates. */
const longestMessage = 2_000;

/** Matches the beginning of a reply: yes, no, a choice. In "non-iPhone" and "go-between" it is a part of a word. */
const reply = wordExpression(
  String.raw`^(?:yes|yeah|yep|yup|no|nope|sure|ok(?:ay)?|please|go|option|both|neither|all|none|the (?:first|second|third|last|latter|former)|ja|nein|gerne|oui|non|s[i\u00ed]|claro|sim|n\u00e3o|da|tak|nie|nee|evet|hay\u0131r|\u0434\u0430|\u043d\u0435\u0442|\u0646\u0639\u0645|\u0644\u0627|\u0628\u0644\u0647|\u05db\u05df|\u05dc\u05d0|\u0939\u093e\u0901|\u0939\u093e\u0902|\u0928\u0939\u0940\u0902|[a-h\d])(?![\p{L}\p{N}]|-\p{L})|^(?:\u306f\u3044|\u3044\u3044\u3048|\u3044\u3084|\u5bf9|\u662f|\u597d|\u4e0d|\ub124|\uc544\ub2c8)`,
);

/** Matches a yes-or-no question. Any other reply to it is a new request. */
const offer = wordExpression(
  String.raw`(?:^|[,.:;\u2014-]\s*|\bor )(?:(?:do you |would you |you )?(?:want|like|prefer|mind)(?: me| us)? to|want me|would you like|should (?:i|we)|shall (?:i|we)|may i|can i|could i|ready (?:to|for)|is (?:that|this|it) (?:ok|fine|right|correct)|does (?:that|this)|anything else|soll(?:en)? (?:ich|wir)|m\u00f6chtest du|willst du|passt das|veux-tu|voulez-vous|souhaite[sz]|dois-je|\u00bfquieres|\u00bfdeseas|\u00bfdebo|quer que|devo|vuoi che|wil je|zal ik|ska jag|czy mam|\u0445\u043e\u0442\u0438\u0442\u0435|\u043c\u043d\u0435)(?!\p{L})|\u307e\u3057\u3087\u3046\u304b|\u3088\u308d\u3057\u3044|\u8981\u4e0d\u8981|\u9700\u8981\u6211|\u662f\u5426|\u5417[\uff1f?]|\u4e48[\uff1f?]|\ud560\uae4c\uc694`,
);

/**
 * Returns the decisions in the user's own words, in order: sentences that choose, and answers to the agent's questions,
 * together with the question. Ignores pasted text. Linear time.
 */
export function userDecisions(
  said: readonly UserWords[],
  messages: readonly Message[],
  turns: readonly UserTurn[],
): DecisionSentence[] {
  const answeredBy = new Map<number, number>();
  turns.forEach(({ end }, at) => {
    const next = turns[at + 1]?.asked[0];
    if (end >= 0 && next !== undefined) answeredBy.set(next, end);
  });
  return said.flatMap(({ index, text }) => {
    const intent = requestIntent(text);
    if (intent === 'thanks' || intent === 'withdrawal') return [];
    const { sentences, chosen } = remembered(text, messages[index]);
    const asking = answeredBy.get(index);
    const question = asking === undefined ? null : askedIn(messages[asking]!, sentences[0] ?? '');
    const answer = question === null ? '' : answerIn(sentences, question);
    const decided = chosen.filter((sentence) => !answer.includes(sentence));
    const found: DecisionSentence[] = decided.map((sentence) => ({
      index,
      text: sentence,
      by: 'user',
      question: null,
    }));
    return answer === '' ? found : [{ index, text: answer, by: 'user', question }, ...found];
  });
}

/** Returns the sentences that the user typed, each on one line. */
function ownSentences(text: string, message: Message | undefined): string[] {
  const typed = rememberedBlocks(text, message).filter(({ isPasted }) => !isPasted);
  if (typed.reduce((sum, { lines }) => sum + lines.join(' ').length, 0) > longestMessage) return [];
  return typed.flatMap(({ lines }) => lines).flatMap((line) => sentencesOf(oneLine(line)));
}

const remembered = /* @__PURE__ */ rememberingText((text: string, message: Message | undefined) => {
  const sentences = ownSentences(text, message);
  return { sentences, chosen: sentences.filter(chooses) };
});

/** Returns the words of a message that answer a question: all of a short message, or a reply at the beginning. */
function answerIn(sentences: readonly string[], question: string): string {
  const [first = ''] = sentences;
  const whole = sentences.join(' ');
  if (first === '' || isQuestion(first)) return '';
  const replies = reply.test(first.toLowerCase()) || chooses(first) || requestIntent(whole) === 'agreement';
  if (!replies && offer.test(question.toLowerCase())) return '';
  if (whole.length <= longestAnswer && !sentences.some(isQuestion)) return whole;
  return replies && first.length <= longestAnswer ? first : '';
}
