/** Patterns for lines of test runs, builds and linters. All are bounded, so that a scan takes linear time. */
const patterns = {
  /** Name of a failed test: go, pytest, jest, vitest, mocha, TAP, cargo, gradle, rspec. */
  failedTest:
    /^(?:\s{0,12}--- FAIL: \S|FAILED \S|ERROR \S{1,200}\.py\b|\s{0,16}[\u2717\u2718\u2715\u2716\u00d7] \S|\s{0,16}not ok \d|\s{0,4}\u25cf \S|test \S{1,200} \.\.\. FAILED|\S{1,120} > \S.{0,120} FAILED|rspec \.\/\S|\s{0,8}FAIL\s{1,4}\S{1,200}\.\w)/,
  /** Error message, usually with its location: compilers, type checkers, linters, make, Maven, npm. */
  error:
    /^(?:\s{0,4}[^\s:(][^\n:(]{0,200}(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}(?::\d{1,7})?):? (?:- )?(?:fatal )?error\b|\s{0,4}\S{1,200}:\d{1,7}:\d{1,7}: [A-Z]{1,4}\d{2,4} |\s{0,8}\d{1,7}:\d{1,7}\s{1,4}error\s|error(?:\[\w{1,12}\])?(?: TS\d{1,6})?: |\[ERROR\] \S|npm (?:ERR!|error) \S|make(?:\[\d\])?: \*\*\* |ERROR: \S|E {2,8}\S)/,
  /** Number of passed or failed tests, or of errors. */
  verdict:
    /\b\d{1,9} (?:tests? )?(?:failed|passed|failing|passing|errors?|problems?|failures?)\b|^(?:test result:|Tests run:|BUILD FAIL|FAIL\s+\S+\s+[\d.]+s$)/,
} as const;

/** Maximum characters to read at each end of an output, and of each line. */
const maxReach = 32_000;
const lineLength = 400;

/**
 * Selects the lines of a command's output that show what failed: first names of failing tests, then errors, then the
 * final count. Returns as many as fit, but at least one if any line matches.
 * @param room maximum characters
 */
export function failureLines(output: string, room: number): string[] {
  const tests = new Set<string>();
  const errors = new Set<string>();
  let verdict = '';
  for (const line of linesAtEnds(output)) {
    if (patterns.failedTest.test(line)) tests.add(line.trim());
    else if (patterns.error.test(line)) errors.add(line.trim());
    else if (patterns.verdict.test(line)) verdict = line.trim();
  }
  const found: string[] = [];
  let left = room;
  for (const line of [...tests, ...errors, ...(verdict === '' ? [] : [verdict])]) {
    if (found.length > 0 && line.length + 3 > left) continue;
    found.push(line);
    left -= line.length + 3;
  }
  return found;
}

/** True if the end of an output reports a failure. Used for results without an exit code. */
export function endsInFailure(output: string): boolean {
  return /\bFAIL(?:ED|URE)?\b|\b[1-9]\d{0,6} (?:tests? )?(?:failed|failing|errors?)\b|\berror(?: TS\d{1,6}|\[\w{1,12}\])?:|not ok \d/.test(
    output.slice(-2_000),
  );
}

function* linesAtEnds(output: string): Generator<string> {
  const parts = output.length <= 2 * maxReach ? [output] : [output.slice(0, maxReach), output.slice(-maxReach)];
  for (const part of parts)
    for (let at = 0; at < part.length; ) {
      const next = part.indexOf('\n', at);
      const end = next < 0 ? part.length : next;
      yield part.slice(at, Math.min(end, at + lineLength));
      at = end + 1;
    }
}
