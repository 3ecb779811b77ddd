import type { Message } from '@palimpsest/core';
import { type ChangedFile, filesChanged } from './changed-files.ts';
import { recentCommands, toldCommands } from './commands.ts';
import { conclusionsOf, toldConclusions } from './conclusions.ts';
import { openTodos, toldTodos } from './open-todos.ts';
import { readOutput } from './output-reading.ts';
import { toldFiles } from './told-files.ts';
import { toldMessages, userLog } from './user-log.ts';
import { toldVerdicts, type Verdict, verdictsOf } from './verdicts.ts';

/** What an agent must know to continue, read from the messages before a cut. */
export interface Probes {
  readonly files: readonly ChangedFile[];
  readonly userLog: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly conclusions: readonly string[];
  readonly todos: readonly string[];
  readonly commands: readonly string[];
}

export const probeNames = ['files', 'userLog', 'verdicts', 'conclusions', 'todos', 'commands'] as const;
export type Probe = (typeof probeNames)[number];

/** How many of the probes an output still tells. */
export type Told = Readonly<Record<Probe, number>>;

export function probesOf(past: readonly Message[]): Probes {
  return {
    files: filesChanged(past),
    userLog: userLog(past),
    verdicts: verdictsOf(past),
    conclusions: conclusionsOf(past),
    todos: openTodos(past),
    commands: recentCommands(past),
  };
}

/** Looks up every probe in a whole output (handoff, stubs, excerpts and kept messages), and counts those that are told. */
export function toldOf(probes: Probes, output: readonly Message[]): Told {
  const { files, userLog: log, verdicts, conclusions, todos, commands } = toldItems(probes, output);
  return {
    files: files.length,
    userLog: log.length,
    verdicts: verdicts.length,
    conclusions: conclusions.length,
    todos: todos.length,
    commands: commands.length,
  };
}

/** Names the probes that an output does not tell. */
export function untoldOf(probes: Probes, output: readonly Message[]): Readonly<Record<Probe, readonly string[]>> {
  const told = toldItems(probes, output);
  const without = <Item>(all: readonly Item[], some: readonly Item[], nameOf: (item: Item) => string): string[] =>
    all.filter((item) => !some.includes(item)).map(nameOf);
  return {
    files: without(probes.files, told.files, ({ path }) => path),
    userLog: without(probes.userLog, told.userLog, String),
    verdicts: without(probes.verdicts, told.verdicts, ({ family, lines }) => `${family}: ${lines[0]}`),
    conclusions: without(probes.conclusions, told.conclusions, String),
    todos: without(probes.todos, told.todos, String),
    commands: without(probes.commands, told.commands, String),
  };
}

function toldItems(probes: Probes, output: readonly Message[]): Probes {
  const reading = readOutput(output);
  return {
    files: toldFiles(probes.files, reading),
    userLog: toldMessages(probes.userLog, reading),
    verdicts: toldVerdicts(probes.verdicts, reading),
    conclusions: toldConclusions(probes.conclusions, reading),
    todos: toldTodos(probes.todos, reading),
    commands: toldCommands(probes.commands, reading),
  };
}
