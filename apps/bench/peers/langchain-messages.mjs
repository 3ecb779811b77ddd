import { argumentsOf, textOf, toolNameOf } from './serve.mjs';

/**
 * Converts messages to LangChain messages, each with its index as its id.
 * @param classes the message classes of the measured package
 */
export function langChainWriter({ AIMessage, HumanMessage, ToolMessage }) {
  return (message, index) => {
    const content = textOf(message.content);
    const id = String(index);
    if (message.role === 'tool')
      return new ToolMessage({ id, content, tool_call_id: message.tool_call_id, name: toolNameOf(message) });
    if (message.role !== 'assistant') return new HumanMessage({ id, content });
    const tool_calls = (message.tool_calls ?? []).map((call) => ({
      type: 'tool_call',
      id: call.id,
      name: toolNameOf(call),
      args: argumentsOf(call),
    }));
    return new AIMessage({ id, content, tool_calls });
  };
}
