/**
 * Aborts on the first Ctrl-C or `SIGTERM`, so that a command can clean up behind itself; a second one ends the process
 * at once. A reader of standard output that has seen enough, such as `head`, ends the process without a failure.
 * @param graceMs how long a command may take to notice; one that waits for input never does
 */
export function interruptionOf(program: NodeJS.Process, graceMs: number): AbortSignal {
  const interruption = new AbortController();
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    program.once(signal, () => {
      interruption.abort(new Error(`interrupted by ${signal}`));
      setTimeout(() => program.exit(code), graceMs).unref();
    });
  program.stdout.on('error', (error: NodeJS.ErrnoException) => program.exit(error.code === 'EPIPE' ? 0 : 1));
  return interruption.signal;
}
