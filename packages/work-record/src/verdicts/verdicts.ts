import { readOutcome, resultReader, type ToolOutcome } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { oneLine, truncate } from '@palimpsest/salience';
import type { ReadCall } from '../calls/read-calls.ts';
import { type CommandCall, commandCalls } from './command-calls.ts';
import { type RunReading, readRuns } from './read-runs.ts';
import { isNarrower, type ScriptCommand, type ToolRun } from './tool-run.ts';

/** How a run of one command family ended. */
export interface Verdict {
  /** The family of the command, such as `npm test` or `git push`. */
  readonly family: string;
  /** The command as it was run, on one line, at most 200 characters. */
  readonly command: string;
  /** `unknown` if nothing states how it ended, or if it was stopped or has no result. */
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /** The line of the output that says so, verbatim; `''` if none does. For a call without a result: `no result`. */
  readonly line: string;
  /** Names of the failing tests or files, as the output states them, at most 20. */
  readonly failing: readonly string[];
  /** How many tests or files failed in all, as far as the output shows it; at least the length of `failing`. */
  readonly failingCount: number;
  /** False for an older run that failed, if only parts of what it checked were run after it. */
  readonly newest: boolean;
  /** Index of the message with the result; of the call if there is none. */
  readonly index: number;
  /** Index of the message with the call. */
  readonly callIndex: number;
}

const mostNames = 20;
const longestCommand = 200;
const longestLine = 300;
const longestName = 200;

interface Reading extends RunReading, Pick<Verdict, 'index' | 'callIndex'> {}

/** What is known about a family, read from the newest call to the oldest. */
interface Found {
  readonly newest: Reading;
  wide: Reading | null;
  /** True if no older run can matter. */
  settled: boolean;
}

/**
 * The last verdict of each command family: failed ones first, then the newest first. A family has two if a run that failed
 * was followed only by narrower runs, such as one test file: the newest, and the wider one. Of the output of a command,
 * the first and the last 4,000 characters are read.
 */
export function lastVerdicts(calls: readonly ReadCall[]): Verdict[] {
  const families = new Map<string, Found>();
  // Results of older runs are not even read.
  for (const call of commandCalls(calls).reverse()) {
    if (!call.commands.some(({ run }) => run && mayMatter(run, families.get(run.name)))) continue;
    for (const reading of [...readingsOf(call)].reverse())
      addReading({ ...reading, index: call.index, callIndex: call.callIndex }, families);
  }
  const kept = [...families.values()].flatMap(({ wide, newest }) => [
    verdict(newest, true),
    ...(wide ? [verdict(wide, false)] : []),
  ]);
  const rank = ({ outcome }: Verdict): number => (outcome === 'failed' ? 0 : 1);
  return kept.sort((one, other) => rank(one) - rank(other) || other.index - one.index);
}

function mayMatter(run: ToolRun, found: Found | undefined): boolean {
  return !found || (!found.settled && isNarrower(found.newest.run, run));
}

function addReading(reading: Reading, families: Map<string, Found>): void {
  const { run, outcome } = reading;
  const found = families.get(run.name);
  if (!found) families.set(run.name, { newest: reading, wide: null, settled: run.scope.length === 0 });
  else if (mayMatter(run, found) && outcome !== 'unknown') {
    found.settled = true;
    if (outcome === 'failed') found.wide = reading;
  }
}

function verdict({ run, text, outcome, line, failing, count, index, callIndex }: Reading, newest: boolean): Verdict {
  return {
    family: run.name,
    command: truncate(oneLine(text), longestCommand),
    outcome,
    line: truncate(oneLine(line), longestLine),
    failing: failing.slice(0, mostNames).map((name) => truncate(oneLine(name), longestName)),
    failingCount: Math.max(count, failing.length),
    newest,
    index,
    callIndex,
  };
}

/** The readings of results, with the commands that they belong to. A pure cache. */
const known = new WeakMap<Message, { commands: readonly ScriptCommand[]; readings: readonly RunReading[] }>();

/** How the runs of a call ended. */
function readingsOf({ commands, result }: CommandCall): readonly RunReading[] {
  if (!result)
    return commands.flatMap(({ run, text }) =>
      run ? [{ run, text, outcome: 'unknown' as const, line: 'no result', failing: [], count: 0 }] : [],
    );
  const before = known.get(result);
  if (before?.commands === commands) return before.readings;
  const text = contentText(result.content);
  // A refused call ran nothing.
  const readings = resultReader.isAnswer(text) ? [] : readRuns(commands, outcomeOf(text));
  known.set(result, { commands, readings });
  return readings;
}

/** The outcome of a result. The output of a background command states its exit code in a tag. */
function outcomeOf(text: string): ToolOutcome {
  const outcome = readOutcome(text);
  const code =
    outcome.exitCode === null ? /<exit_code>(-?\d{1,6})<\/exit_code>/.exec(text.slice(0, 400))?.[1] : undefined;
  return code === undefined ? outcome : { ...outcome, exitCode: Number(code), failed: code !== '0' };
}
