import type { Body, PreparedBody, Wire } from '@palimpsest/session/fetch';
import type { Item, ProviderApi } from './provider-api.ts';

/** Where the newest handoff is in a prepared body, and how far it reaches. */
export interface HandoffPlace {
  /** Index in the list of the body. */
  readonly at: number;
  /** The decoded messages before this index are covered by the handoff, or kept in front of it. */
  readonly to: number;
  /** The text of the handoff, without the cache marks that callers move. */
  readonly text: string;
}

/** Finds the newest handoff in a prepared body; `null` if nothing was compacted. */
export function findHandoff({ body, request, wire }: PreparedBody): HandoffPlace | null {
  const { output } = request.info.provenance;
  const index = output.findLastIndex(({ kind }) => kind === 'inserted');
  const origin = output[index];
  const inserted = request.messages[index];
  if (origin?.kind !== 'inserted' || !inserted) return null;
  const text = textOf(inserted.content);
  const at = listOf(body, wire).findIndex(({ role, content }) => role === 'user' && textOf(content).startsWith(text));
  return at < 0 ? null : { at, to: origin.covers.to, text };
}

/** The caller's own items of the decoded messages `[from, to)`, without instructions. */
export function itemsBetween(
  { isInstruction }: ProviderApi,
  { decoded, wire }: Pick<PreparedBody, 'decoded' | 'wire'>,
  from: number,
  to: number,
): readonly Item[] {
  const natives = listOf(decoded.native, wire);
  const blocks = new Map<number, Set<number> | null>();
  for (const { pieces } of decoded.origins.slice(from, to))
    for (const { index, blocks: own } of pieces) {
      const before = blocks.get(index);
      if (!own) blocks.set(index, null);
      else if (before !== null) blocks.set(index, new Set([...(before ?? []), ...own]));
    }
  return [...blocks]
    .sort(([left], [right]) => left - right)
    .flatMap(([index, own]) => {
      const native = natives[index];
      if (!native || isInstruction(native)) return [];
      const { content } = native;
      if (own === null || !Array.isArray(content) || own.size === content.length) return [native];
      return [{ ...native, content: content.filter((_, at) => own.has(at)) }];
    });
}

export function listOf(body: Body, { list }: Wire): readonly Item[] {
  const items = body[list];
  return Array.isArray(items) ? (items as readonly Item[]) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = (content as readonly Item[]).map(({ text }) => (typeof text === 'string' ? text : ''));
  return texts.find((text) => text !== '') ?? '';
}
