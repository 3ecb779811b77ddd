import type { Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { withoutLoneThoughts } from '../lone-thoughts.ts';
import { type Fields, fieldsOf } from '../record.ts';

/** Fields in which the SDK keeps provider data of a part, keyed by provider. */
const places = ['providerOptions', 'providerMetadata'] as const;

/**
 * Removes item ids that an edited assistant message may not keep. By default the SDK sends OpenAI the id of a part
 * (`item_reference`) instead of its text, so an edit is sent only if the edited part has no id. Reasoning with an id is
 * removed together with the part it led to. When reasoning is removed, the remaining parts lose their ids.
 */
export function withLegalIds(before: readonly Part[], after: readonly Part[]): readonly Part[] {
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
