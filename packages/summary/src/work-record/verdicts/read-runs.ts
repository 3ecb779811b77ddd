import type { ToolOutcome } from '@palimpsest/agents';
import { type OutputLines, outputLines } from './output-lines.ts';
import { countsResults, nothingStated, type OwnLines, readOutput, type Statement } from './read-output.ts';
import type { ToolRun } from './run-name.ts';
import type { ScriptCommand } from './script-commands.ts';
import { showsFailures } from './shows-failures.ts';

/** How a run ended. */
export interface RunReading extends Omit<Statement, 'outcome'> {
  readonly run: ToolRun;
  /** The command as written. */
  readonly text: string;
  readonly outcome: 'passed' | 'failed' | 'unknown';
}

/** Matches output of a call that did not end by itself: stopped, timed out, or still running. */
const unfinished =
  /^(?:<error>\s?)?(?:\W{0,3}(?:the )?(?:command|process|bash|tool|task|operation)\b.{0,60}\b(?:timed out|(?:running|continues|moved|was (?:manually )?backgrounded).{0,30}background|was backgrounded|(?:was |been )?(?:killed|terminated|aborted|interrupted|cancell?ed)|still running)|timeout: |\[Request interrupted|Terminated$|Killed$|\^C$|Execution timed out|User aborted|bash tool terminated)/i;
/** Matches output of any program that did not start or stopped at once. */
const broken =
  /(?:command not found|: not found|No module named \S+|Missing script|is not recognized as|Cannot find module|no such command|ERR_MODULE_NOT_FOUND|No such file or directory)|^(?:fatal|error|Error)(?:\[\w+\])?: |^npm (?:ERR!|error) |ELIFECYCLE|^Traceback \(|^error Command failed/;
const exception = /^(?:[\w.]{1,80}\.)?[A-Z]\w{0,60}(?:Error|Exception): /;
/** Matches a line that may report a failure in a form of its own. */
const suspicious = /\b(?:error|fail(?:ed|ure)?|fatal|denied|cannot)\b/i;
/** Exit codes of a run that was stopped: `timeout`, SIGINT, SIGKILL, SIGTERM. */
const stopped: ReadonlySet<number> = new Set([124, 130, 137, 143]);
const maxPhraseLength = 300;

type Running = ScriptCommand & { readonly run: ToolRun };

/** A script that a call ran, and its outcome. */
interface RanScript {
  readonly commands: readonly ScriptCommand[];
  readonly runs: readonly Running[];
  readonly output: OutputLines;
  readonly result: ToolOutcome;
}

/** Reads from a call's result how the runs of its script ended. */
export function readRuns(commands: readonly ScriptCommand[], result: ToolOutcome): RunReading[] {
  const output = outputLines(result.output);
  const script: RanScript = { commands, runs: commands.filter(isRunning), output, result };
  const state = findUnfinished(output.lines, result);
  const readings: RunReading[] = [];
  for (const chain of chains(commands)) {
    const passed = new Set(chain.slice(0, lastReached(chain, output)));
    const isFallback = chain[0]?.follows === '||';
    for (const command of chain.filter(isRunning)) {
      const { run, text } = command;
      const reading: RunReading =
        state === null
          ? readRunning(command, chain, script, passed.has(command))
          : { ...nothingStated, run, text, outcome: 'unknown', line: run.isExpected ? state : '' };
      // A command after `||` runs only after a failure. Only its own lines show whether it ran.
      if (isFallback && (reading.line === '' || readings.at(-1)?.outcome === 'passed')) break;
      if (state === null && reading.line !== '') markPassed(readings, chain);
      readings.push(reading);
      // A command after `&&` does not run after a failure.
      if (reading.outcome === 'failed') break;
    }
  }
  return readings;
}

/** What comes after `&&` ran only if the commands before it in the chain passed. */
function markPassed(readings: RunReading[], chain: readonly ScriptCommand[]): void {
  for (const [at, { run, outcome }] of readings.entries())
    if (outcome === 'unknown' && chain.some((command) => command.run === run))
      readings[at] = { ...readings[at]!, outcome: 'passed' };
}

const isRunning = (command: ScriptCommand): command is Running => command.run !== null;

/** The line that states that the call did not end by itself; `null` if there is none. */
function findUnfinished(lines: readonly string[], { exitCode, error }: ToolOutcome): string | null {
  const ends = [error?.split('\n')[0] ?? '', ...lines.slice(0, 2), ...lines.slice(-3)];
  const found = ends.find((line) => line.length <= maxPhraseLength && unfinished.test(line));
  if (found !== undefined) return found;
  return exitCode !== null && stopped.has(exitCode) ? `stopped with exit code ${exitCode}` : null;
}

/** Groups commands into chains, joined by `&&` and `|`, that stop at the first failure. */
function chains(commands: readonly ScriptCommand[]): ScriptCommand[][] {
  const all: ScriptCommand[][] = [];
  for (const command of commands) {
    if (all.length === 0 || command.follows === ';' || command.follows === '||') all.push([command]);
    else all.at(-1)!.push(command);
  }
  return all;
}

function readRunning(
  command: Running,
  chain: readonly ScriptCommand[],
  script: RanScript,
  hasPassed: boolean,
): RunReading {
  const { run, text } = command;
  const { lines } = script.output;
  const said = readOwnLines(command, script);
  const code = exitCodeOf(command, chain, script, hasPassed);
  const outcome = code === null ? (said.outcome ?? inferOutcome(command, script)) : code === 0 ? 'passed' : 'failed';
  if (said.outcome === outcome) return { ...said, run, text, outcome };
  const line =
    outcome === 'failed' && run.isExpected
      ? (lines.findLast((one) => exception.test(one)) ?? lines.findLast((one) => broken.test(one)) ?? lines.at(-1))
      : undefined;
  return { ...nothingStated, run, text, outcome, line: line ?? '' };
}

/**
 * Reads the lines that a run printed. If a script has several runs, those of one that announces its target begin there. Of the
 * other lines, each run has those of its kind or with its name, and the last run has lines that any program may print.
 */
function readOwnLines({ run }: Running, { runs, output: { lines: all } }: RanScript): Statement {
  const { kind, isExpected } = run;
  if (!isExpected)
    return readOutput(all.filter(countsResults), { kind: 'test', counts: (prints) => prints === 'test' });
  const any: OwnLines = { kind, counts: (prints) => prints === kind || prints !== 'commit' };
  if (runs.length === 1) return readOutput(all, any);
  const lines = all.filter((line) => {
    const named = runs.find((one) => isNamed(line, one.run));
    return !named || named.run === run;
  });
  const starts = lines.map((line) => runs.find((one) => announces(line, one.run))?.run);
  const from = starts.indexOf(run);
  if (from >= 0) {
    const to = starts.findIndex((other, at) => at > from && other !== undefined && other !== run);
    const read = readOutput(lines.slice(from, to < 0 ? undefined : to), any);
    if (read.outcome !== null) return read;
  }
  const first = starts.findIndex(Boolean);
  const isLast = first < 0 && runs.at(-1)!.run === run;
  const isOnlyOfKind = runs.filter((one) => one.run.kind === kind).length === 1;
  const read = readOutput(first < 0 || isOnlyOfKind ? lines : lines.slice(0, first), {
    kind,
    counts: (prints) => prints === kind || (isLast && prints === 'any'),
  });
  if (isOnlyOfKind || read.outcome === null) return read;
  // Which of several tools of a kind reported this is unknown. Success is printed last by the last one.
  if (read.outcome === 'failed' && !lines.some((line) => isNamed(line, run)))
    return { ...nothingStated, outcome: 'unknown' };
  const isLastOfKind = runs.findLast((one) => one.run.kind === kind)!.run === run;
  return read.outcome === 'passed' && !isLastOfKind ? { ...read, line: '' } : read;
}

const programOf = ({ name }: ToolRun): string => name.split(' ', 1)[0]!;
const targetOf = ({ name }: ToolRun): string => name.slice(name.lastIndexOf(' ') + 1);

/** True for a line that begins with the program or the target of a run: `go: cannot ...`, `[lint:go] 1 issue`. */
function isNamed(line: string, run: ToolRun): boolean {
  const start = `[${targetOf(run)}`;
  return line.startsWith(`${programOf(run)}: `) || line.startsWith(`${start}]`) || line.startsWith(`${start}:`);
}

/** True for a line in which npm, pnpm, yarn or mise announces a target, such as `> web@1.0.0 lint` or `[lint] $ eslint .` */
function announces(line: string, run: ToolRun): boolean {
  const announced = /^(?:> \S{1,100} (\S{1,60})(?: \S{1,300})?$|\[(\S{1,60})\] \$ )/.exec(line);
  return announced !== null && (announced[1] ?? announced[2]) === targetOf(run);
}

/** The exit code of a run, from the result, an `echo` in the script, or later commands; `null` if unknown. */
function exitCodeOf(
  command: Running,
  chain: readonly ScriptCommand[],
  { commands, output: { lines }, result: { exitCode, failed } }: RanScript,
  hasPassed: boolean,
): number | null {
  const at = commands.indexOf(command);
  let next = at + 1;
  while (commands[next]?.follows === '|') next++;
  const isPiped = next > at + 1 && !commands.slice(0, at).some(({ text }) => /\bpipefail\b/.test(text));
  const after = commands[next];
  const echoed = after && isEcho(after) ? wordsOf(after) : null;
  if (echoed !== null) {
    const code = readEchoedCode(echoed, lines, exitCode);
    if (code !== null && (!isPiped || /PIPESTATUS/.test(echoed))) return code;
    if (after!.follows === '||' && lines.includes(echoed) && !isPiped) return 1;
  }
  if (hasPassed && !isPiped) return 0;
  if (isPiped || chain.at(-1) !== commands.at(-1)) return null;
  if (exitCode === 0) return 0;
  // A failure is attributed to the last run of the chain only if no other command can have failed.
  const running = chain.filter(isRunning);
  const isLast = commands.slice(next).every(({ run }) => run === null) && running.at(-1) === command;
  if (exitCode !== null) return isLast && running.length === 1 ? exitCode : null;
  return failed && isLast ? 1 : null;
}

function isEcho({ words, follows }: ScriptCommand): boolean {
  return (words[0] === 'echo' || words[0] === 'printf') && follows !== '|';
}

/**
 * Index in a chain of the last command after `&&` that the output shows, an `echo` by its words or a run by its target: all
 * commands before it have passed.
 */
function lastReached(chain: readonly ScriptCommand[], { lines }: OutputLines): number {
  const isShown = (command: ScriptCommand): boolean =>
    isEcho(command)
      ? wordsOf(command) !== '' && lines.includes(wordsOf(command))
      : isRunning(command) && lines.some((line) => announces(line, command.run));
  return Math.max(
    0,
    chain.findLastIndex((command) => command.follows === '&&' && isShown(command)),
  );
}

/** What an `echo` prints. */
const wordsOf = ({ words }: ScriptCommand): string => words.slice(1).join(' ').trim();

/** The value of `$?` in the line that an `echo` printed. */
function readEchoedCode(echoed: string, lines: readonly string[], exitCode: number | null): number | null {
  const at = echoed.search(/\$\?|\$\{?PIPESTATUS/);
  if (at < 0) return null;
  const label = echoed.slice(0, at).trim();
  const line = lines.findLast((one) => one.startsWith(label) && /^\s?\d{1,3}\b/.test(one.slice(label.length)));
  // Harnesses also write a label such as `exit code:`, which is then read as the exit code of the result.
  return line === undefined ? exitCode : Number.parseInt(line.slice(label.length), 10);
}

/** True if all other commands of a script only prepare its runs or shorten their output. */
export function hasOnlyRuns(commands: readonly ScriptCommand[]): boolean {
  return commands.every(({ run, words: [first = ''] }) => run || /^(?:cd|export|set|echo|tail|head|tee)$/.test(first));
}

/** The outcome of a run if no line states it. */
function inferOutcome(
  { run, words, isRedirected }: Running,
  { commands, output: { lines, whole }, result: { failed, exitCode } }: RanScript,
): RunReading['outcome'] {
  const at = commands.findIndex((one) => one.words === words);
  // If there are other commands, a general error counts only if it names the program.
  const isAlone = hasOnlyRuns(commands);
  const program = programOf(run);
  if (lines.some((line) => broken.test(line) && (isAlone || line.includes(program)))) return 'failed';
  if (failed && exitCode !== null && commands.slice(at + 1).every((one) => one.run === null)) return 'failed';
  // Tests always print how they ended, while other tools may print nothing.
  const isSilent = run.isExpected && run.kind === 'code' && !lines.some((line) => suspicious.test(line));
  return isSilent && whole && !isRedirected && showsFailures(commands, at, lines) ? 'passed' : 'unknown';
}
