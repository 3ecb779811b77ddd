import { messagesFollowing, readHandoff, writeHandoff } from '../handoff/handoff.ts';
import type { HandoffKey } from '../handoff/handoff-signature.ts';
import { jsonText } from '../json/json-text.ts';
import { maskJson, maskJsonText } from '../json/mask-json.ts';
import { contentText, isSystem, type Message, type Part, type ToolCall, toolCalls } from '../messages/message.ts';
import type { Edit, Inserted, RewriteEdit } from './edit.ts';

/** The part of a host that masking needs. */
interface MaskingHost {
  readonly redact: (text: string) => string;
  readonly handoffKey?: HandoffKey | undefined;
}

/**
 * Masks secrets in everything that a plan writes: handoffs and the instructions after them, rewritten content and
 * arguments, reasons. What the edits copy from the messages stays as it is, and so does a user's content, which a plan
 * must not change anyway.
 * @param edits valid edits of `messages`
 * @returns `edits` itself when they contain no secret
 */
export function maskEdits(edits: readonly Edit[], messages: readonly Message[], host: MaskingHost): readonly Edit[] {
  return mapOrSame(edits, (edit) => {
    const reasons = maskJson(edit.reasons, host.redact);
    if (edit.kind === 'replace') {
      const inserted = mapOrSame(edit.with, (one) => maskInserted(one, host));
      return inserted === edit.with && reasons === edit.reasons ? edit : { ...edit, with: inserted, reasons };
    }
    const set = maskSet(edit.set, messages[edit.at]!, host.redact);
    return set === edit.set && reasons === edit.reasons ? edit : { ...edit, set, reasons };
  });
}

/** Like `map`; returns the list itself when no item changed. */
function mapOrSame<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

function maskInserted(given: Inserted, { redact, handoffKey }: MaskingHost): Inserted {
  const { instructions = [] } = given;
  const safe = mapOrSame(instructions, (text) => redact(text));
  const inserted = safe === instructions ? given : { ...given, instructions: safe };
  const message: Message = { role: 'user', content: inserted.handoff };
  const { body } = readHandoff(message)!;
  const masked = redact(body);
  if (masked === body) return inserted;
  const following = messagesFollowing(message) ?? undefined;
  // The text changes, so it is signed again, but only if its signature was valid.
  const isSigned = inserted.handoff === writeHandoff(body, following, handoffKey);
  // Masking may join lines, which would make the line numbers of `sources` wrong.
  const { sources: _, ...rest } = inserted;
  return { ...rest, handoff: writeHandoff(masked, following, isSigned ? handoffKey : undefined) };
}

function maskSet(set: RewriteEdit['set'], message: Message, redact: MaskingHost['redact']): RewriteEdit['set'] {
  const { content, tool_calls: calls } = set;
  const masked = message.role === 'user' ? content : maskContent(content, message, redact);
  const maskedCalls = calls && mapOrSame(calls, (call, index) => maskCall(call, toolCalls(message)[index]!, redact));
  if (masked === content && maskedCalls === calls) return set;
  return {
    ...set,
    ...(masked === undefined ? {} : { content: masked }),
    ...(maskedCalls === undefined ? {} : { tool_calls: maskedCalls }),
  };
}

function maskContent(content: Message['content'], message: Message, redact: MaskingHost['redact']): Message['content'] {
  if (content === null || content === undefined || content === message.content) return content;
  if (typeof content !== 'string') {
    const own = new Set(Array.isArray(message.content) ? message.content.map((part) => jsonText(part)) : []);
    const parts: readonly Part[] = content;
    return mapOrSame(parts, (part) => (own.has(jsonText(part)) ? part : maskJson(part, redact))) as Part[];
  }
  const own = contentText(message.content);
  // A note is appended to the system prompt, and the prompt itself must not change.
  if (isSystem(message) && content.startsWith(own)) return own + redact(content.slice(own.length));
  return maskJsonText(content, redact);
}

function maskCall(call: ToolCall, own: ToolCall, redact: MaskingHost['redact']): ToolCall {
  if (jsonText(call) === jsonText(own)) return call;
  const given = call.type === 'custom' ? call.custom.input : call.function.arguments;
  const masked = maskJsonText(given, redact);
  if (masked === given) return call;
  if (call.type === 'custom') return { ...call, custom: { ...call.custom, input: masked } };
  return { ...call, function: { ...call.function, arguments: masked } };
}
