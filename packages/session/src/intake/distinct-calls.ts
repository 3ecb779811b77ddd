import { isToolResult, type Message, toolCalls } from '@palimpsest/core';

/**
 * Gives calls of one message that share an id different ids, and renames the ids of their results in the same order. Ids
 * that repeat across messages stay, because every provider accepts them.
 * @returns the array itself when no message repeats an id
 */
export function distinctCalls(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly changed: ReadonlySet<number>;
} {
  const changed = new Set<number>();
  let output: Message[] | null = null;
  messages.forEach((message, at) => {
    const calls = toolCalls(message);
    if (calls.length < 2 || new Set(calls.map(({ id }) => id)).size === calls.length) return;
    output ??= [...messages];
    const taken = new Set<string>();
    const renamed = calls.map((call) => {
      let id = call.id;
      for (let copy = 2; taken.has(id); copy++) id = `${call.id}_${copy}`;
      taken.add(id);
      return { before: call.id, id, call: id === call.id ? call : { ...call, id } };
    });
    output[at] = { ...message, tool_calls: renamed.map(({ call }) => call) };
    changed.add(at);
    const open = [...renamed];
    for (let next = at + 1; next < messages.length && isToolResult(messages[next]!); next++) {
      const answered = open.findIndex(({ before }) => before === messages[next]!.tool_call_id);
      const [match] = answered < 0 ? [] : open.splice(answered, 1);
      if (!match || match.id === match.before) continue;
      output[next] = { ...messages[next]!, tool_call_id: match.id };
      changed.add(next);
    }
  });
  return { messages: output ?? messages, changed };
}
