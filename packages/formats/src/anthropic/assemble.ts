import type { AnthropicBlock, AnthropicMessage } from './conversation.ts';

/** What one step leaves in the conversation, before it becomes (part of) a message. */
export interface Fragment {
  readonly role: AnthropicMessage['role'];
  /** The native message it comes from; `null` for what was inserted. */
  readonly index: number | null;
  readonly edited: boolean;
  readonly content: string | readonly AnthropicBlock[];
}

/** A message under construction. */
interface Draft {
  readonly role: AnthropicMessage['role'];
  readonly fragments: Fragment[];
}

/**
 * Puts fragments together: those of one native message in that message again, and neighbours of one role that were no
 * neighbours before in one message, because turns alternate. What was left whole is the native object itself.
 */
export function assemble(
  fragments: readonly Fragment[],
  natives: readonly AnthropicMessage[],
): readonly AnthropicMessage[] {
  const drafts: Draft[] = [];
  for (const fragment of fragments) {
    // A message without content is refused; what an edit left nothing of is gone.
    if (fragment.edited && isEmpty(fragment.content)) continue;
    const draft = drafts.at(-1);
    if (draft && belongs(draft, fragment)) draft.fragments.push(fragment);
    else drafts.push({ role: fragment.role, fragments: [fragment] });
  }
  return drafts.map((draft) => finish(draft, natives));
}

function belongs({ role, fragments }: Draft, next: Fragment): boolean {
  if (role !== next.role) return false;
  const last = fragments.at(-1)!;
  if (last.index !== null && last.index === next.index) return true;
  // System messages stand alone, and the caller's own neighbours stay as the caller had them.
  if (role === 'system') return false;
  return last.index === null || next.index === null || next.index !== last.index + 1;
}

function finish({ role, fragments }: Draft, natives: readonly AnthropicMessage[]): AnthropicMessage {
  const from = new Set(fragments.map(({ index }) => index));
  const [first] = fragments;
  const native = first!.index === null ? undefined : natives[first!.index];
  if (native && from.size === 1 && isWhole(fragments, native)) return native;
  const content =
    fragments.length === 1 ? first!.content : inOrder(fragments.flatMap((fragment) => asBlocks(fragment.content)));
  // One message of the caller's that lost a part keeps what else stands on it; a message of several has no one envelope.
  return native && from.size === 1 ? { ...native, content } : { role, content };
}

function isWhole(fragments: readonly Fragment[], { content }: AnthropicMessage): boolean {
  if (fragments.some((fragment) => fragment.edited)) return false;
  if (typeof content === 'string') return true;
  return fragments.reduce((blocks, fragment) => blocks + fragment.content.length, 0) === content.length;
}

function isEmpty(content: Fragment['content']): boolean {
  return typeof content === 'string' ? content.trim() === '' : content.length === 0;
}

function asBlocks(content: Fragment['content']): readonly AnthropicBlock[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content } as AnthropicBlock];
}

/** Tool results come first in their message. */
function inOrder(blocks: readonly AnthropicBlock[]): readonly AnthropicBlock[] {
  const isResult = ({ type }: AnthropicBlock): boolean => type === 'tool_result';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}
