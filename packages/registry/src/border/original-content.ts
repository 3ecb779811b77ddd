import {
  type Carried,
  type CarriedMessage,
  type Content,
  contentText,
  type Edit,
  type EngineHost,
  type Inserted,
  isSystem,
  type Message,
  type Part,
  type RewriteEdit,
  toolCalls,
} from '@palimpsest/core';
import { foreignHandoffLength, jsonText } from '@palimpsest/core/authoring';

/** The caller's messages, and the masked copies of them that the engine saw. */
export interface SeenMessages {
  readonly messages: readonly Message[];
  readonly seen: readonly Message[];
}

/**
 * Restores the caller's own content wherever an edit copies masked content, so that masking for the engine does not
 * change kept text. Only known fields are copied.
 * @param edit an edit that is valid for the messages the engine saw
 */
export function withOriginalContent(edit: Edit, given: SeenMessages, { reader }: Pick<EngineHost, 'reader'>): Edit {
  const { reasons } = edit;
  if (edit.kind === 'rewrite')
    return { kind: 'rewrite', at: edit.at, set: originalSet(edit.set, given, edit.at), reasons };
  const { groups, folds } = edit;
  const inserted = edit.with.map((one) => originalInserted(one, given, reader));
  return { kind: 'replace', groups, with: inserted, ...(folds === undefined ? {} : { folds }), reasons };
}

function originalSet(set: RewriteEdit['set'], { messages, seen }: SeenMessages, at: number): RewriteEdit['set'] {
  const [own, copy] = [messages[at]!, seen[at]!];
  const before = toolCalls(copy);
  return {
    ...set,
    ...('content' in set ? { content: originalContent(set.content, own, copy) } : {}),
    ...(set.tool_calls
      ? {
          tool_calls: set.tool_calls.map((call, index) =>
            jsonText(call) === jsonText(before[index]) ? toolCalls(own)[index]! : call,
          ),
        }
      : {}),
  };
}

function originalInserted(
  { handoff, quote, carry, sources }: Inserted,
  given: SeenMessages,
  reader: EngineHost['reader'],
): Inserted {
  const one = (carried: number | CarriedMessage): number | CarriedMessage =>
    typeof carried === 'number' ? carried : originalCarried(carried, given, reader);
  const all = (list: readonly Carried[]): readonly Carried[] =>
    list.map((carried) => (Array.isArray(carried) ? carried.map(one) : one(carried as number | CarriedMessage)));
  return {
    handoff,
    ...(quote ? { quote: all(quote) } : {}),
    carry: all(carry),
    ...(sources ? { sources: sources.map(({ line, from }) => ({ line, from: [...from] })) } : {}),
  };
}

function originalCarried(
  { at, skip, content }: CarriedMessage,
  { messages, seen }: SeenMessages,
  reader: EngineHost['reader'],
): CarriedMessage {
  const [own, copy] = [messages[at]!, seen[at]!];
  // Masking may have changed the length of the other system's handoff.
  const isHandoff = skip !== undefined && skip === foreignHandoffLength(copy, reader);
  return {
    at,
    ...(skip === undefined ? {} : { skip: isHandoff ? foreignHandoffLength(own, reader) : skip }),
    ...(content === undefined ? {} : { content: originalContent(content, own, copy) }),
  };
}

/** The same content, with every text and part that is a masked copy replaced by its original. */
function originalContent(content: Content, own: Message, copy: Message): Content {
  if (content === null || content === undefined) return content;
  if (typeof content === 'string') return originalText(content, own, copy);
  const [before, after] = [partsOf(copy.content), partsOf(own.content)];
  const places = new Map(before.map((part, index) => [jsonText(part), index]));
  return content.map((part: Part, index) => {
    const written = jsonText(part);
    const place = jsonText(before[index]) === written ? index : places.get(written);
    return place === undefined ? part : after[place]!;
  });
}

function originalText(content: string, own: Message, copy: Message): Content {
  if (content === contentText(copy.content) && partsOf(copy.content).length === 1) return contentText(own.content);
  const [before, after] = [contentText(copy.content), contentText(own.content)];
  // A note may be appended to a system prompt, which itself must not change.
  return isSystem(copy) && content.startsWith(before) ? after + content.slice(before.length) : content;
}

function partsOf(content: Content): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content } as Part];
  return content ?? [];
}
