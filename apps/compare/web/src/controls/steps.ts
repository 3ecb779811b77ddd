import { commonWindows } from 'palimpsest/replay/window-choice';

/** Selectable windows, in tokens; finer for small windows. */
export const windowSteps: readonly number[] = merge(
  range(8_000, 32_000, 2_000),
  range(32_000, 128_000, 8_000),
  range(128_000, 256_000, 16_000),
  range(256_000, 1_024_000, 64_000),
  commonWindows,
);

/** Selectable thresholds, as fractions of the usable window, in the range both engines accept. */
export const thresholdSteps: readonly number[] = range(10, 95, 5).map((percent) => percent / 100);

/** Selectable sizes of the protected end, in tokens. */
export const protectSteps: readonly number[] = merge(
  range(1_000, 4_000, 1_000),
  range(4_000, 20_000, 2_000),
  range(20_000, 100_000, 10_000),
);

/** Selectable target sizes, in tokens. */
export const targetSteps: readonly number[] = merge(
  range(4_000, 16_000, 2_000),
  range(16_000, 64_000, 4_000),
  range(64_000, 128_000, 16_000),
);

/** The index of the step closest to a value. */
export function nearestStep(steps: readonly number[], value: number): number {
  let nearest = 0;
  for (const [index, step] of steps.entries())
    if (Math.abs(step - value) < Math.abs(steps[nearest]! - value)) nearest = index;
  return nearest;
}

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function merge(...ranges: readonly (readonly number[])[]): number[] {
  return [...new Set(ranges.flat())].sort((a, b) => a - b);
}
