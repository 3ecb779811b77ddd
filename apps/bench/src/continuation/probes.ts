import type { Message } from '@palimpsest/core';
import { type ChangedFile, filesChanged, filesOnlyRead } from './changed-files.ts';
import { conclusionsOf, countToldConclusions } from './conclusions.ts';
import { countToldTodos, openTodos } from './open-todos.ts';
import { readOutput } from './output-reading.ts';
import { countToldFiles } from './told-files.ts';
import { countToldMessages, userLog } from './user-log.ts';
import { countToldVerdicts, type Verdict, verdictsOf } from './verdicts.ts';

/** What an agent must know to continue, read from the messages before a cut. */
export interface Probes {
  readonly files: readonly ChangedFile[];
  readonly userLog: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly conclusions: readonly string[];
  readonly todos: readonly string[];
  /** Files that were read and never changed: a handoff must not name them as changed. */
  readonly onlyRead: readonly string[];
}

export const probeNames = ['files', 'userLog', 'verdicts', 'conclusions', 'todos'] as const;
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
    onlyRead: filesOnlyRead(past),
  };
}

/** Looks up every probe in a whole output: handoff, stubs, excerpts and kept messages. */
export function toldOf(probes: Probes, output: readonly Message[]): Told {
  const reading = readOutput(output);
  return {
    files: countToldFiles(probes.files, reading),
    userLog: countToldMessages(probes.userLog, reading),
    verdicts: countToldVerdicts(probes.verdicts, reading),
    conclusions: countToldConclusions(probes.conclusions, reading),
    todos: countToldTodos(probes.todos, reading),
  };
}
