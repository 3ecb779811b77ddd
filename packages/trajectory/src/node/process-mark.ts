import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * A name for a running process that no other one will have: its machine, its number and, where the system tells, when it
 * was started, because numbers come again. `null` when there is no such process.
 */
export function processMark(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return `${hostname()}:${pid}:${startTicks(pid)}`;
}

/** True when the process behind a mark still runs on this machine. */
export function isRunningElsewhere(mark: string): boolean {
  const pid = Number(mark.split(':')[1]);
  return pid !== process.pid && processMark(pid) === mark;
}

/** The 22nd field of Linux' `/proc/<pid>/stat`; the second one, the name, may hold anything but ends with the last bracket. */
function startTicks(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
