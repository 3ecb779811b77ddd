import { readPayload } from './payload.ts';

/** How a call ended, as its result states it. What the result does not state is not guessed. */
export interface Outcome {
  /** The output itself, without the JSON or the harness text around it. */
  readonly output: string;
  /** The exit code the result states; `null` if it states none. */
  readonly exitCode: number | null;
  /** True if the result states a failure: an exit code other than 0, an error field, a harness's error mark. */
  readonly failed: boolean;
  /** An error text separate from the output; `null` if there is none. */
  readonly error: string | null;
  /** The result as parsed JSON; `undefined` if it is not JSON. */
  readonly data: unknown;
}

/** How much of each end of a result is searched for harness text, in characters. */
const reach = 800;

/** Harness text before or after the output, and a string it always contains, which is faster to look for. The group is the exit code. */
type Frame = readonly [needs: string, shape: RegExp];

// Of Codex, Claude Code, mini-swe-agent, SWE-agent, OpenHands, pi and opencode.
const heads: readonly Frame[] = [
  ['BSERVATION:', /^OBSERVATION:\n/],
  ['<returncode>', /^<returncode>(-?\d+)<\/returncode>\n?/],
  [
    'Wall time:',
    /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:Exit code:|Process exited with code) (-?\d+)\n(?:(?:Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:Output:(?:\n|$))?/,
  ],
  ['Exit code', /^(?:Error: )?Exit code:? (-?\d+)(?:\n|$)/],
  ['<', /^<(?:output|stdout|tool_use_error)>\n?/],
];
const tails: readonly Frame[] = [
  ['</', /\n?<\/(?:output|stdout|tool_use_error)>\s*$/],
  ['bash-$', /(?:\n\([A-Z][^\n]{0,300}\)){0,3}\nbash-\$\s*$/],
  ['</', /\n{0,2}<(?:bash_metadata|system-reminder)>[^<]{0,700}<\/(?:bash_metadata|system-reminder)>\s*$/],
  [
    'xit',
    /(?:^|\n)(?:\[[^[\]\n]{0,200}\]\n){0,4}\[[^[\]\n]{0,60}\bexit(?:ed)?(?: with)?(?: code| status)?:? (-?\d+)\.?\]\s*$/i,
  ],
  ['xit', /(?:^|\n)\(?(?:(?:Command|Process) )?exit(?:ed)?(?: with)?(?: exit)?(?: code| status):? (-?\d+)[.)]?\s*$/i],
];
/** Characters that harness text starts or ends with. Most results need no further check. */
const headOpens = /^[OCWTPE<]/;
const tailEnds = /[>$\].)\d]/;
const errorMark =
  /^(?:<tool_use_error>|(?:Error|ERROR|Tool error|API Error)\b ?[:(]|Request failed with status code|Traceback \(most recent call last\):)/;

/** Reads the outcome of a result. Reads only its two ends, or parses it once if it is JSON. */
export function readOutcome(text: string): Outcome {
  const payload = readPayload(text);
  if (payload) {
    const { exitCode, error, data, success } = payload;
    const failed = exitCode === null ? error !== null || !success : exitCode !== 0;
    return { output: payload.output ?? text, exitCode, failed, error, data };
  }
  let start = 0;
  let end = text.length;
  let exitCode: number | null = null;
  const opening = text.slice(0, reach);
  for (const [needs, shape] of headOpens.test(opening) ? heads : []) {
    const found = opening.includes(needs) ? shape.exec(opening.slice(start)) : null;
    if (!found) continue;
    start += found[0].length;
    if (found[1] !== undefined) exitCode ??= Number(found[1]);
  }
  const ending = text.slice(Math.max(start, end - reach)).trimEnd();
  for (const [needs, shape] of tailEnds.test(ending.slice(-1)) ? tails : []) {
    const from = Math.max(start, end - reach);
    const closing = text.slice(from, end);
    const found = closing.includes(needs) ? shape.exec(closing) : null;
    if (!found) continue;
    end = from + found.index;
    if (found[1] !== undefined) exitCode ??= Number(found[1]);
  }
  const failed = exitCode === null ? errorMark.test(opening) : exitCode !== 0;
  return { output: text.slice(start, end), exitCode, failed, error: null, data: undefined };
}

/** Counts the lines of an output. A line break at the end does not start another line. */
export function countLines(output: string): number {
  let end = output.length;
  if (output.charCodeAt(end - 1) === 10) end--;
  if (end <= 0) return 0;
  let lines = 1;
  for (let at = output.indexOf('\n'); at >= 0 && at < end; at = output.indexOf('\n', at + 1)) lines++;
  return lines;
}
