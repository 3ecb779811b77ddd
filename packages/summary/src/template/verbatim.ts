import type { SummaryTemplate } from '@palimpsest/core';
import { splitsPair } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import type { UserWords } from '../work-record/user-messages/user-words.ts';
import { fenceText, isFenceLine } from './fence.ts';
import { isHeadingLine } from './parse-summary.ts';

/** Limits for quoting a task that also follows the summary in full: about its first sentence. Tokens. */
const [minIdentifyingTokens, maxIdentifyingTokens] = [20, 40] as const;
/** Share of the room for requests that such a quotation may take. */
const identifyingShare = 0.05;
/** Shortest quotation. Characters. */
const minLength = 80;
/** Maximum length of a rest that is quoted too, because the mark for it would be as long. Characters. */
const minRestLength = 60;

/** Quotes a user's task for a section: verbatim, in at most `room` tokens. */
export function taskWords({ text, carried }: UserWords, room: number, template: SummaryTemplate): string {
  if (!carried) return verbatim(beginning(text, room, 'left out'), template);
  const identifying = Math.min(maxIdentifyingTokens, Math.max(minIdentifyingTokens, room * identifyingShare));
  return verbatim(beginning(text, Math.min(room, identifying), 'after this summary'), template);
}

/** Prepares a text for use in a section: unchanged, or fenced if a line could be read as a heading or a fence. */
function verbatim(text: string, template: SummaryTemplate): string {
  const lines = text.split(/\r\n?|\n/);
  const risky = lines.some((line) => isHeadingLine(line, template) || isFenceLine(line));
  return risky ? fenceText(text) : text;
}

/**
 * The start of a text within a number of tokens, cut at a line end if one is near, with a mark at the cut.
 * @param rest where the rest of the text is
 */
function beginning(text: string, tokens: number, rest: string): string {
  const whole = estimateTokens(text);
  if (whole <= tokens) return text;
  let cut = Math.max(minLength, Math.floor((text.length * tokens) / whole));
  const line = text.lastIndexOf('\n', cut);
  if (line > cut / 2) cut = line;
  if (splitsPair(text, cut)) cut--;
  if (text.length - cut <= minRestLength) return text;
  return `${text.slice(0, cut).trimEnd()}\n[... ${text.length - cut} characters ${rest} ...]`;
}
