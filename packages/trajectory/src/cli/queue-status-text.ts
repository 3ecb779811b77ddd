import { count, counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { QueueStatus } from '../queue/status.ts';

/** Formats the state of a queue for a terminal. */
export function statusText({ queue, shards, totals, active, failures, callsPerMinute }: QueueStatus): string {
  const lines = [
    `${queue}: ${counted(shards.total, 'shard')}: ${count(shards.done)} done, ${count(shards.running)} running, ` +
      `${count(shards.stalled)} stalled, ${count(shards.waiting)} waiting, ${count(shards.delayed)} waiting for a retry, ` +
      `${count(shards.failed)} failed`,
    `rows of finished shards: ${count(totals.rows)}, ${count(totals.compressed)} compressed, ` +
      `${count(totals.stillOverLimit)} still over the limit, ${count(totals.failed)} failed, ${count(totals.rejected)} rejected`,
    `calls: ${count(totals.calls)}, ${callsPerMinute === null ? 'no limit' : `at most ${count(callsPerMinute)} per minute`}`,
    ...active.map(({ input, isStalled, progress }) => {
      const share =
        progress === null ? '' : `  ${Math.floor((progress.bytes / Math.max(1, progress.totalBytes)) * 100)} %`;
      const by = progress === null ? '' : `  ${printable(progress.worker, 80)}`;
      return `  ${isStalled ? 'stalled' : 'running'}  ${printable(input, 200)}${share}${by}`;
    }),
    ...failures.map(
      ({ input, reason, attempts }) =>
        `  failed  ${printable(input, 200)}  after ${counted(attempts, 'attempt')}: ${printable(reason, 300)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
