import { estimateTokens } from '@palimpsest/tokens';
import type { RankedLines } from '../rank/rank-lines.ts';
import type { TurnLines } from '../read/read-turns.ts';
import { unverifiedSummary } from '../read/unverified-summary.ts';
import { startOf } from '../text/cut.ts';
import { fillRoom } from './fill-room.ts';
import { lineContext } from './line-context.ts';

/** Tokens around an action: its number and the name of its tool. */
const actionFrame = 8;
/**
 * Tokens around the name of an excerpt's source: its mark and the numbers of its lines. Counted a little low, because
 * another source costs less than lines of the same one that are worth less. And of a source that is an action's number
 * or a person.
 */
const sourceFrame = 4;
const shortSource = 3;
/** Of the room, what a focus topic gets before anything else. */
const focusShare = 0.65;

/** Ranked lines to choose from. */
export interface SelectInput {
  readonly record: TurnLines;
  readonly ranked: RankedLines;
  /** Indices of the lines that may be chosen, the best first. */
  readonly order: readonly number[];
  /** By call: the line of its result that tells how it ended. */
  readonly outcomes: ReadonlyMap<number, string>;
}

/**
 * Chooses lines by worth until the room is used up. What is quoted already, within the same lines, comes
 * last: a file that was read twice shows most of them twice.
 * @param told lines, trimmed, that stand elsewhere in the record
 * @returns by line: 1 when it is kept
 */
export function selectLines(input: SelectInput, room: number, told: ReadonlySet<string>): Uint8Array {
  const { record, ranked, order, outcomes } = input;
  const { lines } = record;
  const chosen = new Uint8Array(lines.length);
  const named = new Set<string>();
  const quoted = new Set<string>();
  let left = room;
  const sourceTokens = (index: number): number => {
    const { call } = lines[index]!;
    return call < 0 || chosen[record.calls[call]!.line] ? shortSource : estimateTokens(sourceOf(record, index));
  };
  /** @returns false when there is no room for it */
  const take = (index: number, again = false): boolean => {
    const line = lines[index]!;
    let cost = ranked.costs[index]!;
    const key = line.kind === 'call' ? '' : blockKey(record, index);
    const context = key === '' ? '' : lineContext(record, index);
    if (!again && quoted.has(context)) return true;
    if (line.kind === 'call') cost += actionFrame + estimateTokens(outcomes.get(line.call) ?? '');
    else if (!named.has(key)) cost += sourceFrame + sourceTokens(index);
    if (cost > left) return false;
    left -= cost;
    chosen[index] = 1;
    if (key !== '') {
      named.add(key);
      quoted.add(context);
    }
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

/** Lines with the same key stand together under one source. */
export function blockKey(record: TurnLines, index: number): string {
  const { at, kind, call } = record.lines[index]!;
  return `${at}:${kind === 'input' ? call : ''}`;
}

/**
 * What an excerpt is from: the call that gave it back or was given it, or who said it. A call listed among the actions
 * is named by its number there.
 */
export function sourceOf(record: TurnLines, index: number, numbers?: ReadonlyMap<number, number>): string {
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
  // A tool whose name starts like a speaker (`user`, `agent`, `system`) must not pass for one.
  return speaker.test(named) ? `tool ${named}` : named || 'tool';
}

const speaker: RegExp = /^(?:user|agent|system)\b/i;
