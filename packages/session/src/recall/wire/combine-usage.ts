import { type Fields, isFields } from './recall-format.ts';

/** Fields with tokens that the model wrote, in all formats. */
const written = /^(?:completion|output)_tokens(?:_details)?$/;

/**
 * The usage that an SDK is told of several replies that it sees as one. The prompt is that of the last reply: agents take
 * it for the size of their history, and compact by it. What the model wrote is added up. The session learns the usage of
 * each reply on its own.
 */
export function combineUsage(before: unknown, last: unknown): Fields | undefined {
  if (!isFields(before)) return isFields(last) ? last : undefined;
  if (!isFields(last)) return before;
  const combined: Record<string, unknown> = { ...last };
  for (const [name, value] of Object.entries(before)) if (written.test(name)) combined[name] = sum(value, last[name]);
  if (typeof last.total_tokens === 'number') combined.total_tokens = last.total_tokens + writtenIn(before);
  return combined;
}

/** Adds numbers, and those in the fields of objects. */
function sum(one: unknown, other: unknown): unknown {
  if (typeof one === 'number') return typeof other === 'number' ? one + other : one;
  if (!isFields(one)) return other ?? one;
  const given = isFields(other) ? other : {};
  return {
    ...given,
    ...Object.fromEntries(Object.entries(one).map(([name, value]) => [name, sum(value, given[name])])),
  };
}

function writtenIn({ completion_tokens: completion, output_tokens: output = completion }: Fields): number {
  return typeof output === 'number' ? output : 0;
}
