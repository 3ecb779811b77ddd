import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { clearOldestResults, headAndTail, newestTokens } from '../compactors/baselines.ts';
import { commandCompactor } from '../compactors/command-compactor.ts';
import type { Compact, Compactor } from '../compactors/compactor.ts';
import { engineCompactor } from '../compactors/engine-compactor.ts';
import { chooseEngines } from '../engines/choose-engines.ts';
import { projectConfig } from '../engines/project-config.ts';
import { chooseSummarizer } from '../engines/summarizer-choice.ts';
import type { EvalFlags } from './eval-flags.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** What is scored: the user's own, and simple baselines to compare with. Thresholds are for the user's own. */
export interface ChosenCompactors {
  readonly own: Readonly<Record<string, Compact | Compactor>>;
  readonly baselines: Readonly<Record<string, Compact>>;
}

const baselines: Readonly<Record<string, Compact>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};

/**
 * Opens the compactors of a command line. Without any, the built-in engines and the configured one are scored. Engines
 * have the options of the folder's configuration.
 * @throws {CliError} for an unknown engine, a module without a compactor, and two of the same name
 */
export async function chooseCompactors(flags: EvalFlags, terminal: Terminal): Promise<ChosenCompactors> {
  const { cwd, env } = terminal;
  const own = new Map<string, Compact | Compactor>();
  const add = (name: string, compactor: Compact | Compactor): void => {
    if (own.has(name) || Object.hasOwn(baselines, name))
      throw CliError.badUsage(`two compactors are called "${printable(name, 60)}"; name one of them: NAME=...`);
    own.set(name, compactor);
  };
  for (const given of flags.command) {
    const { name, value } = splitName(given, (command) => command);
    add(name, interruptible(commandCompactor(value, { cwd, env, timeoutMs: flags.timeout * 1000 })));
  }
  for (const given of flags.module) {
    const { name, value } = splitName(given, (path) => basename(path).replace(/\.\w+$/, ''));
    add(name, await moduleCompactor(value, cwd));
  }
  const isEmpty = own.size === 0 && !flags.engine;
  if (flags.engine || isEmpty) {
    const config = await projectConfig(terminal, flags.config);
    const engines = await chooseEngines(flags.engine ?? null, cwd, { config });
    const summarizer = chooseSummarizer(flags.summarizer);
    for (const name of engines.names)
      add(
        name,
        engineCompactor((host) => engines.start(name, host), { summarizer }),
      );
  }
  return { own: Object.fromEntries(own), baselines: flags.baselines ? baselines : {} };
}

/** Splits `name=value`. A path or a command may contain `=` later. */
function splitName(
  given: string,
  nameOf: (value: string) => string,
): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([\w .+-]{1,60}?)=(.+)$/s.exec(given) ?? [];
  // A command that begins with an assignment, as in `DEBUG=1 python3 compact.py`, has no name.
  return name === undefined || value === undefined || /^[A-Z_][A-Z0-9_]*$/.test(name)
    ? { name: nameOf(given), value: given }
    : { name, value };
}

async function moduleCompactor(path: string, cwd: string): Promise<Compact | Compactor> {
  const shown = printable(path, 200);
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(cwd, path)).href)) as { readonly default?: unknown };
  } catch (error) {
    throw CliError.badInput(
      `--module: cannot load "${shown}": ${printable(String((error as Error).message), 300)}`,
      error,
    );
  }
  const given = loaded.default;
  if (typeof given === 'function') return given as Compact;
  if (typeof (given as Compactor | undefined)?.compact === 'function') return given as Compactor;
  throw CliError.badInput(
    `--module: "${shown}" has no compactor; export one as default: a function (messages, budgetTokens) => messages, or an object with "compact"`,
  );
}

/**
 * Ends a command when this process ends: it has its own process group and would keep running. Signals are handled only
 * while a command runs. While an engine or a module computes, no handler can run, and the system ends the process.
 */
function interruptible(command: Compactor): Compactor {
  const end = (signal: NodeJS.Signals): void => {
    // The signal's default action skips `exit` handlers, which end the command.
    process.emit('exit', 1);
    process.kill(process.pid, signal);
  };
  return {
    compact: async (...given) => {
      for (const signal of signals) process.once(signal, end);
      try {
        return await command.compact(...given);
      } finally {
        for (const signal of signals) process.off(signal, end);
      }
    },
  };
}
