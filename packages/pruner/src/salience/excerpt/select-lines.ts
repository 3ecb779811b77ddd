import { estimateTokens } from '@palimpsest/tokens';
import type { LineRanks } from '../rank/rank-lines.ts';
import { bareText, type TranscriptLines, unverifiedSummary } from '../read/read-transcript-lines.ts';
import { startOf } from '../text/cut.ts';
import { fillRoom } from './fill-room.ts';

/**
 * Tokens of the mark and the line numbers in a line that names a source. Deliberately a little low, because a new
 * source is better than more, less valuable lines of the same source.
 */
const sourceOverhead = 4;
/** Tokens of a source named by its speaker. */
const shortSource = 3;
/** Marks omitted lines between quoted ones. */
export const excerptGap = '[...]';
/** Estimated tokens of the mark. */
const gapTokens = 2;
/**
 * Maximum tokens of a line that is chosen because it is between two chosen lines: adjacent lines of code are needed
 * together, and a gap mark costs tokens, too. Tuned on the bench; values from 8 to 32 make little difference.
 */
const maxHoleLines = 16;
/** Share of the room that lines of the focus topic get first. */
const focusShare = 0.65;

/** Input of {@link selectLines}. */
export interface SelectInput {
  readonly record: TranscriptLines;
  readonly ranked: LineRanks;
  /** Indices of the lines that may be chosen, other than `call` lines, best first. All others are already written elsewhere. */
  readonly order: readonly number[];
}

/**
 * Chooses the best lines that fit into a room. Repetitions of lines that stay or are already chosen, in the same
 * context, come last, for example those of a file that was read twice.
 * @param room maximum tokens, including the lines that name sources
 * @param written trimmed lines that are already written elsewhere
 * @returns 1 for each chosen line, by index
 */
export function selectLines(input: SelectInput, room: number, written: ReadonlySet<string>): Uint8Array {
  const { record, ranked, order } = input;
  const { lines } = record;
  const chosen = new Uint8Array(lines.length);
  const mayChoose = new Uint8Array(lines.length);
  for (const index of order) mayChoose[index] = 1;
  const named = new Set<string>();
  const quoted = new Set<string>();
  lines.forEach(({ kind }, index) => {
    if (mayChoose[index] === 0 && kind !== 'call') quoted.add(lineContext(record, index));
  });
  let left = room;
  const sourceTokens = (index: number): number => {
    const { call } = lines[index]!;
    return call < 0 ? shortSource : estimateTokens(excerptSource(record, index));
  };
  /** @returns 1 if the neighboring line of the same source is chosen */
  const isNext = (index: number, step: number): number =>
    chosen[index + step] === 1 && excerptKey(record, index + step) === excerptKey(record, index) ? 1 : 0;
  const choose = (index: number, cost: number, key: string): void => {
    left -= cost;
    chosen[index] = 1;
    named.add(key);
    quoted.add(lineContext(record, index));
    for (const hole of [index - 1, index + 1]) {
      const own = ranked.costs[hole] ?? Number.POSITIVE_INFINITY;
      if (own > Math.min(maxHoleLines, left) || !mayChoose[hole] || chosen[hole] || lines[hole]!.kind === 'call')
        continue;
      if (excerptKey(record, hole) === key && isNext(hole, hole - index)) choose(hole, own - gapTokens, key);
    }
  };
  /** @returns false if the line does not fit */
  const take = (index: number, again = false): boolean => {
    let cost = ranked.costs[index]!;
    const key = excerptKey(record, index);
    if (!again && quoted.has(lineContext(record, index))) return true;
    if (!named.has(key)) cost += sourceOverhead + sourceTokens(index);
    else cost += gapTokens * (1 - isNext(index, -1) - isNext(index, 1));
    if (cost > left) return false;
    choose(index, cost, key);
    return true;
  };
  function* openLines(): Generator<number> {
    for (const index of order) if (!chosen[index] && !written.has(lines[index]!.text.trim())) yield index;
  }
  for (const index of order)
    if (ranked.focused[index] && left - ranked.costs[index]! > room * (1 - focusShare)) take(index);
  for (const again of [false, true]) fillRoom(openLines(), (index) => take(index, again));
  return chosen;
}

/** Returns the key of a line's source. Consecutive lines with the same key form one excerpt. */
export function excerptKey(record: TranscriptLines, index: number): string {
  const { at, kind, call } = record.lines[index]!;
  return `${at}:${kind === 'input' ? call : ''}`;
}

/** Names the source of a line: the call that returned or received it, or its speaker. */
export function excerptSource(record: TranscriptLines, index: number): string {
  const { kind, call: number } = record.lines[index]!;
  const call = number >= 0 ? record.calls[number]! : null;
  const named = !call
    ? ''
    : `${call.name} ${startOf(call.target.replace(changeOfFolder, ''), 80).replace(/\s+/g, ' ')}`.trim();
  if (kind === 'input') return `given to ${named}`;
  if (kind === 'summary') return unverifiedSummary;
  if (kind !== 'result') return kind;
  // A tool whose name starts like a speaker must not be mistaken for one.
  return speaker.test(named) ? `tool ${named}` : named || 'tool';
}

/** Matches the start of a command that only changes the folder. */
const changeOfFolder = /^\s*cd [^\s;&|]{1,200}\s*(?:&&|;)\s*/;
const speaker: RegExp = /^(?:user|agent|system)\b/i;

/**
 * Returns a line with the lines before and after it in the same text, without line numbers. Lines with equal contexts
 * count as repetitions.
 */
function lineContext({ lines }: TranscriptLines, index: number): string {
  const { at, kind, call } = lines[index]!;
  const bare = (place: number): string => {
    const line = lines[place];
    return line?.at === at && line.kind === kind && line.call === call ? bareText(line).trim() : '';
  };
  return `${bare(index - 1)}\n${bare(index)}\n${bare(index + 1)}`;
}
