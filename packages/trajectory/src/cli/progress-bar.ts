import { count } from '@palimpsest/command-line/count';
import cliProgress from 'cli-progress';
import type { FilesProgress } from '../node/compress-files.ts';

/** A progress bar with rate and remaining time. */
export interface ProgressBar {
  update(progress: FilesProgress): void;
  stop(): void;
}

/** Creates a progress bar on a terminal. Without a terminal, it does nothing. */
export function createProgressBar(stream: NodeJS.WritableStream | null): ProgressBar {
  if (stream === null) return { update: () => {}, stop: () => {} };
  const bar = new cliProgress.SingleBar({
    stream,
    format: '{bar} {percentage} % | {rows} rows, {rate}/s | {compressed} compressed, {rejected} rejected | {left} left',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 100,
    fps: 5,
  });
  const started = Date.now();
  let isStarted = false;
  return {
    update({ bytes, totalBytes, totals }) {
      const seconds = (Date.now() - started) / 1000;
      const rate = bytes / Math.max(0.001, seconds);
      const payload = {
        rows: count(totals.rows),
        rate: count(totals.rows / Math.max(0.001, seconds)),
        compressed: count(totals.compressed),
        rejected: count(totals.rejected),
        left: duration((totalBytes - bytes) / Math.max(1, rate)),
      };
      if (!isStarted) bar.start(totalBytes, bytes, payload);
      else bar.update(bytes, payload);
      isStarted = true;
    },
    stop: () => bar.stop(),
  };
}

/** Formats a duration in seconds: `45 s`, `3 min`, `1.5 h`. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return `${whole} s`;
  return whole < 5_400 ? `${Math.round(whole / 60)} min` : `${(whole / 3_600).toFixed(1)} h`;
}
