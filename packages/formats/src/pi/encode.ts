import { contentText, type Message, type Part } from '@palimpsest/core';
import type { Decoded, EditedMessages } from '../codec.ts';
import { PartPool } from '../content.ts';
import { fieldsOf } from '../record.ts';
import { replay, type Step } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { toolNames } from '../write-message.ts';
import type { PiConversation, PiMessage } from './conversation.ts';
import { piGrammar, viewPart } from './grammar.ts';
import { partsOf, writeMessage } from './write.ts';

/** Writes an edited conversation. Messages that pi never sends are left out of it. */
export function encodePi<Native extends PiConversation>(decoded: Decoded<Native>, result: EditedMessages): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  const names = toolNames(decoded.messages);
  let { systemPrompt } = native;
  const messages: PiMessage[] = [];
  for (const step of steps) {
    if (step.kind !== 'inserted' && decoded.origins[step.unit]!.pieces[0]!.index < 0) {
      if (step.kind === 'rewritten') systemPrompt = contentText(step.message.content);
      continue;
    }
    const written = messageOf(decoded, step, names);
    if (written) messages.push(written);
  }
  return systemPrompt === native.systemPrompt ? { ...native, messages } : { ...native, systemPrompt, messages };
}

function messageOf(
  decoded: Decoded<PiConversation>,
  step: Step,
  names: ReadonlyMap<string, string>,
): PiMessage | null | undefined {
  const nativeOf = (unit: number): PiMessage | undefined =>
    decoded.native.messages[decoded.origins[unit]!.pieces[0]!.index];
  if (step.kind === 'removed') return null;
  if (step.kind === 'kept') return nativeOf(step.unit);
  if (step.kind === 'rewritten')
    return rewriteMessage(nativeOf(step.unit)!, decoded.messages[step.unit]!, step.message);
  const carried = step.carries.flatMap((unit) => partsOf(nativeOf(unit)));
  return writeMessage(step.message, new PartPool(carried, viewPart), names);
}

function rewriteMessage(native: PiMessage, before: Message, after: Message): PiMessage | null {
  const { content, timestamp } = fieldsOf(native);
  // Kinds of messages without content of their own become the user's, as pi sends them.
  const isOwn = content !== undefined;
  const blocks = isOwn ? (content as string | readonly Part[]) : '';
  const next = rewriteBlocks(piGrammar, blocks, before, after);
  // The result of a call has to stay.
  if (next.length === 0 && native.role !== 'toolResult') return null;
  const list = native.role === 'toolResult' && typeof next === 'string' ? [{ type: 'text', text: next }] : next;
  return (isOwn ? { ...native, content: list } : { role: 'user', content: list, timestamp }) as unknown as PiMessage;
}
