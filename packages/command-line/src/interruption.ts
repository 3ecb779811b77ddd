/**
 * Aborts on the first Ctrl-C or `SIGTERM`, so that a command can clean up. If the command has not ended after `graceMs`,
 * or when a second signal arrives, the signal ends the process. If a reader of standard output stops early, such as
 * `head`, the process ends without a failure.
 * @param graceMs how long a command may take to end, in milliseconds. A command that waits for input cannot react.
 *   `null` leaves the signals to the system, which ends the process at once: while a command computes, Node would handle
 *   no signal
 * @param isServer true for a server: when its output is closed, it ends as on a signal, with exit code 1
 */
export function abortOnInterruption(program: NodeJS.Process, graceMs: number | null, isServer = false): AbortSignal {
  const interruption = new AbortController();
  const handled = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  for (const [signal, code] of graceMs === null ? [] : handled)
    program.once(signal, () => {
      interruption.abort(new Error(`interrupted by ${signal}`));
      setTimeout(() => {
        // `process.exit` waits for pending file operations, and opening a pipe without a writer never ends. The
        // signal's default action does not wait. It skips `exit` handlers, so they are called here.
        program.emit('exit', code);
        program.removeAllListeners(signal);
        program.kill(program.pid, signal);
      }, graceMs ?? 0).unref();
    });
  program.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isServer) return program.exit(error.code === 'EPIPE' ? 0 : 1);
    program.exitCode = 1;
    interruption.abort(new Error('Nobody reads the output.'));
  });
  return interruption.signal;
}
