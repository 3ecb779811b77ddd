import type { Part } from '@palimpsest/core';
import type { BlockMessage } from './grammar.ts';

/** What one step leaves in the conversation, before it becomes (part of) a message. */
export interface Fragment {
  readonly role: string;
  /** The native message it comes from; `null` for what was inserted. */
  readonly index: number | null;
  readonly edited: boolean;
  readonly content: string | readonly Part[];
}

/** A message under construction. */
interface Draft {
  readonly role: string;
  readonly fragments: Fragment[];
}

/**
 * Puts fragments together: those of one native message in that message again. What was left whole is the native object
 * itself.
 * @param alternating also joins neighbours of one role that were no neighbours before, where turns have to alternate
 */
export function assemble<Native extends BlockMessage>(
  fragments: readonly Fragment[],
  natives: readonly Native[],
  alternating: boolean,
): readonly Native[] {
  const drafts: Draft[] = [];
  for (const fragment of fragments) {
    // A message without content is refused; what an edit left nothing of is gone.
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
  // System messages stand alone, and the caller's own neighbours stay as the caller had them.
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
  // One message of the caller's that lost a part keeps what else stands on it; a message of several has no one envelope.
  return (native ? { ...native, content } : { role, content }) as Native;
}

function isWhole(fragments: readonly Fragment[], { content }: BlockMessage): boolean {
  if (fragments.some((fragment) => fragment.edited)) return false;
  if (typeof content === 'string') return true;
  return fragments.reduce((blocks, fragment) => blocks + fragment.content.length, 0) === content.length;
}

/** True when the content has nothing to send. */
export function isEmpty(content: Fragment['content']): boolean {
  return typeof content === 'string' ? content.trim() === '' : content.length === 0;
}

export function asBlocks(content: Fragment['content']): readonly Part[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content } as Part];
}

/** Tool results come first in their message. */
function inOrder(blocks: readonly Part[]): readonly Part[] {
  const isResult = ({ type }: Part): boolean => type === 'tool_result';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}
