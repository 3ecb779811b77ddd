import { truncateOlderMessages } from 'agents/chat';
import { argumentsOf, largestFitting, serve, textOf, tokensLeft, toolNameOf } from '../serve.mjs';

// It takes no budget, so it gets the largest number of recent messages to keep whole that fits. One assistant message
// holds one agent step with its results, which favors this peer: whole turns would be much coarser.
serve(async (messages, budgetTokens, tokens) => {
  const steps = stepsOf(messages);
  const interfaceMessages = steps.map(({ message }) => message);
  const truncated = (keepRecent) =>
    truncateOlderMessages(interfaceMessages, { keepRecent }).flatMap(({ parts }, step) =>
      steps[step].places.map(({ index, text, result }) => {
        const textLeft = text === null ? null : parts[text].text;
        if (result === null && textLeft === (text === null ? null : interfaceMessages[step].parts[text].text))
          return index;
        if (result === null) return { ...messages[index], content: textLeft };
        const { output } = parts[result];
        return output === interfaceMessages[step].parts[result].output
          ? index
          : { ...messages[index], content: output };
      }),
    );
  const sizeOf = (kept) =>
    kept.reduce(
      (total, one, index) =>
        total + (typeof one === 'number' ? tokens[one] : tokensLeft(messages[index], one, tokens[index])),
      0,
    );
  return truncated(await largestFitting(steps.length, (recent) => sizeOf(truncated(recent)) <= budgetTokens));
});

/** Builds UI messages and records the source of each part: a message's text or a tool result. */
function stepsOf(messages) {
  const steps = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      // A transcript may begin with the result of a call that was removed.
      if (steps.length === 0) steps.push({ places: [], message: { id: 'removed', role: 'assistant', parts: [] } });
      const { parts } = steps.at(-1).message;
      let result = parts.findIndex((part) => part.toolCallId === message.tool_call_id);
      // The result of an earlier call becomes a separate part.
      if (result < 0)
        result = parts.push({ type: `tool-${toolNameOf(message)}`, toolCallId: message.tool_call_id }) - 1;
      parts[result] = { ...parts[result], state: 'output-available', output: textOf(message.content) };
      steps.at(-1).places.push({ index, text: null, result });
      continue;
    }
    const text = textOf(message.content);
    const parts = text === '' ? [] : [{ type: 'text', text }];
    for (const call of message.tool_calls ?? []) {
      const type = `tool-${toolNameOf(call)}`;
      parts.push({ type, toolCallId: call.id, state: 'input-available', input: argumentsOf(call) });
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const places = [{ index, text: text === '' ? null : 0, result: null }];
    steps.push({ places, message: { id: String(index), role, parts } });
  }
  return steps;
}
