import { sourceFiles } from '../coding-agent/real-tools.ts';
import type { AnsweredCall, Behaviour } from '../loopback-server/index.ts';

const files = sourceFiles();

/** A call that reads 30 lines of a source, about 400 tokens. The same number reads the same source. */
export function reading(number: number, id: string = `call_${number}`): AnsweredCall {
  const path = files[(number * 11) % files.length]!;
  return { id, name: 'read_file', arguments: JSON.stringify({ path }) };
}

/** Reads a source in each of `rounds` answers, then says "Done." and does the same for the next request of the user. */
export function reader(rounds: number, extra: Partial<Extract<Behaviour, { kind: 'answer' }>> = {}) {
  return (_: unknown, number: number): Behaviour =>
    number % (rounds + 1) < rounds
      ? { kind: 'answer', text: `Step ${number}.`, calls: [reading(number)], ...extra }
      : { kind: 'answer', text: 'Done.', ...extra };
}

/** Thinks before every answer: calls, some behind a text, and in every eighth answer a text alone. */
export function thinker(_: unknown, number: number): Behaviour {
  const reasoning = `I think about step ${number}.`;
  if (number % 8 === 7) return { kind: 'answer', reasoning, text: `Part ${number} is done.` };
  return {
    kind: 'answer',
    reasoning,
    text: number % 3 === 0 ? `I read source ${number}.` : '',
    calls: [reading(number)],
  };
}

/** A picture of one red pixel. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
