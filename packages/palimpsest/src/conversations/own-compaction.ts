import { isSummaryRequest } from '@palimpsest/agents';
import { isTextPart, leadingSystems, type Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import type { ModelWindows } from '../library/model-windows.ts';
import { type ConversationRequest, messagesOf } from './read-conversation.ts';

const counter = createTokenCounter();

/** True for a request with which an agent compacts its own history: its prompt or last user message asks for a summary. */
export function isOwnCompaction(request: ConversationRequest): boolean {
  const messages = messagesOf(request) ?? [];
  const prompts = messages.slice(0, leadingSystems(messages));
  const last = messages.findLast(({ role }) => role === 'user');
  return [...prompts, ...(last ? [last] : [])].flatMap(textsIn).some(isSummaryRequest);
}

/** True when a request and its answer are estimated to fit the window of their model. */
export function fitsWindow(request: ConversationRequest, windows: ModelWindows): boolean {
  const window = windows(request.model)?.contextLength;
  return window === undefined || tokensOf(request) + request.maxTokens <= window;
}

function tokensOf(request: ConversationRequest): number {
  const messages = messagesOf(request);
  return messages
    ? counter.countRequest({ messages, tools: request.tools })
    : counter.countText(request.bytes.toString());
}

function textsIn({ content }: Message): readonly string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).filter(isTextPart).map(({ text }) => text);
}
