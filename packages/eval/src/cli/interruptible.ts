import type { Compactor } from '../compactors/compactor.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Ends a command together with this process, which the command, in a process group of its own, would survive. Signals are
 * handled only while the command runs: while an engine or a module computes, no handler can run, and the system ends the
 * process.
 */
export function interruptible(command: Compactor, program: NodeJS.Process = process): Compactor {
  const end = (signal: NodeJS.Signals): void => {
    // The signal's default action skips `exit` handlers, which end the command.
    program.emit('exit', 1);
    program.kill(program.pid, signal);
  };
  return {
    compact: async (...given) => {
      for (const signal of signals) program.once(signal, end);
      try {
        return await command.compact(...given);
      } finally {
        for (const signal of signals) program.off(signal, end);
      }
    },
  };
}
