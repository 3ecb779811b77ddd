/**
 * Milliseconds of processor time, which other programs on the machine lengthen less than the clock on the wall. All
 * garbage is never collected beforehand: that throws compiled code away with the objects it was compiled for.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Makes what was parsed a moment ago old, as the messages of a session are: the collector would copy it during the next
 * work and be charged to that. Two collections of new objects do it, and throw no compiled code away.
 */
export function ageNewObjects(): void {
  // Only with `--expose-gc` from the start: to turn it on later makes all code of the process run half as fast.
  const collect = globalThis.gc as ((options: { readonly type: 'minor' }) => void) | undefined;
  collect?.({ type: 'minor' });
  collect?.({ type: 'minor' });
}
