import type { TurnLines } from '../read/read-turns.ts';
import { startOf } from '../text/cut.ts';
import { tellsFailure } from './failing-lines.ts';

/** How much of a failing line an outcome shows, in characters. */
const longest = 100;
/** A first line up to this length says how a call ended; a longer one is output. */
const shortest = 40;

/** By call: the line of its result that tells how it ended: the first failing one, else the first line when it is short. */
export function outcomeLines({ lines }: TurnLines): Map<number, string> {
  const told = new Map<number, string>();
  const failed = new Set<number>();
  const seen = new Set<number>();
  for (const { kind, text, call } of lines) {
    if (kind !== 'result' || call < 0 || failed.has(call)) continue;
    const fails = tellsFailure(text);
    const first = !seen.has(call);
    seen.add(call);
    if (!fails && !(first && text.trim().length <= shortest)) continue;
    told.set(call, startOf(text.trim(), longest));
    if (fails) failed.add(call);
  }
  return told;
}
