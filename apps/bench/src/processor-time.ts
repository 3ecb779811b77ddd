import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/**
 * Makes what was parsed a moment ago old, as the messages of a session are: the collector would copy it during the next
 * work and be charged to that. Two collections of new objects do it, and throw no compiled code away.
 */
export function ageNewObjects(): void {
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}
