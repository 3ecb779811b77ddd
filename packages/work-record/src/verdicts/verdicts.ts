import { commandArguments, readOutcome, readToolName, resultReader, toolClass } from '@palimpsest/agents';
import { contentText, isToolResult, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { oneLine, truncate } from '@palimpsest/salience';
import { type RunReading, readRuns } from './read-runs.ts';
import { isNarrower, type ScriptCommand, scriptCommands } from './tool-run.ts';

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
}

const mostNames = 20;
const longestCommand = 200;
const longestLine = 300;
const longestName = 200;

interface Reading extends RunReading {
  readonly index: number;
}

/**
 * The last verdict of each command family: failed ones first, then the newest first. A family has two if a run that failed
 * was followed only by narrower runs, such as one test file: the newest, and the wider one. Of the output of a command,
 * the first and the last 4,000 characters are read.
 */
export function lastVerdicts(messages: readonly Message[]): Verdict[] {
  const families = new Map<string, { wide: Reading | null; newest: Reading }>();
  for (const reading of allReadings(messages)) {
    const { name } = reading.run;
    const before = families.get(name);
    const wide = before
      ? [before.newest, before.wide].find((one) => one?.outcome === 'failed' && isNarrower(reading.run, one.run))
      : undefined;
    families.set(name, { wide: wide ?? null, newest: reading });
  }
  const kept = [...families.values()].flatMap(({ wide, newest }) => [
    verdict(newest, true),
    ...(wide ? [verdict(wide, false)] : []),
  ]);
  const rank = ({ outcome }: Verdict): number => (outcome === 'failed' ? 0 : 1);
  return kept.sort((one, other) => rank(one) - rank(other) || other.index - one.index);
}

function verdict({ run, text, outcome, line, failing, count, index }: Reading, newest: boolean): Verdict {
  return {
    family: run.name,
    command: truncate(oneLine(text), longestCommand),
    outcome,
    line: truncate(oneLine(line), longestLine),
    failing: failing.slice(0, mostNames).map((name) => truncate(oneLine(name), longestName)),
    failingCount: Math.max(count, failing.length),
    newest,
    index,
  };
}

/** Every run of a known tool, in the order of the results. */
function allReadings(messages: readonly Message[]): Reading[] {
  const readings: Reading[] = [];
  const open = new Map<string, { commands: readonly ScriptCommand[]; at: number }>();
  messages.forEach((message, at) => {
    if (isToolResult(message)) {
      const call = open.get(message.tool_call_id ?? '');
      if (!call) return;
      open.delete(message.tool_call_id ?? '');
      for (const reading of resultReadings(call.commands, message)) readings.push({ ...reading, index: at });
      return;
    }
    for (const call of toolCalls(message)) {
      const commands = callCommands(call, toolCallName(call), toolCallInput(call));
      if (commands) open.set(call.id, { commands, at });
    }
  });
  for (const { commands, at } of open.values())
    for (const { run, text } of commands)
      if (run) readings.push({ run, text, outcome: 'unknown', line: 'no result', failing: [], count: 0, index: at });
  return readings;
}

/** The commands of calls; `null` for a call that runs no known tool. A pure cache. */
const commandsOf = new WeakMap<object, readonly ScriptCommand[] | null>();

function callCommands(call: object, name: string, input: string): readonly ScriptCommand[] | null {
  const known = commandsOf.get(call);
  if (known !== undefined) return known;
  const script = toolClass(readToolName(name).tool) === 'command' ? scriptOf(input) : '';
  const commands = script === '' ? [] : scriptCommands(script);
  const read = commands.some(({ run }) => run) ? commands : null;
  commandsOf.set(call, read);
  return read;
}

/** The readings of results, with the commands that they belong to. A pure cache. */
const readingsOf = new WeakMap<Message, { commands: readonly ScriptCommand[]; readings: readonly RunReading[] }>();

function resultReadings(commands: readonly ScriptCommand[], message: Message): readonly RunReading[] {
  const known = readingsOf.get(message);
  if (known?.commands === commands) return known.readings;
  const text = contentText(message.content);
  // A refused call ran nothing.
  const readings = resultReader.isAnswer(text) ? [] : readRuns(commands, readOutcome(text));
  readingsOf.set(message, { commands, readings });
  return readings;
}

/** The script in the arguments of a call: a string, or a list of words. */
function scriptOf(input: string): string {
  let values: unknown;
  try {
    values = JSON.parse(input);
  } catch {
    return input.trimStart().startsWith('{') ? '' : input;
  }
  if (typeof values !== 'object' || values === null) return typeof values === 'string' ? values : '';
  for (const name of commandArguments) {
    const value = (values as Record<string, unknown>)[name];
    if (typeof value === 'string') return name === 'input' ? withoutDescription(value) : value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return listedScript(value);
  }
  return '';
}

/** `['bash', '-lc', 'npm test']` as a script. */
function listedScript(words: readonly string[]): string {
  const option = words.findIndex((word) => /^-[a-z]{0,4}c$/.test(word));
  return option > 0 ? (words[option + 1] ?? '') : words.join(' ');
}

/** Some exports of sessions have a description before the command, which is in backticks. */
function withoutDescription(text: string): string {
  const start = text.indexOf('\n\n`');
  return start >= 0 && text.endsWith('`') ? text.slice(start + 3, -1) : text;
}
