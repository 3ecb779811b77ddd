import { type ToolFamily, toolFamilies } from './tool-families.ts';

/** What the lines of an output state about a run. */
export interface Statement {
  /** `null` if no line states how the run ended. */
  readonly outcome: 'passed' | 'failed' | null;
  /** The line that states the outcome; `''` if none does. */
  readonly line: string;
  /** Distinct names of failures, in order. */
  readonly failing: readonly string[];
  /** Number of failures stated in a line; 0 if none states it. */
  readonly count: number;
}

/** Matches lines that are worth trying with the patterns of all families. Other lines are skipped for speed. */
const worthTrying =
  /[:\d]|pass|fail|ok|error|success|done|finished|built|found|no |rejected|create|delete|complete|[●✖×✗✓✔│━!]/i;
const runners = toolFamilies.filter(({ runsOthers }) => runsOthers);
const others = toolFamilies.filter(({ runsOthers }) => !runsOthers);

/**
 * Reads what lines state about a run of a family. For a family that runs other tools, uses the patterns of all
 * families.
 */
export function readLines(lines: readonly string[], family: ToolFamily): Statement {
  const own = readFamily(lines, lines, family);
  if (!family.runsOthers) return own;
  const tried = lines.filter((line) => worthTrying.test(line));
  const nested = [...others, ...runners].filter((one) => one !== family).map((one) => readFamily(tried, lines, one));
  const failed = nested.filter(({ outcome }) => outcome === 'failed');
  // A count of tests is more informative than `npm error code 1`.
  const best = failed.find(({ count }) => count > 0) ?? (own.outcome === 'failed' ? own : failed[0]);
  if (best)
    return {
      ...best,
      failing: best.failing.length > 0 ? best.failing : [...new Set(failed.flatMap(({ failing }) => failing))],
    };
  return nested.find(({ outcome }) => outcome === 'passed') ?? own;
}

function readFamily(tried: readonly string[], all: readonly string[], family: ToolFamily): Statement {
  const { verdicts } = family;
  const stating = new Map<number, string>();
  for (const line of tried) {
    const found = verdicts.findIndex(({ shape }) => shape.test(line));
    // The first failure is usually the cause; the last success is the summary.
    if (found >= 0 && (verdicts[found]!.says === 'passed' || !stating.has(found))) stating.set(found, line);
  }
  const best = (says: 'passed' | 'failed'): string | undefined =>
    stating.get([...stating.keys()].filter((at) => verdicts[at]!.says === says).sort((a, b) => a - b)[0] ?? -1);
  const failedLine = best('failed');
  if (failedLine === undefined) {
    const line = best('passed');
    return { outcome: line === undefined ? null : 'passed', line: line ?? '', failing: [], count: 0 };
  }
  const count = Number(family.count?.exec(failedLine)?.[1] ?? 0);
  return { outcome: 'failed', line: failedLine, failing: failingNames(all, family), count };
}

/**
 * Returns the names found by the pattern with the most matches, because a family's patterns show the same failures in
 * different places.
 */
function failingNames(lines: readonly string[], { failing, heading }: ToolFamily): string[] {
  let most: string[] = [];
  for (const shape of failing) {
    const names = namesIn(lines, shape, heading);
    if (names.length > most.length) most = names;
  }
  return most;
}

function namesIn(lines: readonly string[], shape: RegExp, heading: RegExp | undefined): string[] {
  const names = new Map<string, string>();
  let under = '';
  for (const line of lines) {
    if (heading?.test(line)) under = line;
    const found = shape.exec(line);
    if (!found) continue;
    const name = (found.groups?.name ?? found.groups?.package ?? under).trim();
    // Mocha and others number failures and show each twice.
    const key = found.groups?.number ?? name;
    if (name !== '' && !names.has(key)) names.set(key, name);
  }
  return [...new Set(names.values())];
}
