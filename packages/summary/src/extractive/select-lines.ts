import { estimateTokens } from '@palimpsest/tokens';
import type { TurnFacts } from './gather-facts.ts';
import type { TurnRecord } from './record-line.ts';

/** Tokens around an action: its number and the name of its tool. */
const actionFrame = 8;
/** Tokens around the line that names the source of an excerpt. */
const sourceFrame = 4;
/** Lines in a row that did not fit after which there is hardly room for any. */
const patience = 300;

/** Chooses lines by worth until the room is used up. @returns by line: 1 when it is kept */
export function selectLines({ record, ranked, order, outcomes }: TurnFacts, room: number): Uint8Array {
  const { lines } = record;
  const chosen = new Uint8Array(lines.length);
  const named = new Set<string>();
  let left = room;
  let misses = 0;
  for (const index of order) {
    const line = lines[index]!;
    let cost = ranked.costs[index]!;
    const key = line.kind === 'call' ? '' : blockKey(record, index);
    if (line.kind === 'call') cost += actionFrame + estimateTokens(outcomes.get(line.call) ?? '');
    else if (!named.has(key)) cost += estimateTokens(sourceOf(record, index)) + sourceFrame;
    if (cost > left) {
      if (++misses > patience) break;
      continue;
    }
    misses = 0;
    left -= cost;
    chosen[index] = 1;
    if (key !== '') named.add(key);
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
