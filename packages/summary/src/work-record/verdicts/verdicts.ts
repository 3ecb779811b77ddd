import { readOutcome, resultReader, type ToolOutcome, toolClass } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { memoizeByObject } from '@palimpsest/core/authoring';
import { oneLine, truncate } from '@palimpsest/pruner/salience';
import type { CallArguments } from '../calls/call-arguments.ts';
import { callScript } from '../calls/call-script.ts';
import type { ReadCall } from '../calls/read-calls.ts';
import { hasOnlyRuns, type RunReading, readRuns } from './read-runs.ts';
import { isNarrower, type ToolRun } from './run-name.ts';
import { type ScriptCommand, scriptCommands } from './script-commands.ts';

/** How a run of one command family ended. */
export interface Verdict {
  /** The family of the command, such as `npm test` or `git push`. */
  readonly family: string;
  /** The command as run, on one line, at most 200 characters. */
  readonly command: string;
  /** `unknown` if nothing states how the run ended, or if it was stopped or has no result. */
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /**
   * The line of the output that states the outcome, verbatim; `''` if none does; `no result` for a call without a
   * result.
   */
  readonly line: string;
  /** Names of failing tests or files, as in the output, at most 20. */
  readonly failing: readonly string[];
  /** Total number of failing tests or files, as far as the output shows it; at least the length of `failing`. */
  readonly failingCount: number;
  /** False for an older, failed run after which only parts of it were run again. */
  readonly newest: boolean;
  /** Index of the message with the result, or with the call if there is no result. */
  readonly index: number;
  /** Index of the message with the call. */
  readonly callIndex: number;
}

const maxNames = 20;
const maxCommandLength = 200;
const maxLineLength = 300;
const maxNameLength = 200;

interface Reading extends RunReading, Pick<Verdict, 'index' | 'callIndex'> {}

/** The runs of a family found so far, from the newest call to the oldest. */
interface Found {
  readonly newest: Reading;
  wide: Reading | null;
  /** True if older runs no longer matter. */
  settled: boolean;
}

/**
 * Returns the last verdict of each command family: failed ones first, then newest first. If only narrower runs, such as
 * one test file, followed a failed run, the family has two verdicts: of the newest run and of the wider one. Reads the
 * first and the last 4,000 characters of a command's output.
 */
export function lastVerdicts(calls: readonly ReadCall[]): Verdict[] {
  const families = new Map<string, Found>();
  // Here, results of older runs that do not matter are not read.
  for (const call of commandCalls(calls).reverse()) {
    if (!call.commands.some(({ run }) => run && mayMatter(run, families.get(run.name)))) continue;
    for (const reading of [...readingsOf(call)].reverse())
      addReading({ ...reading, index: call.index, callIndex: call.callIndex }, families);
  }
  const kept = [...families.values()]
    .filter(isWorthTelling)
    .flatMap(({ wide, newest }) => [verdict(newest, true), ...(wide ? [verdict(wide, false)] : [])]);
  const rank = (one: Verdict): number => (one.outcome === 'failed' ? 0 : 1);
  return kept.sort((one, other) => rank(one) - rank(other) || other.index - one.index);
}

/**
 * The calls whose runs all passed: the line that says so, `''` for none, by index of the message with the result. Another line of
 * the output may look like a failure: a test prints the errors that it provokes.
 */
export function selectPassed(calls: readonly ReadCall[]): ReadonlyMap<number, string> {
  return new Map(
    commandCalls(calls).flatMap((call): [number, string][] => {
      const readings = call.result && hasOnlyRuns(call.commands) ? readingsOf(call) : [];
      const isPassed = readings.length > 0 && readings.every(({ outcome }) => outcome === 'passed');
      return isPassed ? [[call.index, truncate(oneLine(readings.at(-1)!.line), maxLineLength)]] : [];
    }),
  );
}

/** A program that only ran is a step of the agent. One that checks the project or states the results of tests is a verdict. */
function isWorthTelling({ newest: { run, line } }: Found): boolean {
  return run.isExpected || line !== '';
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
    command: truncate(oneLine(text), maxCommandLength),
    outcome,
    line: truncate(oneLine(line), maxLineLength),
    failing: failing.slice(0, maxNames).map((name) => truncate(oneLine(name), maxNameLength)),
    failingCount: Math.max(count, failing.length),
    newest,
    index,
    callIndex,
  };
}

/** The readings of results, with their commands. A pure cache. */
const known = new WeakMap<Message, { commands: readonly ScriptCommand[]; readings: readonly RunReading[] }>();

/** Returns how the runs of a call ended. */
function readingsOf({ commands, result }: CommandCall): readonly RunReading[] {
  if (!result)
    return commands.flatMap(({ run, text }) =>
      run ? [{ run, text, outcome: 'unknown' as const, line: 'no result', failing: [], count: 0 }] : [],
    );
  const before = known.get(result);
  if (before?.commands === commands) return before.readings;
  const text = contentText(result.content);
  // A refused call ran nothing.
  const readings = resultReader.isRefusal(text) ? [] : readRuns(commands, outcomeOf(text));
  known.set(result, { commands, readings });
  return readings;
}

/** Reads the outcome of a result. The output of a background command states its exit code in a tag. */
function outcomeOf(text: string): ToolOutcome {
  const outcome = readOutcome(text);
  const code =
    outcome.exitCode === null ? /<exit_code>(-?\d{1,6})<\/exit_code>/.exec(text.slice(0, 400))?.[1] : undefined;
  return code === undefined ? outcome : { ...outcome, exitCode: Number(code), failed: code !== '0' };
}

/** A call with at least one run. */
interface CommandCall {
  readonly commands: readonly ScriptCommand[];
  /** The message with its result, or `null`. */
  readonly result: Message | null;
  /** Index of the message with the call. */
  readonly callIndex: number;
  /** Index of the message with the result, or with the call if there is no result. */
  readonly index: number;
}

/** Matches an agent's message that a command runs in the background, with its id. */
const inBackground = /^Command running in background with ID: (\w{1,40})/;
/** Tools that show the output of a background command, and their results while it is still running. */
const outputTools = /^(?:bash_output|task_output)$/;
const stillRunning = /<status>running<|<retrieval_status>(?:not_ready|timeout)</;

/** Finds the calls with runs, in order of their results; calls without a result come last. */
function commandCalls(calls: readonly ReadCall[]): CommandCall[] {
  const found: CommandCall[] = [];
  const background = new Map<string, readonly ScriptCommand[]>();
  const answered = calls.filter(({ result }) => result).sort((one, other) => one.answeredAt - other.answeredAt);
  for (const { call, index, result, answeredAt } of [...answered, ...calls.filter((one) => !one.result)]) {
    const commands = outputTools.test(call.tool)
      ? [...background].find(([id]) => call.input.includes(`"${id}"`))?.[1]
      : callCommands(call);
    if (!commands) continue;
    const text = contentText(result?.content);
    const id = inBackground.exec(text.slice(0, 100))?.[1];
    if (id !== undefined) background.set(id, commands);
    if (!stillRunning.test(text.slice(0, 300)))
      found.push({ commands, result, callIndex: index, index: result ? answeredAt : index });
  }
  return found;
}

/** The commands of a call; `null` if none is a run. Memoized per arguments object. */
const callCommands = /* @__PURE__ */ memoizeByObject((call: CallArguments): readonly ScriptCommand[] | null => {
  const commands = toolClass(call.tool) === 'command' ? scriptCommands(callScript(call)) : [];
  return commands.some(({ run }) => run) ? commands : null;
});
