import type { TranscriptLines } from '../read/read-transcript-lines.ts';
import { startOf } from '../text/cut.ts';
import { isAction } from './call-purpose.ts';
import { isFailingLine } from './failing-lines.ts';

/** Maximum length of an outcome, in characters. */
const maxOutcomeLength = 100;
/** Maximum length of a first line that counts as a call's outcome, in characters. A longer line is output. */
const maxStatusLength = 40;

/** A failing line in what a lookup found is a part of what it found, unless it is one of the first lines. */
const maxBeforeError = 3;
/**
 * Matches an exit code of 0 in a tag of a harness, and the label or the heading of an output, such as `=== RUN   TestA`. They
 * say no more than no outcome does.
 */
const saysNothing = /^<(\w{1,20})>0<\/\1>$|:$|^(?:===|---|###|\*\*\*)/;

/** Matches a label before the message of an error, also that of a YAML block. */
const label = /^\w{1,20}:(?: [|>]-?)?$/;

/**
 * Finds the line of each result that states how its call ended: the first failing line, or else the first line if it is
 * short. A label, such as `ERROR:`, comes with the next line. Output of lookups does not count.
 * @returns the lines by index of the call
 */
export function outcomeLines({ lines, calls }: TranscriptLines): Map<number, string> {
  const outcomes = new Map<number, string>();
  const failed = new Set<number>();
  /** The call whose newest line is only a label, such as `ERROR:`. */
  let labelled = -1;
  const seen = new Set<number>();
  for (const { kind, text, call, gutter, number, continues } of lines) {
    if (kind === 'result' && call >= 0 && call === labelled)
      outcomes.set(call, startOf(`${outcomes.get(call)} ${text.trim()}`, maxOutcomeLength));
    labelled = -1;
    if (kind !== 'result' || call < 0 || failed.has(call)) continue;
    const first = !seen.has(call);
    seen.add(call);
    const acted = isAction(calls[call]!);
    const line = text.trim();
    const fails = (acted || (number <= maxBeforeError && !continues)) && isFailingLine(text);
    if (!fails && !(acted && first && gutter === 0 && line.length <= maxStatusLength && !saysNothing.test(line)))
      continue;
    outcomes.set(call, startOf(line, maxOutcomeLength));
    if (!fails) continue;
    failed.add(call);
    if (label.test(line)) labelled = call;
  }
  return outcomes;
}
