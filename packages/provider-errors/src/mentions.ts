import { countOf, standaloneCount } from './count.ts';

/** One number in a sentence, with the words around it. */
export interface Mention {
  readonly value: number;
  readonly unit: 'tokens' | 'characters';
  /** The words since the start of the line, or since the previous number. */
  readonly before: string;
  /** The words up to the next number. */
  readonly after: string;
}

const maxMentions = 24;
const maxGap = 120;
const otherUnit: RegExp =
  /^\s?(?:bytes?|[kmg]i?b|seconds?|secs?|s|ms|minutes?|mins?|hours?|days?|weeks?|images?|pixels?|px|pages?|items?|tools?|requests?|times|calls?|blocks?|parameters|documents?|files?|dollars?|credits?|concurrent)\b|^\s?%/;
const characters: RegExp = /^\s?(?:input |prompt )?(?:characters?|chars?)\b|^\s?字符/;
/** Words before a number that is a code or an id, not a size. */
const nameless: RegExp = /(?:\bcode|status|http|\berrno|\bid|error|\bvalue)\s?[:=]?\s?$|[<#]$/;

/** Returns the numbers in a text that may be sizes, in order. For a range `[1, N]`, returns only the upper end. */
export function mentionsIn(text: string): readonly Mention[] {
  const mentions: Mention[] = [];
  for (const line of text.split('\n')) {
    const found = [...line.matchAll(standaloneCount)].filter(({ groups }) => !groups!.sign).slice(0, maxMentions);
    let lower: string | null = null;
    found.forEach((match, position) => {
      const end = match.index + match[0].length;
      const previous = found[position - 1];
      const from = Math.max(previous ? previous.index + previous[0].length : 0, match.index - maxGap);
      const until = Math.min(found[position + 1]?.index ?? line.length, end + maxGap);
      const after = line.slice(end, until);
      const value = countOf(match.groups!.count)!;
      const range = /^\s?(?:,|-|~|to|and|\(inclusive\) to)\s?$/;
      let before = line.slice(from, match.index);
      if (lower !== null && range.test(before)) before = `${lower} range up to `;
      lower = null;
      if (value <= 2 && range.test(after) && position + 1 < found.length) {
        lower = before;
        return;
      }
      if (nameless.test(before) || otherUnit.test(after) || isCode(line, match.index, end, value)) return;
      mentions.push({
        value,
        unit: isCharacters(before, after, mentions.at(-1)) ? 'characters' : 'tokens',
        before,
        after,
      });
    });
  }
  return mentions.slice(0, maxMentions);
}

/** True when the number, or the one it is compared with (as in JSON schema errors), counts characters. */
function isCharacters(before: string, after: string, previous: Mention | undefined): boolean {
  if (characters.test(after) || /\b(?:characters?|maxlength): ?$/.test(before)) return true;
  return previous?.unit === 'characters' && /^, actual: $/.test(before);
}

/** True for an error code: `5021: ...`, `400 {...`, or the one MiniMax puts in parentheses at the end of a message. */
function isCode(line: string, start: number, end: number, value: number): boolean {
  if (start === 0 && /^(?::|\s?[{(]|\s(?:bad|status|error|invalid))/.test(line.slice(end, end + 12))) return true;
  const closing = line[start - 1] === '(' && /^\)\W{0,3}$/.test(line.slice(end, end + 5));
  return (
    closing &&
    value >= 1_000 &&
    value < 3_000 &&
    !/\d/.test(line.slice(0, start - 1)) &&
    !/tokens? \($/.test(line.slice(0, start))
  );
}
