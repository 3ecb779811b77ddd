import type { Part } from '@palimpsest/core';
import { withoutLoneThoughts } from '../lone-thoughts.ts';
import { type Fields, fieldsOf, isRecord } from '../record.ts';

/** Where the SDK keeps what a provider knows of a part, by provider. */
const places = ['providerOptions', 'providerMetadata'] as const;

/**
 * The parts of an edited assistant message as a provider that stores its answers takes them. By default the SDK sends
 * OpenAI the id of a part instead of its text (`item_reference`): an edited part must go without its id, or the edit is
 * not sent. A thought with an id goes with the part it led to, and the parts behind a removed one go without their ids.
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
