import { contentText, type Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';
import { cutText } from '../text/cut-text.ts';
import { rememberingText } from '../text/remembering.ts';
import { isListItem, isQuestion, sentencesOf } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';

// All lengths are in characters.
const longestQuestion = 300;
const longestOption = 160;
/** Maximum characters to read at the end of a text. */
const searched = 6_000;
/** Maximum number of lines between the question and the end of the text. Blank lines and list items do not count. */
const mostLinesAfter = 4;
/** Maximum length of an answer that may name an option. */
const longestLabel = 60;

const fence: RegExp = /^\s*(?:```|~~~)/;

/** Matches a reply that names an option by its letter or number. */
const label = wordExpression(
  String.raw`^(?:(?:ok(?:ay)?|yes|let['\u2019]?s|go(?: with| for)?|do|take|use|pick|choose|i(?:['\u2019]d| would)?|prefer|like|the|ja|nimm|nehmen wir|option|variante?|opci\u00f3n|op\u00e7\u00e3o|opzione|optie|opcja|\u0432\u0430\u0440\u0438\u0430\u043d\u0442|\u0627\u0644\u062e\u064a\u0627\u0631|\u65b9\u6848|\u6848|\u9009\u9879|\u9078\u629e\u80a2|\u9009|\u9078)[\s,:]*){0,6}[#(]?(?<name>[a-h]|\d{1,2})(?=\s*(?:$|[.,!;:)\u3002\u3001\uff0c]|please|bitte|\u306b|\u3067|\u304c|\u5427|\ub85c|\uc73c\ub85c|\ubc88))`,
);
/** Matches a reply that names an option by its place, with named groups for first, second, third and last. */
const place = wordExpression(
  String.raw`(?<!\p{L})(?:(?<first>(?<=the )(?:first|former)|erste[nsr]?|premi\u00e8re?|primer[ao]?|primeir[ao]|prim[ao]|eerste|\u043f\u0435\u0440\u0432\p{L}+)|(?<second>(?<=the )second|zweite[nsr]?|deuxi\u00e8me|segund[ao]|second[ao]|tweede|\u0432\u0442\u043e\u0440\p{L}+)|(?<third>(?<=the )third|dritte[nsr]?|troisi\u00e8me|tercer[ao]?|terceir[ao]|terz[ao]|derde|\u0442\u0440\u0435\u0442\p{L}+)|(?<last>(?<=the )(?:last|latter)|letzte[nsr]?|derni\u00e8re?|\u00faltim[ao]|ultim[ao]|laatste|\u043f\u043e\u0441\u043b\u0435\u0434\u043d\p{L}+))(?!\p{L})|(?<firstCjk>\u7b2c\u4e00|\u6700\u521d|\uccab)|(?<secondCjk>\u7b2c\u4e8c|\u4e8c\u756a\u76ee|2\u756a\u76ee|\ub450 ?\ubc88\uc9f8)|(?<thirdCjk>\u7b2c\u4e09|\u4e09\u756a\u76ee|3\u756a\u76ee|\uc138 ?\ubc88\uc9f8)`,
);

/**
 * Returns the question at the end of the agent's text, verbatim, with the option that the user's answer names: `Which
 * store? B) Redis`. `null` if the text has neither.
 */
export function askedIn(asking: Message, answer: string): string | null {
  const { lines, question } = rememberedEnd(contentText(asking.content), asking);
  const option = answer.length <= longestLabel ? namedOption(lines, answer, question !== null) : null;
  const parts = [question, option].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

const rememberedEnd = /* @__PURE__ */ rememberingText((text: string) => {
  const lines = proseLines(text.slice(-searched));
  return { lines, question: lastQuestion(lines) };
});

function proseLines(text: string): string[] {
  let inFence = false;
  return text.split('\n').flatMap((line) => {
    const isFence = fence.test(line);
    if (isFence) inFence = !inFence;
    return inFence || isFence || line.trim() === '' || /^\s*>/.test(line) ? [] : [oneLine(line).trim()];
  });
}

function lastQuestion(lines: readonly string[]): string | null {
  let after = 0;
  for (let at = lines.length - 1; at >= 0 && after < mostLinesAfter; at--) {
    const question = sentencesOf(lines[at]!).findLast(
      (sentence) => isQuestion(sentence) && /[A-Za-z\u00aa-\uffff]/.test(sentence),
    );
    if (question) return cutText(question, 1, longestQuestion);
    if (!isListItem(lines[at]!)) after++;
  }
  return null;
}

function namedOption(lines: readonly string[], answer: string, isAsked: boolean): string | null {
  const name = label.exec(answer.toLowerCase())?.groups?.name;
  if (name !== undefined) {
    const option = lines.findLast((line) => optionLabel(line) === name);
    return option === undefined ? null : cutText(option, 1, longestOption);
  }
  const groups = isAsked ? place.exec(answer.toLowerCase())?.groups : undefined;
  if (!groups) return null;
  const options = lastList(lines);
  const at =
    groups.first || groups.firstCjk
      ? 0
      : groups.second || groups.secondCjk
        ? 1
        : groups.third || groups.thirdCjk
          ? 2
          : options.length - 1;
  const option = options[at];
  return option === undefined ? null : cutText(option, 1, longestOption);
}

/** Reads the letter or number before an option: `A)`, `2.`, `**Option B:**`. */
function optionLabel(line: string): string | undefined {
  return /^[-*#\s]{0,8}(?:(?:option|variante?|opci\u00f3n|op\u00e7\u00e3o|opzione|\u65b9\u6848|\u6848|\u9078\u629e\u80a2|\u9009\u9879)\s*)?[([]?([a-h]|\d{1,2})(?:\*\*)?[).\]:\uff1a\u3001]/i
    .exec(line)?.[1]
    ?.toLowerCase();
}

function lastList(lines: readonly string[]): string[] {
  const isOption = (line: string): boolean => isListItem(line) || optionLabel(line) !== undefined;
  const last = lines.findLastIndex(isOption);
  let first = last;
  while (first > 0 && isOption(lines[first - 1]!)) first--;
  return last < 0 ? [] : lines.slice(first, last + 1);
}
