import { contentText, type Message } from '@palimpsest/core';
import type { Decoded, EditedMessages } from '../codec.ts';
import { PartPool } from '../content.ts';
import { fieldsOf } from '../record.ts';
import { replay, type Step } from '../replay.ts';
import type { ResponsesConversation, ResponsesItem } from './conversation.ts';
import { kindOf } from './item.ts';
import { rewriteItems } from './rewrite.ts';
import { writeItems } from './write.ts';

export function encodeResponses<Native extends ResponsesConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  let { instructions } = native;
  const input: ResponsesItem[] = [];
  for (const step of steps) {
    const isPrompt = step.kind !== 'inserted' && decoded.origins[step.unit]!.pieces[0]!.index === -1;
    if (!isPrompt) for (const item of itemsOf(decoded, step)) input.push(item);
    else if (step.kind === 'rewritten') instructions = contentText(step.message.content);
    else if (step.kind === 'removed') instructions = null;
  }
  return instructions === native.instructions ? { ...native, input } : { ...native, input, instructions };
}

function itemsOf(decoded: Decoded<ResponsesConversation>, step: Step): readonly ResponsesItem[] {
  if (step.kind === 'inserted') {
    const pool = new PartPool(step.carries.flatMap((unit) => sourcesOf(decoded, unit).flatMap(partsOf)));
    return writeItems(step.message, pool);
  }
  const items = sourcesOf(decoded, step.unit);
  if (step.kind === 'kept') return items;
  if (step.kind === 'rewritten') return rewriteItems(items, decoded.messages[step.unit]!, step.message);
  // Items that cannot be read are kept when their message is removed, and so are results of calls stored by the provider.
  const [first] = items;
  const isKept = decoded.messages[step.unit]!.role === 'developer' && first && kindOf(first) !== 'message';
  return isKept ? items : items.filter((item) => kindOf(item) === 'kept');
}

/** Returns the native items of a decoded message. */
function sourcesOf(
  { native: { input }, origins }: Decoded<ResponsesConversation>,
  unit: number,
): readonly ResponsesItem[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input } as ResponsesItem];
  return origins[unit]!.pieces.flatMap(({ index }) => input?.[index] ?? []);
}

function partsOf(item: ResponsesItem): readonly { readonly type: string }[] {
  const { content } = fieldsOf(item);
  return Array.isArray(content) ? content : [];
}

/** Writes core messages as a new conversation. */
export function writeResponses(messages: readonly Message[]): ResponsesConversation {
  const custom = new Set<string>();
  const pool = new PartPool([]);
  return {
    input: messages.flatMap((message) => {
      for (const call of message.tool_calls ?? []) if (call.type === 'custom') custom.add(call.id);
      return writeItems(message, pool, custom);
    }),
  };
}
