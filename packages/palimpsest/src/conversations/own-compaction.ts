import { isSummaryRequest } from '@palimpsest/agents';
import { createTokenCounter } from '@palimpsest/tokens';
import type { ModelWindows } from '../library/model-windows.ts';
import type { ConversationRequest } from './read-conversation.ts';
import { messagesOf } from './request-messages.ts';

const counter = createTokenCounter();

/** True for a request with which an agent compacts its own history: it asks for a summary. */
export function isOwnCompaction({ items, body }: ConversationRequest): boolean {
  const last = items.findLast((item) => roleOf(item) === 'user');
  const system = items.find((item) => roleOf(item) === 'system' || roleOf(item) === 'developer');
  const texts = [contentOf(last), contentOf(system), body.system, body.instructions].flatMap(textsOf);
  return texts.some(isSummaryRequest);
}

/** True when a request and its answer are estimated to fit the window of their model. */
export function fitsWindow(request: ConversationRequest, windows: ModelWindows): boolean {
  const window = windows(request.model)?.contextLength;
  return window === undefined || tokensOf(request) + request.maxTokens <= window;
}

function tokensOf(request: ConversationRequest): number {
  const { body, bytes } = request;
  const tools = Array.isArray(body.tools) ? (body.tools as unknown[]) : [];
  const messages = messagesOf(request);
  return messages ? counter.countRequest({ messages, tools }) : counter.countText(bytes.toString());
}

function roleOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'role' in item ? item.role : undefined;
}

function contentOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'content' in item ? item.content : undefined;
}

/** The texts of a content: a string, or blocks of any format. */
function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as readonly { readonly text?: unknown }[]).flatMap((block) =>
    typeof block?.text === 'string' ? [block.text] : [],
  );
}
