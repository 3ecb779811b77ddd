import type { Message } from '@palimpsest/core';
import { type ChangedFile, filesChanged } from './changed-files.ts';
import { recentCommands, toldCommands } from './commands.ts';
import { conclusionsOf, toldConclusions } from './conclusions.ts';
import { openTodos, toldTodos } from './open-todos.ts';
import { type OutputReading, readOutput } from './output-reading.ts';
import { toldFiles } from './told-files.ts';
import { toldMessages, userLog } from './user-log.ts';
import { toldVerdicts, type Verdict, verdictsOf } from './verdicts.ts';

/** One kind of what an agent must know to continue. */
interface ProbeKind<Item> {
  /** Reads the items from the messages before a cut. */
  readonly find: (past: readonly Message[]) => readonly Item[];
  /** Returns those that an output still tells. */
  readonly told: (items: readonly Item[], output: OutputReading) => readonly Item[];
  readonly nameOf: (item: Item) => string;
}

/** What was found of one kind before a cut. */
interface Found {
  readonly length: number;
  /** The names of the items that an output does not tell. */
  untold(output: OutputReading): readonly string[];
}

const probe =
  <Item>({ find, told, nameOf }: ProbeKind<Item>) =>
  (past: readonly Message[]): Found => {
    const items = find(past);
    return {
      length: items.length,
      untold(output) {
        const kept = told(items, output);
        return items.filter((item) => !kept.includes(item)).map(nameOf);
      },
    };
  };

export type Probe = 'files' | 'userLog' | 'verdicts' | 'conclusions' | 'todos' | 'commands';

const probes: Readonly<Record<Probe, (past: readonly Message[]) => Found>> = {
  files: probe({ find: filesChanged, told: toldFiles, nameOf: ({ path }: ChangedFile) => path }),
  userLog: probe({ find: userLog, told: toldMessages, nameOf: String }),
  verdicts: probe({
    find: verdictsOf,
    told: toldVerdicts,
    nameOf: ({ family, lines }: Verdict) => `${family}: ${lines[0]}`,
  }),
  conclusions: probe({ find: conclusionsOf, told: toldConclusions, nameOf: String }),
  todos: probe({ find: openTodos, told: toldTodos, nameOf: String }),
  commands: probe({ find: recentCommands, told: toldCommands, nameOf: String }),
};

export const probeNames = Object.keys(probes) as readonly Probe[];

/** What an agent must know to continue, read from the messages before a cut. */
export type Probes = Readonly<Record<Probe, Found>>;

export const probesOf = (past: readonly Message[]): Probes => ofEach((name) => probes[name](past));

/**
 * Looks up every probe in a whole output (handoff, stubs, excerpts and kept messages), and names those that it does not
 * tell.
 */
export function untoldOf(found: Probes, output: readonly Message[]): Readonly<Record<Probe, readonly string[]>> {
  const reading = readOutput(output);
  return ofEach((name) => found[name].untold(reading));
}

/** Number of probes that an output still contains. */
export function toldOf(found: Probes, output: readonly Message[]): Readonly<Record<Probe, number>> {
  const untold = untoldOf(found, output);
  return ofEach((name) => found[name].length - untold[name].length);
}

const ofEach = <Value>(read: (name: Probe) => Value): Readonly<Record<Probe, Value>> =>
  Object.fromEntries(probeNames.map((name) => [name, read(name)])) as Record<Probe, Value>;
