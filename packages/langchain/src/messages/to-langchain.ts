import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { contentText, type Message, type Provenance, toolCalls } from '@palimpsest/core';
import { parseRecord } from '@palimpsest/core/authoring';

/** What a request to the model contains. */
export interface Written {
  readonly messages: BaseMessage[];
  /** `null` if the agent has no system prompt. */
  readonly systemPrompt: string | null;
}

/**
 * Converts the messages of a prepared request. A message that was not edited is the caller's own object, so its bytes stay
 * the same.
 * @param core the messages before they were prepared
 * @param natives the message of LangChain for each of `core`; `null` for the system prompt
 */
export function toLangchain(
  prepared: readonly Message[],
  { output }: Provenance,
  core: readonly Message[],
  natives: readonly (BaseMessage | null)[],
): Written {
  const messages: BaseMessage[] = [];
  let systemPrompt: string | null = null;
  prepared.forEach((message, at) => {
    const origin = output[at]!;
    const native = origin.kind === 'inserted' ? undefined : natives[origin.from];
    if (native === null) systemPrompt = contentText(message.content);
    else if (native === undefined) messages.push(toInserted(message));
    else messages.push(origin.kind !== 'inserted' && message === core[origin.from] ? native : edit(message, native));
  });
  return { messages, systemPrompt };
}

function toInserted(message: Message): BaseMessage {
  const content = contentOf(message);
  if (message.role === 'assistant') return new AIMessage({ content, tool_calls: callsOf(message) });
  return message.role === 'system' ? new SystemMessage({ content }) : new HumanMessage({ content });
}

/**
 * A message of LangChain with another content or other calls. An edited answer loses the ids and the reasoning of its
 * provider: OpenAI rejects one without the other, and reads the original answer if its id is there.
 */
function edit(message: Message, native: BaseMessage): BaseMessage {
  const content = contentOf(message);
  const name = native.name === undefined ? {} : { name: native.name };
  if (ToolMessage.isInstance(native)) {
    const { tool_call_id, status, id } = native;
    return new ToolMessage({ content, tool_call_id, ...name, ...(status && { status }), ...(id && { id }) });
  }
  if (AIMessage.isInstance(native)) return new AIMessage({ content, ...name, tool_calls: callsOf(message) });
  return native.getType() === 'system'
    ? new SystemMessage({ content, ...name })
    : new HumanMessage({ content, ...name });
}

function contentOf({ content }: Message): MessageContent {
  return (content ?? '') as MessageContent;
}

function callsOf(message: Message): { id: string; name: string; args: Record<string, unknown>; type: 'tool_call' }[] {
  return toolCalls(message).flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, args: argumentsOf(call.function.arguments), type: 'tool_call' }]
      : [],
  );
}

function argumentsOf(text: string): Record<string, unknown> {
  return parseRecord(text) ?? { input: JSON.parse(text) as unknown };
}
