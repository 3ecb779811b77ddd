import type { TurnLines } from '../read/read-turns.ts';
import { startOf } from '../text/cut.ts';
import { isFailingLine } from './failing-lines.ts';

/** The longest outcome, in characters. */
const longest = 100;
/** A first line of up to this many characters states how a call ended. A longer one is output. */
const longestStatus = 40;

/**
 * Finds the line of each result that states how its call ended: the first failing line, or else the first line if it is
 * short.
 * @returns by index of the call
 */
export function outcomeLines({ lines }: TurnLines): Map<number, string> {
  const outcomes = new Map<number, string>();
  const failed = new Set<number>();
  const seen = new Set<number>();
  for (const { kind, text, call } of lines) {
    if (kind !== 'result' || call < 0 || failed.has(call)) continue;
    const fails = isFailingLine(text);
    const first = !seen.has(call);
    seen.add(call);
    if (!fails && !(first && text.trim().length <= longestStatus)) continue;
    outcomes.set(call, startOf(text.trim(), longest));
    if (fails) failed.add(call);
  }
  return outcomes;
}
