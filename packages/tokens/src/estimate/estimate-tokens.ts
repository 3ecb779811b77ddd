import type { Encoding } from '../encoding.ts';
import { scan, type TextModel, textModel, unitsPerToken } from './text-model.ts';

/** Shortest run of one character, in UTF-16 code units, that is counted separately. */
const minRunLength = 64;

/**
 * Characters per token in a run of one character: the lower of the values measured on runs of 1,024 with o200k_base and
 * cl100k_base. ASCII characters not listed have two characters per token, all others one.
 */
const charactersPerToken: readonly (readonly [number: number, characters: string])[] = [
  [128, ' '],
  [64, '#*-./=_'],
  [32, '+~%'],
  [16, ';\t\n'],
  [8, '<>AFafox!:X'],
  [4, '?@^$()BCELMY\\bcdey|,'],
  [3, '0123456789'],
];

const ofAscii = new Float64Array(128).fill(1 / 2);

for (const [number, characters] of charactersPerToken)
  for (const character of characters) ofAscii[character.charCodeAt(0)] = 1 / number;

/** Distance between the positions that are checked. A run of {@link minRunLength} covers at least one of them. */
const stride = minRunLength / 2;

/** Options of {@link estimateTokens}. */
export interface EstimateOptions {
  /** The tokenizer to estimate. @default 'o200k_base' */
  readonly encoding?: Encoding | undefined;
}

/** Number of code units that are read. Longer texts are sampled. */
const wholeUpTo = 65_536;
/** Number of windows in which a longer text is sampled, evenly spread over the text. */
const windows = 32;

/**
 * Estimates the number of tokens of a text in one pass over its characters, without a vocabulary.
 *
 * Texts over 65,536 UTF-16 code units are sampled in 32 fixed, evenly spread windows of 2,048, and the result is scaled up.
 * For homogeneous text (logs, code, prose, blobs) that adds about 1 % of error. Dense passages that all fall between windows
 * are missed.
 *
 * @returns an integer; 0 for an empty text or a value that is not a string. Never throws.
 */
export function estimateTokens(text: string, options: EstimateOptions = {}): number {
  if (typeof text !== 'string' || text === '') return 0;
  const model = textModel(options.encoding ?? 'o200k_base');
  const { length } = text;
  if (length <= wholeUpTo) return tokens(scanAround(model, text, 0, length));
  const width = wholeUpTo / windows;
  let units = 0;
  for (let window = 0; window < windows; window++) {
    const from = Math.round(((length - width) * window) / (windows - 1));
    units += scanAround(model, text, from, from + width);
  }
  return tokens((units / wholeUpTo) * length);
}

/** Scans the text between runs of one character. Runs are counted separately, because the fitted weights do not apply. */
function scanAround(model: TextModel, text: string, from: number, to: number): number {
  let units = 0;
  let begin = from;
  eachRun(text, from, to, (start, end) => {
    if (start > begin) units += scan(model, text, begin, start);
    units += runTokens(text.charCodeAt(start), end - start) * unitsPerToken;
    begin = end;
  });
  return begin < to ? units + scan(model, text, begin, to) : units;
}

/** Converts units to tokens; at least one, because the text is not empty. */
const tokens = (units: number): number => Math.max(1, Math.round(units / unitsPerToken));

/** Estimates the tokens of a run that repeats one UTF-16 code unit. */
function runTokens(code: number, length: number): number {
  return length * (code < 128 ? ofAscii[code]! : 1);
}

/**
 * Calls `visit` for each run of one character in a part of a text. Checks only every 32nd character, so that text without
 * runs costs almost nothing.
 */
function eachRun(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let behind = from;
  for (let at = from; at + 1 < to; at += stride) {
    const code = text.charCodeAt(at);
    if (text.charCodeAt(at + 1) !== code || text.charCodeAt(Math.min(at + stride - 1, to - 1)) !== code) continue;
    let start = at;
    while (start > behind && text.charCodeAt(start - 1) === code) start--;
    let end = at + 1;
    while (end < to && text.charCodeAt(end) === code) end++;
    if (end - start < minRunLength) continue;
    visit(start, end);
    behind = end;
    at = end - stride;
  }
}
