import type { Content, Message, Part, ToolCall } from '@palimpsest/core';
import { isRecord, jsonText } from '@palimpsest/core/authoring';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { contentOf } from '../content.ts';
import { standsFor } from '../marks.ts';
import { Memo } from '../memo.ts';
import { assistantMessage, PromptMemo } from '../read-message.ts';
import { fieldsOf } from '../record.ts';
import { checkConversation, checkItem } from './check.ts';
import type { ResponsesConversation, ResponsesItem } from './conversation.ts';
import { callIdOf, kindOf, roleOf } from './item.ts';
import { type ItemUnit, unitsOf } from './units.ts';

const memos: Readonly<Record<ItemUnit['kind'], Memo<Message>>> = {
  assistant: new Memo(),
  result: new Memo(),
  message: new Memo(),
  kept: new Memo(),
};
const prompts = new PromptMemo();

export function decodeResponses<Native extends ResponsesConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  const { input, instructions } = native;
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  const items = typeof input === 'string' ? [] : (input ?? []);
  items.forEach(checkItem);
  if (typeof instructions === 'string' && instructions !== '') {
    messages.push(prompts.recall(instructions, items[0]));
    origins.push({ pieces: [{ index: -1 }] });
  }
  if (typeof input === 'string') {
    messages.push({ role: 'user', content: input });
    origins.push({ pieces: [{ index: 0 }] });
  }
  for (const unit of unitsOf(items)) {
    const own = unit.items.map((at) => items[at]!);
    messages.push(memos[unit.kind].recall(own, () => readers[unit.kind](own)));
    origins.push({ pieces: unit.items.map((index) => ({ index })) });
  }
  const continues = historyFieldOf(native);
  return continues ? { native, messages, origins, continues } : { native, messages, origins };
}

/** The field that refers to a history stored by the provider. */
export function historyFieldOf(
  native: Pick<ResponsesConversation, 'previous_response_id' | 'conversation'>,
): Decoded<unknown>['continues'] {
  if (native.previous_response_id) return 'previous_response_id';
  return native.conversation ? 'conversation' : undefined;
}

const readers: Readonly<Record<ItemUnit['kind'], (items: readonly ResponsesItem[]) => Message>> = {
  message: ([item]) => ({
    role: roleOf(item!) as Message['role'],
    content: messageContent(fieldsOf(item!).content),
  }),
  result: ([item]) => ({ role: 'tool', tool_call_id: callIdOf(item!), content: outputContent(item!) }),
  assistant: readAssistant,
  // Engines do not move or drop developer messages.
  kept: (items) => ({ role: 'developer', content: items.map(asPart) }),
};

function readAssistant(items: readonly ResponsesItem[]): Message {
  const thoughts = items.flatMap((item) => (kindOf(item) === 'thought' ? [thoughtText(item)] : []));
  const calls = ownCalls(items).map(({ item }) => toolCall(item));
  return assistantMessage(
    answerContent(items.filter(isSaid)),
    calls,
    thoughts.filter((text) => text !== ''),
  );
}

function answerContent(said: readonly ResponsesItem[]): Content {
  const [only] = said;
  if (!only) return null;
  if (said.length === 1 && kindOf(only) === 'message') return messageContent(fieldsOf(only).content);
  return said.flatMap((item) => {
    if (kindOf(item) !== 'message') return [asPart(item)];
    const content = messageContent(fieldsOf(item).content);
    return typeof content === 'string' ? [{ type: 'output_text', text: content } as Part] : (content ?? []);
  });
}

/** True for an item that becomes content of a core message. */
export function isSaid(item: ResponsesItem): boolean {
  const kind = kindOf(item);
  return kind === 'message' || kind === 'hosted' || kind === 'program';
}

function messageContent(content: unknown): Content {
  return typeof content === 'string' ? content : contentOf(content as readonly Part[]);
}

/** Wraps an item as a content part, so that token counters count it. */
function asPart(item: ResponsesItem): Part {
  const { type, id, call_id: callId } = fieldsOf(item);
  if (typeof type === 'string') return item as Part;
  return standsFor({ type: 'item_reference', id: id ?? callId } as Part, item as Part);
}

/** Returns the calls that the client answers, without the calls of a program, with their indices. */
export function ownCalls(
  items: readonly ResponsesItem[],
): readonly { readonly item: ResponsesItem; readonly at: number }[] {
  const program = items.findIndex((item) => kindOf(item) === 'program');
  const end = program < 0 ? items.length : program;
  return items.flatMap((item, at) => (at < end && kindOf(item) === 'call' ? [{ item, at }] : []));
}

function toolCall(item: ResponsesItem): ToolCall {
  const { type, name, arguments: given, input } = fieldsOf(item);
  const id = callIdOf(item);
  if (type === 'custom_tool_call') return { id, type: 'custom', custom: { name: String(name), input: String(input) } };
  if (typeof given === 'string') return { id, type: 'function', function: { name: String(name), arguments: given } };
  const action = actionField(item);
  const written = jsonText(fieldsOf(item)[action] ?? {});
  return { id, type: 'function', function: { name: String(type).replace(/_call$/, ''), arguments: written } };
}

/** Returns the name of the field that contains the input of a built-in tool call. */
export function actionField(item: ResponsesItem): string {
  const fields = fieldsOf(item);
  return ['operation', 'actions', 'action'].find((name) => fields[name]) ?? 'action';
}

function outputContent(item: ResponsesItem): Content {
  const { type, output, approve, reason } = fieldsOf(item);
  if (type === 'mcp_approval_response') return jsonText({ approve, reason });
  if (typeof output === 'string') return output;
  if (type === 'shell_call_output' && Array.isArray(output)) return output.map(shellText).join('\n');
  if (Array.isArray(output)) return contentOf(output as readonly Part[]);
  return isRecord(output) && typeof output.type === 'string' ? [output as unknown as Part] : '';
}

function shellText(chunk: unknown): string {
  const { stdout, stderr, outcome } = isRecord(chunk) ? chunk : {};
  const ended = isRecord(outcome) ? outcome : {};
  const exit = ended.type === 'timeout' ? 'timed out' : `exit code ${String(ended.exit_code)}`;
  return [stdout, stderr, exit].filter((text) => typeof text === 'string' && text !== '').join('\n');
}

function thoughtText(item: ResponsesItem): string {
  const { summary, content } = fieldsOf(item);
  const texts = [summary, content].flatMap((parts) => (Array.isArray(parts) ? (parts as unknown[]) : []));
  return texts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}
