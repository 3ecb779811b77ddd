import { isSummaryRequest } from '@palimpsest/agents';
import { anthropic, type Codec, openaiChat, openaiResponses } from '@palimpsest/formats';
import { createTokenCounter } from '@palimpsest/tokens';
import type { ModelWindows } from '../library/model-windows.ts';
import type { ConversationRequest } from './read-conversation.ts';

const counter = createTokenCounter();

/** True for a request with which an agent compacts its own history: it asks for a summary. */
export function isOwnCompaction({ items, body }: ConversationRequest): boolean {
  const last = items.findLast((item) => roleOf(item) === 'user');
  const system = items.find((item) => roleOf(item) === 'system' || roleOf(item) === 'developer');
  const texts = [contentOf(last), contentOf(system), body.system, body.instructions].flatMap(textsOf);
  return texts.some(isSummaryRequest);
}

const codecs: Readonly<Record<ConversationRequest['format'], unknown>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
};

/** True when a request and its answer are estimated to fit the window of their model. */
export function fitsWindow(request: ConversationRequest, windows: ModelWindows): boolean {
  const window = windows(request.model)?.contextLength;
  return window === undefined || tokensOf(request) + request.maxTokens <= window;
}

function tokensOf({ body, format, bytes }: ConversationRequest): number {
  const tools = Array.isArray(body.tools) ? (body.tools as unknown[]) : [];
  try {
    const { messages } = (codecs[format] as Codec<ConversationRequest['body']>).decode(body);
    return counter.countRequest({ messages, tools });
  } catch {
    // A conversation that cannot be read.
    return counter.countText(bytes.toString());
  }
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
