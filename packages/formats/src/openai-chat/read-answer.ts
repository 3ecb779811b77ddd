import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { type IsOwn, type RawAnswer, textIn } from '../wire/answers.ts';

/** Reads an answer of chat completions. */
export function readChat({ choices, usage }: Fields, isOwn: IsOwn): RawAnswer {
  const [choice = {}] = recordsIn(choices);
  const message = fieldsIn(choice.message);
  const { tool_calls: given, ...plain } = message;
  const calls = recordsIn(given);
  const isOwnCall = (call: Fields): boolean => isOwn(fieldsIn(call.function).name);
  const rest = calls.filter((call) => !isOwnCall(call));
  return {
    items: [message],
    visible: [rest.length === 0 ? plain : { ...message, tool_calls: rest }],
    text: textIn(message.content),
    calls: calls.filter(isOwnCall).map((call) => {
      const { name, arguments: input } = fieldsIn(call.function);
      return { id: String(call.id), name: String(name), input };
    }),
    hasHostCalls: rest.length > 0 || isRecord(message.function_call),
    isComplete: ['tool_calls', 'stop', 'function_call'].includes(String(choice.finish_reason)),
    usage,
  };
}
