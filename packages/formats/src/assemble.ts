import type { Part } from '@palimpsest/core';
import type { BlockMessage } from './grammar.ts';

/** The content that one step contributes to a message. */
export interface Fragment {
  readonly role: string;
  /** Index of the native message it comes from; `null` if it was inserted. */
  readonly index: number | null;
  readonly edited: boolean;
  readonly content: string | readonly Part[];
}

/** The content of a new message. */
export function toFragment(role: string, content: Fragment['content']): Fragment {
  return { role, index: null, edited: true, content };
}

/** A message under construction. */
interface Draft {
  readonly role: string;
  readonly fragments: Fragment[];
}

/**
 * Assembles fragments into messages. Fragments of one native message are joined again; an unchanged message is the native
 * object itself.
 * @param alternating also joins new neighbours of the same role, for dialects whose roles must alternate
 */
export function assemble<Native extends BlockMessage>(
  fragments: readonly Fragment[],
  natives: readonly Native[],
  alternating: boolean,
): readonly Native[] {
  const drafts: Draft[] = [];
  for (const fragment of fragments) {
    // Providers reject empty messages, so a message that an edit emptied is removed.
    if (fragment.edited && isEmpty(fragment.content)) continue;
    const draft = drafts.at(-1);
    if (draft && belongs(draft, fragment, alternating)) draft.fragments.push(fragment);
    else drafts.push({ role: fragment.role, fragments: [fragment] });
  }
  return drafts.map((draft) => finish(draft, natives));
}

function belongs({ role, fragments }: Draft, next: Fragment, alternating: boolean): boolean {
  if (role !== next.role) return false;
  const last = fragments.at(-1)!;
  if (last.index !== null && last.index === next.index) return true;
  // System messages are never joined, and neighbours in the caller's conversation stay separate.
  if (!alternating || role === 'system') return false;
  return last.index === null || next.index === null || next.index !== last.index + 1;
}

function finish<Native extends BlockMessage>({ role, fragments }: Draft, natives: readonly Native[]): Native {
  const from = new Set(fragments.map(({ index }) => index));
  const [first] = fragments;
  const native = from.size === 1 && first!.index !== null ? natives[first!.index] : undefined;
  if (native && isWhole(fragments, native)) return native;
  const content =
    fragments.length === 1 ? first!.content : inOrder(fragments.flatMap((fragment) => asBlocks(fragment.content)));
  // A message made from one native message keeps its other fields; one made from several has only role and content.
  return (native ? { ...native, content } : { role, content }) as Native;
}

function isWhole(fragments: readonly Fragment[], { content }: BlockMessage): boolean {
  if (fragments.some((fragment) => fragment.edited)) return false;
  if (typeof content === 'string') return true;
  return fragments.reduce((blocks, fragment) => blocks + fragment.content.length, 0) === content.length;
}

/** True if the content has nothing to send. */
export function isEmpty(content: Fragment['content']): boolean {
  return typeof content === 'string' ? content.trim() === '' : content.length === 0;
}

/** Converts content to blocks. */
export function asBlocks(content: Fragment['content']): readonly Part[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content } as Part];
}

/** Moves tool results to the start, as providers require. */
function inOrder(blocks: readonly Part[]): readonly Part[] {
  const isResult = (block: Part): boolean => block.type === 'tool_result' || 'toolResult' in block;
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}
