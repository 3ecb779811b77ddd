import type { Message } from '@palimpsest/core';
import { type ChangedFile, filesChanged } from './changed-files.ts';
import { commandsIn, recentCommands } from './commands.ts';
import { conclusionsIn, conclusionsOf } from './conclusions.ts';
import { filesIn } from './kept-files.ts';
import { openTodos, todosIn } from './open-todos.ts';
import { type OutputReading, readCompactedOutput } from './output-reading.ts';
import { messagesIn, userLog } from './user-log.ts';
import { type Verdict, verdictsIn, verdictsOf } from './verdicts.ts';

/** One kind of what an agent must know to continue. */
interface ProbeKind<Item> {
  /** Reads the items from the messages before a cut. */
  readonly find: (past: readonly Message[]) => readonly Item[];
  /** Returns those that an output still has. */
  readonly findIn: (items: readonly Item[], output: OutputReading) => readonly Item[];
  readonly nameOf: (item: Item) => string;
}

/** What was found of one kind before a cut. */
interface Found {
  readonly length: number;
  /** The names of the items that an output lacks. */
  missingIn(output: OutputReading): readonly string[];
}

const probe =
  <Item>({ find, findIn, nameOf }: ProbeKind<Item>) =>
  (past: readonly Message[]): Found => {
    const items = find(past);
    return {
      length: items.length,
      missingIn(output) {
        const kept = findIn(items, output);
        return items.filter((item) => !kept.includes(item)).map(nameOf);
      },
    };
  };

export type Probe = 'files' | 'userLog' | 'verdicts' | 'conclusions' | 'todos' | 'commands';

const probes: Readonly<Record<Probe, (past: readonly Message[]) => Found>> = {
  files: probe({ find: filesChanged, findIn: filesIn, nameOf: ({ path }: ChangedFile) => path }),
  userLog: probe({ find: userLog, findIn: messagesIn, nameOf: String }),
  verdicts: probe({
    find: verdictsOf,
    findIn: verdictsIn,
    nameOf: ({ family, lines }: Verdict) => `${family}: ${lines[0]}`,
  }),
  conclusions: probe({ find: conclusionsOf, findIn: conclusionsIn, nameOf: String }),
  todos: probe({ find: openTodos, findIn: todosIn, nameOf: String }),
  commands: probe({ find: recentCommands, findIn: commandsIn, nameOf: String }),
};

export const probeNames = Object.keys(probes) as readonly Probe[];

/** What an agent must know to continue, read from the messages before a cut. */
export type Probes = Readonly<Record<Probe, Found>>;

export const probesOf = (past: readonly Message[]): Probes => ofEach((name) => probes[name](past));

/**
 * Looks up every probe in a whole output (handoff, stubs, excerpts and kept messages), and names those that it
 * lacks.
 */
export function findMissing(found: Probes, output: readonly Message[]): Readonly<Record<Probe, readonly string[]>> {
  const reading = readCompactedOutput(output);
  return ofEach((name) => found[name].missingIn(reading));
}

/** Number of probes that an output still contains. */
export function countKept(found: Probes, output: readonly Message[]): Readonly<Record<Probe, number>> {
  const missingIn = findMissing(found, output);
  return ofEach((name) => found[name].length - missingIn[name].length);
}

const ofEach = <Value>(read: (name: Probe) => Value): Readonly<Record<Probe, Value>> =>
  Object.fromEntries(probeNames.map((name) => [name, read(name)])) as Record<Probe, Value>;
