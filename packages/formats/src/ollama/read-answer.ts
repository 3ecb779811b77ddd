import type { Usage } from '@palimpsest/core';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { callId } from '../unnamed-calls.ts';
import { type IsOwn, type RawAnswer, textIn } from '../wire/answers.ts';
import { tokensOf, usageOf } from '../wire/usage.ts';

/** Reads an answer of `/api/chat`. A stream has the same fields, divided. */
export function readOllama(answer: Fields, isOwn: IsOwn): RawAnswer {
  const message = fieldsIn(answer.message);
  const { tool_calls: given, ...plain } = message;
  const calls = recordsIn(given);
  const isOwnCall = (call: Fields): boolean => isOwn(fieldsIn(call.function).name);
  const rest = calls.filter((call) => !isOwnCall(call));
  const isMessage = message.role !== undefined;
  return {
    items: isMessage ? [message] : [],
    visible: isMessage ? [rest.length === 0 ? plain : { ...message, tool_calls: rest }] : [],
    text: textIn(message.content),
    calls: calls.filter(isOwnCall).map((call, at) => {
      const { name, arguments: input } = fieldsIn(call.function);
      return { id: callId(call, 0, at), name: String(name), input };
    }),
    hasHostCalls: rest.length > 0,
    isComplete: answer.done === true && answer.done_reason !== 'length',
    usage: { prompt_eval_count: answer.prompt_eval_count, eval_count: answer.eval_count },
  };
}

/** Reads the counts of an answer. They are next to its message. */
export function ollamaUsage({ prompt_eval_count: prompt, eval_count: completion }: Fields): Usage | null {
  return usageOf({ prompt, completion });
}

/** The last of several answers that the client sees as one, with the count of what the model wrote in all. */
export function withAllCounts(last: Fields, earlier: readonly Fields[]): Fields {
  const written = [...earlier, last].map((answer) => tokensOf(answer.eval_count) ?? 0);
  const sum = written.reduce((total, tokens) => total + tokens, 0);
  return sum === 0 ? last : { ...last, eval_count: sum };
}

/** The error in an answer, which is a sentence. */
export function ollamaError({ error }: Fields): unknown {
  return typeof error === 'string' ? { message: error } : (error ?? null);
}
