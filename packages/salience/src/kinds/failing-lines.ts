import type { TurnLines } from '../read/read-turns.ts';

/** A line that tells of a failure, as programs write it. */
const failing: RegExp =
  /\b(?:error|exception|fatal|panic|failed|failure|denied|refused|not found|no such file|cannot|can't|undefined reference|traceback|unresolved|invalid|unexpected|segfault|timed out|timeout|conflict)\b|\b[A-Z]\w{0,60}(?:Error|Exception)\b|^E\s{2,}|^FAIL\b|\u2717|\u274c/i;
/** A line that only looks like one: counts of none, code that handles errors, listings. */
const harmless: RegExp =
  /\b(?:0|no) (?:errors?|failures?|failed|warnings?)\b|^\s*(?:\d+[\u2192:|\t]|import\b|from\b|return\b|throw\b|raise\b|catch\b|except\b|if\b|\/\/|#|\*|def\b|func\b|fn\b|class\b|[+-]\s)|[{;]\s*$/i;

/** An error a tool gave back. */
export interface FailingLine {
  /** Index of the line in the record. */
  readonly line: number;
  readonly text: string;
  /** True when the same call went well later. */
  readonly resolved: boolean;
}

/** True when a tool result line tells of a failure. */
export function tellsFailure(text: string): boolean {
  return text.length <= 600 && failing.test(text) && !harmless.test(text);
}

/** The failing lines of tool results, at most three per result, in order. */
export function failingLines(record: TurnLines): FailingLine[] {
  const failedCalls = new Map<number, number[]>();
  record.lines.forEach((line, index) => {
    if (line.kind !== 'result' || line.call < 0 || !tellsFailure(line.text)) return;
    const found = failedCalls.get(line.call) ?? [];
    if (found.length < 3) found.push(index);
    failedCalls.set(line.call, found);
  });
  const lastGood = new Map<string, number>();
  record.calls.forEach((call, index) => {
    if (call.answeredAt >= 0 && !failedCalls.has(index)) lastGood.set(`${call.name}\n${call.target}`, index);
  });
  return [...failedCalls].flatMap(([call, lines]) => {
    const { name, target } = record.calls[call]!;
    const resolved = (lastGood.get(`${name}\n${target}`) ?? -1) > call;
    return lines.map((line) => ({ line, text: record.lines[line]!.text.trim(), resolved }));
  });
}
