import { estimateTokens } from '@palimpsest/tokens';
import type { LineRanks } from '../rank/rank-lines.ts';
import type { TurnLines } from '../read/read-turns.ts';
import { unverifiedSummary } from '../read/unverified-summary.ts';
import { startOf } from '../text/cut.ts';
import { fillRoom } from './fill-room.ts';
import { lineContext } from './line-context.ts';

/** Tokens of a listed call besides the call itself: its number and the name of its tool. */
const callOverhead = 8;
/**
 * Tokens of the line that names a source, besides the name: its mark and line numbers. A little low on purpose, because a
 * new source is better than more lines of the same source that are worth less.
 */
const sourceOverhead = 4;
/** Tokens of a source that is named by the number of a listed call, or by its speaker. */
const shortSource = 3;
/** Marks left-out lines between quoted ones. */
export const excerptGap = '[...]';
/** Estimated tokens of the mark. */
const gapTokens = 2;
/**
 * A line between two chosen ones is chosen, too, if it has at most this many tokens: code is needed in runs, and a mark
 * for the gap has tokens of its own. Chosen on the bench; from 8 to 32 it makes little difference.
 */
const largestHole = 16;
/** Share of the room that goes to lines of the focus topic first. */
const focusShare = 0.65;

/** Ranked lines to choose from. */
export interface SelectInput {
  readonly record: TurnLines;
  readonly ranked: LineRanks;
  /** Indices of the lines that may be chosen, the best first. All other lines stay where they are. */
  readonly order: readonly number[];
  /** By index of the call: the line of its result that states how it ended. */
  readonly outcomes: ReadonlyMap<number, string>;
}

/**
 * Chooses the best lines that fit into a room. Lines that stay, or were chosen before, in the same context come last, such
 * as those of a file that was read twice.
 * @param room tokens, including those of the lines that name sources
 * @param told lines, trimmed, that are written elsewhere
 * @returns by line: 1 if it is chosen
 */
export function selectLines(input: SelectInput, room: number, told: ReadonlySet<string>): Uint8Array {
  const { record, ranked, order, outcomes } = input;
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
    return call < 0 || chosen[record.calls[call]!.line] ? shortSource : estimateTokens(excerptSource(record, index));
  };
  /** @returns 1 if the neighboring line of the same source is chosen */
  const isNext = (index: number, step: number): number =>
    chosen[index + step] === 1 && excerptKey(record, index + step) === excerptKey(record, index) ? 1 : 0;
  const choose = (index: number, cost: number, key: string): void => {
    left -= cost;
    chosen[index] = 1;
    if (key === '') return;
    named.add(key);
    quoted.add(lineContext(record, index));
    for (const hole of [index - 1, index + 1]) {
      const own = ranked.costs[hole] ?? Number.POSITIVE_INFINITY;
      if (own > Math.min(largestHole, left) || !mayChoose[hole] || chosen[hole] || lines[hole]!.kind === 'call')
        continue;
      if (excerptKey(record, hole) === key && isNext(hole, hole - index)) choose(hole, own - gapTokens, key);
    }
  };
  /** @returns false if there is no room */
  const take = (index: number, again = false): boolean => {
    const line = lines[index]!;
    let cost = ranked.costs[index]!;
    const key = line.kind === 'call' ? '' : excerptKey(record, index);
    if (key !== '' && !again && quoted.has(lineContext(record, index))) return true;
    if (line.kind === 'call') cost += callOverhead + estimateTokens(outcomes.get(line.call) ?? '');
    else if (!named.has(key)) cost += sourceOverhead + sourceTokens(index);
    else cost += gapTokens * (1 - isNext(index, -1) - isNext(index, 1));
    if (cost > left) return false;
    choose(index, cost, key);
    return true;
  };
  function* openLines(): Generator<number> {
    for (const index of order) if (!chosen[index] && !told.has(lines[index]!.text.trim())) yield index;
  }
  for (const index of order)
    if (ranked.focused[index] && left - ranked.costs[index]! > room * (1 - focusShare)) take(index);
  for (const again of [false, true]) fillRoom(openLines(), (index) => take(index, again));
  return chosen;
}

/** Key of the source that a line belongs to. Consecutive lines with the same key form one excerpt. */
export function excerptKey(record: TurnLines, index: number): string {
  const { at, kind, call } = record.lines[index]!;
  return `${at}:${kind === 'input' ? call : ''}`;
}

/**
 * Names the source of a line: the call that returned or received it, or who said it.
 * @param numbers by index of the call, its number in a list; the call is named by that number
 */
export function excerptSource(record: TurnLines, index: number, numbers?: ReadonlyMap<number, number>): string {
  const { kind, call: number } = record.lines[index]!;
  const call = number >= 0 ? record.calls[number]! : null;
  const action = numbers?.get(number);
  const named = !call
    ? ''
    : action !== undefined
      ? `action ${action} (${call.name})`
      : `${call.name} ${startOf(call.target, 80).replace(/\s+/g, ' ')}`.trim();
  if (kind === 'input') return `given to ${named}`;
  if (kind === 'summary') return unverifiedSummary;
  if (kind !== 'result') return kind;
  // A tool whose name starts like a speaker must not be taken for one.
  return speaker.test(named) ? `tool ${named}` : named || 'tool';
}

const speaker: RegExp = /^(?:user|agent|system)\b/i;
