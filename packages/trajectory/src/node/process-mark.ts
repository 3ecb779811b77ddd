import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A unique mark of a running process: host name, process id and, on Linux, start time, because ids are reused. `null` if
 * there is no such process.
 */
export function processMark(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return `${hostname()}:${pid}:${startTicks(pid)}`;
}

/** True if the process with this mark still runs on this machine and is not this process. */
export function isRunningElsewhere(mark: string): boolean {
  const pid = Number(mark.split(':')[1]);
  return pid !== process.pid && processMark(pid) === mark;
}

/** Field 22 of `/proc/<pid>/stat` on Linux. Field 2, the name, can contain anything; it ends at the last bracket. */
function startTicks(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
