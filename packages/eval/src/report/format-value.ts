import type { Estimate } from '../evaluate/bootstrap.ts';
import { type MeasureName, measures } from '../evaluate/measure-list.ts';

/** Formats a value with its interval, such as `42.1 (38.0 to 46.2)` in percent or `$1.02 (0.90 to 1.20)`. */
export function formatEstimate(name: MeasureName, estimate: Estimate | null): string {
  if (estimate === null) return 'n/a';
  const isShare = measures[name].unit === 'share';
  const plain = (value: number): string => (isShare ? (value * 100).toFixed(1) : value.toFixed(2));
  const { value, low, high } = estimate;
  const interval = low === null || high === null ? '' : ` (${plain(low)} to ${plain(high)})`;
  return `${isShare ? '' : '$'}${plain(value)}${interval}`;
}

/** Formats a share of tokens, such as `20 %`. */
export const formatShare = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
