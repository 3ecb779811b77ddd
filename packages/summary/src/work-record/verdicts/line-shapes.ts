/** What prints a line: a test runner, a compiler or linter, git (a commit, a push, the rest), or any program. */
export type RunKind = 'test' | 'code' | 'commit' | 'push' | 'git' | 'any';

/** A pattern for trimmed lines without escape sequences. Runs in linear time. */
export interface LineShape {
  readonly prints: RunKind;
  readonly shape: RegExp;
}

const shapes = (prints: RunKind, ...all: readonly RegExp[]): LineShape[] => all.map((shape) => ({ prints, shape }));

/**
 * Matches the beginning of a line that counts results: `Tests:  2 failed`, `=== 3 passed in 0.2s`, `Found 1 error`. Not a line of
 * code with its number, `89 | throw ...`.
 */
export const countLine: RegExp =
  /^(?!\d{1,6} ?\|)(?:[^\p{L}\d]|ℹ){0,80}(?:\[[\w:.-]{1,40}\]\s{1,4})?(?:(?:tests?|test (?:files|suites|result|summary)|tests run|type errors|errors|failed|failures|passed|fail|pass|[\w-]{0,20} ?found|summary|done|ok|ran)\b[^\d\n]{0,40})?\d/iu;
/** A number of failures, before or after its word. Other words may stand between: `12 tests failed`. */
export const failureCounts: RegExp =
  /(?<![\w.:/#-])(\d{1,9})(?: (?!pass|with|no |ok)[a-z]{1,20}){0,2}? (?:fail(?:ed|ures?|ing)?|errors?|offenses?|diagnostics?|would be reformatted)\b|\b(?:fail(?:ures?|ed)?|errors?)(?:[:=]\s{0,8}| (?=\d{1,9}$))(\d{1,9})/gi;
/** The same for words that also count warnings. Used only without one of those above. */
export const problemCounts: RegExp = /(?<![\w.:/-])(\d{1,9}) (?:problems?|issues?)\b/gi;
/** Matches words of a line that counts the results of tests. */
export const countsTests: RegExp = /pass|fail|\btests?\b|examples?|assertions/i;
/** Matches a number of successes. */
export const successCount: RegExp =
  /\b\d{1,9}%? (?:tests? |examples? )?pass(?:ed|es|ing)?\b|\bpass(?:ed)?:? {1,4}\d{1,9}\b|\bOK \(/i;

/** Matches lines that report success, but about nothing. Another line of success says more. */
export const emptySuccess: RegExp = /\b0 passed\b|no tests? to run|no test files|^PASS$/i;

/** Lines of a failed run, in order of precedence. They decide even if other lines report success. */
export const failedShapes: readonly LineShape[] = [
  ...shapes(
    'test',
    /^(?:no tests? (?:ran|found|collected|files found)\b|no test files found)/i,
    /^FAIL\s+\S+\s+(?:[\d.]+s|\[)/,
  ),
  ...shapes('push', /^(?:remote: .{0,200})?!\s+\[(?:remote )?(?:rejected|failure)\]/),
  ...shapes(
    'commit',
    /^(?:(?:nothing|no changes|nothing added) (?:added )?to commit|husky - .{0,60}(?:failed|exited|code))/,
  ),
  ...shapes('git', /^CONFLICT \(/, /^(?:Automatic merge failed|fatal: )/),
  ...shapes('any', /^(?:g?make(?:\[\d+\])?: )?\*{2,3} .{0,200}(?:Error \d|FAILED)|\bBUILD FAIL(?:ED|URE)\b/),
  ...shapes('code', /^error: (?:could not compile|aborting due to)/, /^Diff in \S/),
  ...shapes('any', /^(?:Failed: {1,8}\S|error during build\b|[│╷ ]{0,4}Error: )/),
  ...shapes('test', /^(?:--- FAIL: |FAIL(?:URES)?!?$|FAILED\b|FAIL:? |not ok \d|panic: )/),
  ...shapes(
    'any',
    /(?<!\bno )issues found in |(?<!\.)\.{3,}[^.\n]{0,40}Failed$|\tfail\t|^(?:\[[\w:.-]{1,60}\] ERROR |ninja: build stopped|rake aborted)/,
  ),
];

/** Lines that report an error, unless tests report their success, or git that of a commit or a push. */
export const errorShapes: readonly LineShape[] = [
  ...shapes(
    'code',
    /^(?:--> )?\S{1,250}(?:\(\d+,\d+\)|:\d+(?::\d+)?)(?::| -) (?:fatal )?error\b/,
    /^[^\s:]{0,250}\.\w{1,10}:\d+:\d+(?:: (?!warning|note|info|hint)\S|:? [A-Z]{1,4}\d{3,4}\b)/,
    /^error(?:\[E\d{1,5}\]| TS\d+)?: |^\d+:\d+\s+error\s/,
    /^(?:go|ld|vet): (?!downloading|finding|extracting|warning|added|upgraded|downgraded|removed|creating|to add)/,
  ),
  ...shapes(
    'any',
    /^(?:npm (?:ERR!|error) |ERR_PNPM_\w+|ELIFECYCLE|\[?(?:ERROR|FATAL)\]?:? |(?:Error(?: from server[^:]{0,60}| response from daemon)?|error|E|X): )/,
    /^(?:[✗✘×] |[Ff]ailed to |Unable to |Could not |Cannot connect |pull request create failed)/,
  ),
];

/** Lines that report success. The last one counts. For tests, only theirs. */
export const passedShapes: readonly LineShape[] = [
  ...shapes('test', /^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))|PASS\b|OK\b(?!:)|ok \|)|\ball tests (?:have )?passed\b/i),
  ...shapes('commit', /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] /),
  ...shapes(
    'push',
    /^[*+-]?\s{0,4}(?:\[[\w ]{1,30}\]|[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40})\s+\S+\s+-> \S|^Everything up-to-date/,
  ),
  ...shapes(
    'git',
    /^(?:Successfully rebased|Dropped refs\/stash|Merge made by|Already up[ -]to[ -]date|Fast-forward$|Updating [0-9a-f]{7,40}\.\.|Current branch \S+ is up)/,
  ),
  ...shapes(
    'code',
    /^Checked \d+ files? in |^(?:No|0) (?:issues|errors|problems)\b|\bno issues found|would be left unchanged/i,
  ),
  ...shapes(
    'any',
    /^\W{0,4}(?:\d+ \w{1,20} )?(?:success|finished|done|built|compiled|created|completed?|deployed|destroyed|installed|added|up to date|all (?:checks|tests|files|matched))\b/i,
    /\b(?:successful(?:ly)?|succeeded|BUILD SUCCESS|up[ -]to[ -]date)\b|\bcomplete[!:]|^\S{1,250} (?:created|configured|unchanged|deleted|restarted)$|\tpass\t|^https:\/\/\S+$/i,
  ),
];

/**
 * Patterns for the name of a failure. The names of a run are those of the pattern with the most, or else of the first. The
 * group `number` identifies a failure that is listed twice.
 */
export const failureNames: readonly RegExp[] = [
  /^(?:FAIL(?:ED)?:? {1,4}|ERROR:? (?=\S*(?:::|\.\w)|\w+ \()|--- FAIL: |Failed (?=[\w.]{3,250}(?:\(| \[|$))|not ok \d{1,6} (?:- )?|\(fail\) |rspec |[Ww]ould reformat:? )(?:\|[^|]{1,60}\| )?(?![|(-]|\d+ )(?<name>\S.{0,250}?)(?: [-#] .{0,1000}| [[(][\d.]+ ?m?s[\])])?$/,
  /^(?:[●✖✗✘]|×(?=.{1,250} > )|\[ERROR\] {2,4}) (?!failing tests:|\d+ problem)(?<name>\S.{0,250}?)(?: \(?[\d.]+ ?m?s\)?|:\d+ .{1,500})?$/,
  /^(?:test |\d+ - )?(?![>#])(?<name>\S.{0,250}?)(?: \.{3} (?:FAIL(?:ED)?|ERROR)| FAILED| \(Failed\))(?:\s{1,40}[([].{0,20})?$/,
  /^(?<number>\d{1,4})\) (?<name>\S.{0,250}?)[ ─]*$/,
  /^> (?<name>\[[^\]]{1,80}\] .{1,150}):$/,
  /^CONFLICT \([^)]{1,60}\): (?:Merge conflict in )?(?<name>\S.{0,250})$/,
  /^(?<name>[^\s.][^\t.]{0,150})(?:\.{3,}[^.\n]{0,40}Failed|\tfail\t.*)$/,
];

/** Patterns for the place of an error. Used if nothing is named: places in a trace belong to the failure above. */
export const failurePlaces: readonly RegExp[] = [
  /^(?:--> |e: |\[ERROR\] |Diff in |vet: )?(?<name>(?!\d)[^\s:]{1,250}(?:\(\d+,\d+\)|:\[\d+,\d+\]|:\d+(?=:\d+|: (?:fatal )?error)))(?::\d+)?(?:: (?!warning|note)|:? |$)/,
  /^\[warn\] (?!Code style)(?<name>\S{1,250}\.\w{1,10})$/,
];
