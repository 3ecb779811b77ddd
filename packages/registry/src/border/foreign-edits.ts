import {
  apply,
  type Carried,
  type CarriedMessage,
  contentText,
  type Edit,
  type EngineHost,
  type Inserted,
  isSystem,
  type Message,
  messagesFollowing,
  PalimpsestError,
  type Part,
  type RewriteEdit,
  readHandoff,
  type ToolCall,
  toolCalls,
} from '@palimpsest/core';
import {
  changedUserWords,
  jsonText,
  maskedJson,
  maskedJsonText,
  type Transcript,
  writeHandoff,
} from '@palimpsest/core/authoring';

import { withOriginalContent } from './original-content.ts';

type Redact = EngineHost['redact'];

/**
 * Validates the edits of a foreign engine: they must not change the user's words, and secrets are masked in every text
 * the engine wrote. Content copied from the transcript becomes the caller's own content again.
 * @param edits unvalidated JSON
 * @param seen the masked messages that the engine saw
 * @throws {PalimpsestError} `PLAN_INVALID`, `PLAN_CONFLICT`
 */
export function foreignEdits(
  edits: readonly unknown[],
  { messages, groups }: Transcript,
  seen: readonly Message[],
  host: EngineHost,
): Edit[] {
  const redact = (text: string): string => host.redact(text);
  const given = edits as readonly Edit[];
  // Validates the shape of the edits before their fields are read.
  apply(seen, given, groups);
  return given.map((checked, position) => {
    const edit = withOriginalContent(checked, { messages, seen }, host);
    const problem = changedUserWords(edit, messages, { reader: host.reader });
    if (problem)
      throw new PalimpsestError('PLAN_INVALID', `Edit ${position} of the plan cannot be applied: ${problem}`, {
        edit: position,
      });
    const reasons = maskedJson(Array.isArray(edit.reasons) ? edit.reasons : [], redact);
    if (edit.kind === 'replace')
      return { ...edit, with: edit.with.map((one) => maskedInserted(one, messages, host)), reasons };
    return { ...edit, set: maskedSet(edit.set, messages[edit.at]!, redact), reasons };
  });
}

/** Masks the body of the handoff, and the replacements of pictures and files in carried messages. */
function maskedInserted(inserted: Inserted, messages: readonly Message[], host: EngineHost): Inserted {
  const one = (carried: number | CarriedMessage): number | CarriedMessage => {
    if (typeof carried === 'number' || carried.content === undefined) return carried;
    return { ...carried, content: maskedContent(carried.content, messages[carried.at]!, (text) => host.redact(text)) };
  };
  const all = (list: readonly Carried[]): readonly Carried[] =>
    list.map((carried) => (Array.isArray(carried) ? carried.map(one) : one(carried as number | CarriedMessage)));
  const { handoff: given, quote, carry, sources } = inserted;
  const handoff = maskedHandoff(given, host);
  return {
    handoff,
    ...(quote ? { quote: all(quote) } : {}),
    carry: all(carry),
    // Masking may join lines, which makes the line numbers wrong.
    ...(sources && handoff === given ? { sources } : {}),
  };
}

function maskedHandoff(text: string, { handoffKey, redact }: EngineHost): string {
  const message: Message = { role: 'user', content: text };
  const handoff = readHandoff(message)!;
  const body = redact(handoff.body);
  if (body === handoff.body) return text;
  const following = messagesFollowing(message) ?? undefined;
  // Masking changes the text, so sign it again, but only if the engine's own signature was valid.
  const isSigned = text === writeHandoff(handoff.body, following, handoffKey);
  return writeHandoff(body, following, isSigned ? handoffKey : undefined);
}

function maskedSet(set: RewriteEdit['set'], message: Message, redact: Redact): RewriteEdit['set'] {
  const { content, tool_calls: calls, ...rest } = set;
  return {
    ...rest,
    ...(content === undefined ? {} : { content: maskedContent(content, message, redact) }),
    ...(calls === undefined ? {} : { tool_calls: maskedCalls(calls, toolCalls(message), redact) }),
  };
}

function maskedContent(content: Message['content'], message: Message, redact: Redact): Message['content'] {
  if (content === null || content === undefined) return content;
  // `changedUserWords` has verified that a user message contains the user's words and placeholders of media.
  if (message.role === 'user' && typeof content === 'string') return content;
  if (typeof content !== 'string') {
    const before = new Set(Array.isArray(message.content) ? message.content.map((part) => jsonText(part)) : []);
    return content.map((part: Part) => (before.has(jsonText(part)) ? part : maskedJson(part, redact)));
  }
  if (content === message.content) return content;
  const own = contentText(message.content);
  // A note is appended to the system prompt, and the prompt itself must not change.
  if (isSystem(message) && content.startsWith(own)) return own + redact(content.slice(own.length));
  return maskedJsonText(content, redact);
}

function maskedCalls(calls: readonly ToolCall[], before: readonly ToolCall[], redact: Redact): readonly ToolCall[] {
  return calls.map((call, index): ToolCall => {
    const was = before[index]!;
    if (jsonText(call) === jsonText(was)) return call;
    if (call.type === 'custom') return { ...call, custom: { ...call.custom, input: redact(call.custom.input) } };
    const { name, arguments: input } = call.function;
    return { ...call, function: { name, arguments: maskedJsonText(input, redact) } };
  });
}
