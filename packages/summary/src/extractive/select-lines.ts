import { estimateTokens } from '@palimpsest/tokens';
import type { TurnFacts } from './gather-facts.ts';
import type { TurnRecord } from './record-line.ts';

/** Tokens around an action: its number and the name of its tool. */
const actionFrame = 8;
/** Tokens around the line that names the source of an excerpt. */
const sourceFrame = 4;
/** Lines in a row that did not fit after which there is hardly room for any. */
const patience = 300;

/** Of the room, what the newest lines get as they stand: work goes on where it stopped, and runs of lines are quoted whole. */
const newestShare = 0.3;

/**
 * Chooses lines: the newest as they stand for a part of the room, then by worth until it is used up.
 * @returns by line: 1 when it is kept
 */
export function selectLines(facts: TurnFacts, room: number): Uint8Array {
  const { record, ranked, order, outcomes } = facts;
  const { lines } = record;
  const chosen = new Uint8Array(lines.length);
  const named = new Set<string>();
  let left = room;
  const take = (index: number): boolean => {
    const line = lines[index]!;
    let cost = ranked.costs[index]!;
    const key = line.kind === 'call' ? '' : blockKey(record, index);
    if (line.kind === 'call') cost += actionFrame + estimateTokens(outcomes.get(line.call) ?? '');
    else if (!named.has(key)) cost += estimateTokens(sourceOf(record, index)) + sourceFrame;
    if (cost > left) return false;
    left -= cost;
    chosen[index] = 1;
    if (key !== '') named.add(key);
    return true;
  };
  const reserve = room * (1 - newestShare);
  for (let index = lines.length - 1; index >= 0 && left > reserve; index--) if (ranked.scores[index]! > 0) take(index);
  let misses = 0;
  for (const index of order) {
    if (chosen[index]) continue;
    if (take(index)) misses = 0;
    else if (++misses > patience) break;
  }
  return chosen;
}

/** Lines with the same key stand together under one source. */
export function blockKey(record: TurnRecord, index: number): string {
  const { at, kind, call } = record.lines[index]!;
  return `${at}:${kind === 'input' ? call : ''}`;
}

/** What an excerpt is from: the call that gave it back or was given it, or who said it. */
export function sourceOf(record: TurnRecord, index: number): string {
  const { kind, call: number } = record.lines[index]!;
  const call = number >= 0 ? record.calls[number]! : null;
  const named = call ? `${call.name} ${call.target.slice(0, 120).replace(/\s+/g, ' ')}`.trim() : '';
  if (kind === 'input') return `${named} (given)`;
  if (kind === 'result') return named || 'tool';
  return kind;
}
