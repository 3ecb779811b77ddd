import type { TranscriptLines } from '../read/read-transcript-lines.ts';

/** Matches common wordings of a failure. */
const failing: RegExp =
  /\b(?:error|exception|fatal|panic|failed|failure|denied|refused|not found|no such file|cannot|can't|undefined reference|traceback|unresolved|invalid|unexpected|segfault|timed out|timeout|conflict)\b|^E\s{2,}|^FAIL\b|\u2717|\u274c/i;
/**
 * Matches the name of an error, such as `TypeError`. It is found by its end, so that the search does not read every word up
 * to its end.
 */
const errorName: RegExp = /(?:Error|Exception)\b(?<=\b[A-Z]\w{0,60}(?:Error|Exception))/;
/**
 * Matches lines that only look like or point at a failure: counts of zero, empty error fields, code, listings, markers
 * below code, the first line of a traceback, tests that pass.
 */
const harmless: RegExp =
  /\b(?:0|no|without|without an|without any) (?:errors?|failures?|failed|warnings?)\b|\bpanic!\(|\b(?:error|exception|failure|timeout)s?: ?(?:null|none|nil|false|0|"")(?:,|$)|^\s*(?:\d+(?:[\u2192|\t]|-\s|:(?!\d))|import\b|from\b|return\b|throw\b|raise\b|catch\b|except\b|if\b|\/\/|#|\*|def\b|func\b|fn\b|class\b|[+-]\s|\||for more information|traceback \(most recent call last\):?\s*$|ok \d+\b|[\u2713\u2714\u221a]\s|pass\s)|[{;]\s*$/i;
/** Lines that contain words of failure, but report none. Matched without regard to case. */
const quotedForms: readonly RegExp[] = [
  /^\s*(?:npm )?warn(?:ing)?\b/,
  // A call, a block, a property, a declaration and assignments in source code.
  /^\s*(?:await )?[\w$.]{1,80}(?<!Error|Exception)\([^\n]*\)[;,]?\s*$/,
  /^\s*(?:with|for|while|elif) [^\n]*:\s*$/,
  /^\s*["']?(?![\w-]*(?:error|message|reason|detail|stderr|stdout|output|status))[\w$-]{1,60}["']?\s?:\s?(["'`])[^\n]*\1,?\s*$/,
  /^\s*(?:const|let|var|export (?:const|default|function|class))\b/,
  /^\s*(?:[\w$., ]{1,80}:=\s|[\w$.]{1,80}\s{1,20}=\s["'`])/,
  // A search hit quotes its line as it is; a compiler's message follows the line number after one space.
  /^[^\s:]{1,200}:\d{1,7}:(?!\d{1,5}:? | \S)|^[^\s:]{1,200}-\d{1,7}-(?! \S)/,
  // Other source code, a mark below code, a row of a table, a warning by its class, a step that is left out.
  /^\s*(?:err\(|echo\s)|^\s*\^|-\^\s*$|[^|\n]\s\|\s[^|\n]+\s\|\s|^(?!e\s)[^\n]*\b[a-z]{1,60}warning:|^(?![^\n]*\b(?:error|fatal)\b)[^\n]*\bskipping\b/,
  // A test that starts or passes, also behind the name of its package, and the line of code that pytest shows for a failure.
  /^\s*(?:=== run\b|--- (?:pass|skip)\b)|^(?:[^:\n]{1,80}:)?\s*(?:\(pass\)|[\u2713\u2714\u221a])\s|\bpassed(?:\s+\[\s*\d{1,3}%\])?\s*$|^>\s{2,8}\S/,
  // The frames of a traceback, and the words between two chained exceptions.
  /^\s*file "[^\n]*", line \d|\bthe (?:above|following) exception|\banother exception occurred/,
];
const quoting: RegExp = new RegExp(quotedForms.map(({ source }) => source).join('|'), 'i');

/** A line of a tool result that reports a failure. */
export interface FailingLine {
  /** Index of the line in {@link TranscriptLines}. */
  readonly line: number;
  readonly text: string;
  /** True if the same call succeeded later. */
  readonly resolved: boolean;
}

/** True if a line of a tool result reports a failure. */
export function isFailingLine(text: string): boolean {
  return (
    text.length <= 600 && (failing.test(text) || errorName.test(text)) && !harmless.test(text) && !quoting.test(text)
  );
}

/** Finds lines of tool results that report failures, in order, at most three per result. */
export function failingLines(transcript: TranscriptLines): FailingLine[] {
  const failedCalls = new Map<number, number[]>();
  transcript.lines.forEach((line, index) => {
    if (line.kind !== 'result' || line.call < 0 || !isFailingLine(line.text)) return;
    const found = failedCalls.get(line.call) ?? [];
    if (found.length < 3) found.push(index);
    failedCalls.set(line.call, found);
  });
  const lastGood = new Map<string, number>();
  transcript.calls.forEach((call, index) => {
    if (call.answeredAt >= 0 && !failedCalls.has(index)) lastGood.set(`${call.name}\n${call.target}`, index);
  });
  return [...failedCalls].flatMap(([call, lines]) => {
    const { name, target } = transcript.calls[call]!;
    const resolved = (lastGood.get(`${name}\n${target}`) ?? -1) > call;
    return lines.map((line) => ({ line, text: transcript.lines[line]!.text.trim(), resolved }));
  });
}
