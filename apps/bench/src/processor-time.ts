/**
 * Milliseconds of processor time, which other programs on the machine lengthen less than the clock on the wall. Garbage
 * is not collected beforehand: a collection by hand throws compiled code away with the objects it was compiled for.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
