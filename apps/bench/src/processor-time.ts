/** Milliseconds of processor time, which other programs on the machine lengthen less than the clock on the wall. */
export async function processorTime(work: () => unknown): Promise<number> {
  // What lies about from before is not the work's to clean up. There where the process was started with `--expose-gc`.
  globalThis.gc?.();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** How a process is started that times something: as this one, and able to collect its garbage beforehand. */
export const timingArguments = (): readonly string[] => ['--expose-gc', ...process.execArgv];
