import { contentText, type Message, type Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { assemble, type Fragment, toFragment } from '../assemble.ts';
import type { Decoded, EditedMessages } from '../codec.ts';
import { PartPool } from '../content.ts';
import { withoutLoneThoughts } from '../lone-thoughts.ts';
import { type Fields, fieldsOf } from '../record.ts';
import { replay, type Step } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { nativeBlocks, toolNames } from '../write-message.ts';
import type { AiSdkConversation, AiSdkMessage } from './conversation.ts';
import { systemOf } from './decode.ts';
import { aiSdkGrammar } from './grammar.ts';
import { viewPart } from './media.ts';
import { roleOf, writeParts } from './write.ts';

/** Fields in which the SDK keeps provider data of a part, keyed by provider. */
const places = ['providerOptions', 'providerMetadata'] as const;

export function encodeAiSdk<Native extends AiSdkConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  const prompts: (string | AiSdkMessage)[] = [...systemOf(native)];
  let promptsEdited = false;
  const fragments: Fragment[] = [];
  const names = toolNames(decoded.messages);
  for (const step of steps) {
    const piece = step.kind === 'inserted' ? undefined : decoded.origins[step.unit]!.pieces[0]!;
    if (piece?.index !== -1) for (const fragment of fragmentsOf(decoded, step, names)) fragments.push(fragment);
    else if (step.kind === 'rewritten') {
      const at = piece.blocks?.[0] ?? 0;
      const content = contentText(step.message.content);
      const old = prompts[at]!;
      prompts[at] = typeof old === 'string' ? content : { ...old, content };
      promptsEdited = true;
    }
  }
  const messages = assemble(fragments, native.messages, false);
  if (!promptsEdited) return { ...native, messages };
  return { ...native, system: Array.isArray(native.system) ? prompts : prompts[0], messages };
}

function fragmentsOf(
  decoded: Decoded<AiSdkConversation>,
  step: Step,
  names: ReadonlyMap<string, string>,
): readonly Fragment[] {
  if (step.kind === 'removed') return [];
  if (step.kind === 'inserted') {
    const pool = new PartPool(
      step.carries.flatMap((unit) => nativeBlocks(decoded, unit)),
      viewPart,
    );
    const content = writeParts(step.message, pool, names);
    return [toFragment(roleOf(step.message), content)];
  }
  return decoded.origins[step.unit]!.pieces.map(({ index, blocks: at }, piece): Fragment => {
    const { role, content } = decoded.native.messages[index]!;
    const blocks = typeof content === 'string' || !at ? content : at.map((position) => content[position]!);
    if (step.kind === 'kept' || piece > 0) return { role, index, edited: false, content: blocks };
    const rewritten = rewriteBlocks(aiSdkGrammar, blocks, decoded.messages[step.unit]!, step.message);
    const isList = typeof blocks !== 'string' && typeof rewritten !== 'string';
    return { role, index, edited: true, content: isList ? withLegalIds(blocks, rewritten) : rewritten };
  });
}

/** Writes core messages as a new conversation. */
export function writeAiSdk(messages: readonly Message[]): AiSdkConversation {
  const names = toolNames(messages);
  const pool = new PartPool([]);
  const fragments = messages.map((message) => toFragment(roleOf(message), writeParts(message, pool, names)));
  return { messages: assemble<AiSdkMessage>(fragments, [], false) };
}

/**
 * Removes item ids that an edited assistant message may not keep. By default the SDK sends OpenAI the id of a part
 * (`item_reference`) instead of its text, so an edit is sent only if the edited part has no id. Reasoning with an id is
 * removed together with the part it led to. When reasoning is removed, the remaining parts lose their ids.
 */
function withLegalIds(before: readonly Part[], after: readonly Part[]): readonly Part[] {
  if (!before.some(hasItemId)) return after;
  const own = new Set(before);
  const rewritten = after.map((part) => (own.has(part) ? part : withoutItemId(part)));
  const kept = withoutLoneThoughts(before, rewritten, { isThought, keyOf });
  const thoughts = new Set(kept.filter(isThought));
  if (before.every((part) => !isThought(part) || thoughts.has(part))) return kept;
  return kept.map((part) => (isThought(part) ? part : withoutItemId(part)));
}

function isThought(part: Part): boolean {
  return part.type === 'reasoning' && hasItemId(part);
}

function keyOf(part: Part): unknown {
  return part.type === 'tool-call' ? fieldsOf(part).toolCallId : part;
}

function hasItemId(part: Part): boolean {
  return places.some((place) => providersOf(part, place).some(([, fields]) => 'itemId' in fields));
}

function providersOf(part: Part, place: (typeof places)[number]): readonly (readonly [name: string, Fields])[] {
  const given = fieldsOf(part)[place];
  if (!isRecord(given)) return [];
  return Object.entries(given).flatMap(([name, fields]) => (isRecord(fields) ? [[name, fields] as const] : []));
}

function withoutItemId(part: Part): Part {
  if (!hasItemId(part)) return part;
  const changed: Record<string, unknown> = {};
  for (const place of places) {
    const providers = providersOf(part, place).map(([name, { itemId: _, ...rest }]) => [name, rest] as const);
    if (providers.length > 0) changed[place] = Object.fromEntries(providers);
  }
  return { ...part, ...changed } as Part;
}
