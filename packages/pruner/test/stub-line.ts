import { assistant, call, quarterCounter, result, user } from '@palimpsest/testkit';
import { type PrunePolicy, prune, stub } from '../src/index.ts';

/** The stub of the result of one call. */
export function stubOf(name: string, input: unknown, output: string, policy: PrunePolicy = {}): string {
  const messages = [user('Go on.'), assistant(null, call('c1', name, input)), result('c1', output), assistant('Done.')];
  const everything = { protect: { tokens: 0 }, keepTurns: 0, minimum: 0, strategies: [stub], tokens: quarterCounter };
  return prune(messages, { ...everything, ...policy }).messages[2]!.content as string;
}

/** A text of `count` numbered lines. */
export function lines(
  count: number,
  line: (number: number) => string = (number) => `line ${number} of the output`,
): string {
  return Array.from({ length: count }, (_, index) => line(index + 1)).join('\n');
}
