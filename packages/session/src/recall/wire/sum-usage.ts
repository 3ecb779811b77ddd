import { type Fields, isFields } from './recall-format.ts';

/** Adds two usage reports field by field. Numbers are added, other values are those of the later report. */
export function sumUsage(one: unknown, other: unknown): Fields | undefined {
  if (!isFields(one)) return isFields(other) ? other : undefined;
  if (!isFields(other)) return one;
  const sum: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = one[name];
    if (typeof value === 'number') sum[name] = value + (typeof before === 'number' ? before : 0);
    else if (isFields(value)) sum[name] = sumUsage(before, value);
    else if (value !== null && value !== undefined) sum[name] = value;
  }
  return sum;
}
