import { type Fields, fieldsIn, type IsOwn, isFields, type ReplyTurn } from './recall-format.ts';

/** Between the texts of several replies in one message. */
export const textGap = '\n\n';

/** Reads a message of the model. */
export function chatTurn(message: Fields, reason: unknown, isOwn: IsOwn): ReplyTurn {
  const calls = fieldsIn(message.tool_calls);
  const isOwnCall = (call: Fields): boolean => isOwn(functionOf(call).name);
  const own = calls.filter(isOwnCall);
  const rest = calls.filter((call) => !isOwnCall(call));
  const { tool_calls: _, ...plain } = message;
  return {
    items: [message],
    visible: [rest.length === 0 ? plain : { ...message, tool_calls: rest }],
    calls: own.map((call) => ({
      id: String(call.id),
      name: String(functionOf(call).name),
      input: functionOf(call).arguments,
    })),
    hasHostCalls: rest.length > 0 || isFields(message.function_call),
    isComplete: reason === 'tool_calls' || reason === 'stop' || reason === 'function_call',
  };
}

function functionOf(call: Fields): Fields {
  return isFields(call.function) ? call.function : {};
}
