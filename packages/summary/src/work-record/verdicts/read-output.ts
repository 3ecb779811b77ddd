import {
  countLine,
  countsTests,
  emptySuccess,
  errorShapes,
  failedShapes,
  failureCounts,
  failureNames,
  failurePlaces,
  type LineShape,
  passedShapes,
  problemCounts,
  type RunKind,
  successCount,
} from './line-shapes.ts';

/** What the lines of an output state about a run. */
export interface Statement {
  /** `null` if no line states how the run ended. */
  readonly outcome: 'passed' | 'failed' | 'unknown' | null;
  /** The line that states the outcome; `''` if none does. */
  readonly line: string;
  /** Distinct names of failures, in order. */
  readonly failing: readonly string[];
  /** Number of failures stated in a line; 0 if none states it. */
  readonly count: number;
}

export const nothingStated: Statement = { outcome: null, line: '', failing: [], count: 0 };

/** Which lines of an output belong to a run. */
export interface OwnLines {
  readonly kind: RunKind;
  /** True for lines of a kind that the run may print. */
  readonly counts: (kind: RunKind) => boolean;
}

/**
 * Reads how a run ended: from the last line that counts failures, or else from lines that report a failure, count successes,
 * report an error, or report success, in this order.
 */
export function readOutput(lines: readonly string[], { kind, counts }: OwnLines): Statement {
  const counted = lines.flatMap((line) => countIn(line, counts));
  const failures = counted.findLast(({ count }) => count > 0);
  const first = (shapes: readonly LineShape[]): string | undefined => {
    for (const { prints, shape } of shapes) {
      const found = counts(prints) ? lines.find((line) => shape.test(line)) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const toFailure = (line: string): Statement => ({
    outcome: 'failed',
    line,
    failing: namesOfFailures(lines),
    count: failures?.count ?? 0,
  });
  if (failures) return toFailure(failures.line);
  const failure = first(failedShapes);
  if (failure !== undefined) return toFailure(failure);
  const reported = successes(lines, kind, counts);
  const isSure = kind === 'test' ? counted.length > 0 : kind === 'commit' || kind === 'push' ? reported.isOwn : false;
  const error = isSure ? undefined : first(errorShapes);
  if (error !== undefined) return toFailure(error);
  const passed = successLine(counted.length > 0 ? counted.map(({ line }) => line) : reported.lines);
  return passed === undefined ? nothingStated : { ...nothingStated, outcome: 'passed', line: passed };
}

/** The lines that report success: those of the run's kind, or else all. Lines of other programs do not report tests. */
function successes(
  lines: readonly string[],
  kind: RunKind,
  counts: OwnLines['counts'],
): { lines: readonly string[]; isOwn: boolean } {
  const matching = (belongs: (prints: RunKind) => boolean): string[] =>
    lines.filter((line) => passedShapes.some(({ prints, shape }) => belongs(prints) && shape.test(line)));
  const own = matching((prints) => prints === kind);
  return own.length > 0 || kind === 'test' ? { lines: own, isOwn: true } : { lines: matching(counts), isOwn: false };
}

/** The last line with a number of successes, or else the last line that does not report zero. */
function successLine(lines: readonly string[]): string | undefined {
  const telling = lines.filter((line) => !emptySuccess.test(line));
  return telling.findLast((line) => successCount.test(line)) ?? telling.at(-1) ?? lines.at(-1);
}

/** True for a line that counts the results of tests. */
export function countsResults(line: string): boolean {
  return countLine.test(line) && countsTests.test(line);
}

/** The number of failures that a line states; none if it counts nothing. */
function countIn(line: string, counts: (kind: RunKind) => boolean): { line: string; count: number }[] {
  if (!countLine.test(line) || !counts(countsTests.test(line) ? 'test' : 'code')) return [];
  const numbers = (shape: RegExp): number[] =>
    [...line.matchAll(shape)].map(([, before, after]) => Number(before ?? after));
  const failures = numbers(failureCounts);
  const all = failures.length > 0 ? failures : numbers(problemCounts);
  return all.length > 0 || successCount.test(line) ? [{ line, count: Math.max(0, ...all) }] : [];
}

/** A line that consists of a file name, for the problems in the lines below it. */
const heading = /^(?:\/|\.{1,2}\/|[A-Za-z]:\\|[\w@-]{1,100}\/)[^\s:*?"<>|]{1,300}\.\w{1,10}$/;
const problem = /^\d+:\d+\s+error\s/;

function namesOfFailures(lines: readonly string[]): readonly string[] {
  const named = mostNames(lines, failureNames);
  if (named.length > 0) return named;
  const files = filesWithProblems(lines);
  return files.length > 0 ? files : mostNames(lines, failurePlaces);
}

function mostNames(lines: readonly string[], shapes: readonly RegExp[]): readonly string[] {
  let most: string[] = [];
  for (const shape of shapes) {
    const names = new Map<string, string>();
    for (const line of lines) {
      const { name = '', number = name } = shape.exec(line)?.groups ?? {};
      if (name !== '' && !name.endsWith(':') && !names.has(number)) names.set(number, name);
    }
    const distinct = [...new Set(names.values())];
    if (distinct.length > most.length) most = distinct;
  }
  return most;
}

function filesWithProblems(lines: readonly string[]): string[] {
  const files = new Set<string>();
  let file = '';
  for (const line of lines) {
    if (heading.test(line)) file = line;
    else if (file !== '' && problem.test(line)) files.add(file);
  }
  return [...files];
}
