import { tellsFailure } from './failing-lines.ts';
import type { TurnRecord } from './record-line.ts';

/** How much of a line an outcome shows, in characters. */
const longest = 160;

/** By call: the line of its result that tells most, a failing one before the first one. */
export function outcomeLines({ lines }: TurnRecord): Map<number, string> {
  const told = new Map<number, string>();
  const failed = new Set<number>();
  for (const { kind, text, call } of lines) {
    if (kind !== 'result' || call < 0 || failed.has(call)) continue;
    const fails = tellsFailure(text);
    if (!fails && told.has(call)) continue;
    told.set(call, text.trim().slice(0, longest));
    if (fails) failed.add(call);
  }
  return told;
}
