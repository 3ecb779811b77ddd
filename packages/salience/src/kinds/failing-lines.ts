import type { TurnLines } from '../read/read-turns.ts';

/**
 * Matches common wordings of a failure. A name such as `TypeError` is found by its end, so that the search does not read
 * every word up to its end.
 */
const failing: RegExp =
  /\b(?:error|exception|fatal|panic|failed|failure|denied|refused|not found|no such file|cannot|can't|undefined reference|traceback|unresolved|invalid|unexpected|segfault|timed out|timeout|conflict)\b|(?:Error|Exception)\b(?<=\b[A-Z]\w{0,60}(?:Error|Exception))|^E\s{2,}|^FAIL\b|\u2717|\u274c/i;
/**
 * Matches lines that only look like or point at a failure: counts of zero, empty error fields, code, listings, markers
 * below code, the first line of a traceback, tests that pass.
 */
const harmless: RegExp =
  /\b(?:0|no|without|without an|without any) (?:errors?|failures?|failed|warnings?)\b|\bpanic!\(|\b(?:error|exception|failure|timeout)s?: ?(?:null|none|nil|false|0|"")(?:,|$)|^\s*(?:\d+[\u2192:|\t]|import\b|from\b|return\b|throw\b|raise\b|catch\b|except\b|if\b|\/\/|#|\*|def\b|func\b|fn\b|class\b|[+-]\s|\||for more information|traceback \(most recent call last\):?\s*$|ok \d+\b|[\u2713\u2714\u221a]\s|pass\s)|[{;]\s*$/i;

/** A line of a tool result that reports a failure. */
export interface FailingLine {
  /** Index of the line in {@link TurnLines}. */
  readonly line: number;
  readonly text: string;
  /** True if the same call succeeded later. */
  readonly resolved: boolean;
}

/** True if a line of a tool result reports a failure. */
export function isFailingLine(text: string): boolean {
  return text.length <= 600 && failing.test(text) && !harmless.test(text);
}

/** Finds lines of tool results that report failures, in order, at most three per result. */
export function failingLines(turns: TurnLines): FailingLine[] {
  const failedCalls = new Map<number, number[]>();
  turns.lines.forEach((line, index) => {
    if (line.kind !== 'result' || line.call < 0 || !isFailingLine(line.text)) return;
    const found = failedCalls.get(line.call) ?? [];
    if (found.length < 3) found.push(index);
    failedCalls.set(line.call, found);
  });
  const lastGood = new Map<string, number>();
  turns.calls.forEach((call, index) => {
    if (call.answeredAt >= 0 && !failedCalls.has(index)) lastGood.set(`${call.name}\n${call.target}`, index);
  });
  return [...failedCalls].flatMap(([call, lines]) => {
    const { name, target } = turns.calls[call]!;
    const resolved = (lastGood.get(`${name}\n${target}`) ?? -1) > call;
    return lines.map((line) => ({ line, text: turns.lines[line]!.text.trim(), resolved }));
  });
}
