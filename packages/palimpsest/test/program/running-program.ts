import { bundleProcess } from '../../../../test/bundle-process.ts';
import { type ProcessOptions, type RunningProgram, runningProcess } from '../../../../test/running-process.ts';

const program = await bundleProcess(import.meta.url, '../../src/cli.ts');
process.once('exit', () => program.remove());
// Vitest ends its workers by this signal.
process.once('SIGTERM', () => process.exit());

/** The program, bundled from its sources: it starts in a quarter of the time. */
export const programCommand = [process.execPath, program.script] as const;

/** Runs the program. Its home folder is the current one, if the environment names no other. */
export function runningProgram(arguments_: readonly string[], { cwd, env, isGroup }: ProcessOptions): RunningProgram {
  const [node, ...own] = programCommand;
  return runningProcess(node, [...own, ...arguments_], { cwd, env: { HOME: cwd, ...env }, isGroup });
}
