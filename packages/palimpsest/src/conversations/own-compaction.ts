import { agentReader, asksForSummary } from '@palimpsest/agents';
import { readAnyHandoff } from '@palimpsest/core';
import { createModelCounter } from '@palimpsest/tokens/models';
import type { ModelWindows } from '../library/model-windows.ts';
import { type ConversationRequest, messagesOf, windowOf } from './read-conversation.ts';

/** True for a request with which an agent compacts its own history. */
export function isOwnCompaction(request: ConversationRequest): boolean {
  return asksForSummary(messagesOf(request) ?? []);
}

/** True for a request whose history has a summary that the agent wrote itself. */
export function hasOwnSummary(request: ConversationRequest): boolean {
  return (messagesOf(request) ?? []).some((message) => readAnyHandoff(message, agentReader)?.version === 0);
}

/** True when a request and its answer are estimated to fit the window of their model. */
export function fitsWindow(request: ConversationRequest, windows: ModelWindows): boolean {
  const window = windowOf(request, windows);
  return window === undefined || tokensOf(request) + request.maxTokens <= window;
}

function tokensOf(request: ConversationRequest): number {
  const counter = createModelCounter(request.model);
  const messages = messagesOf(request);
  return messages
    ? counter.countRequest({ messages, tools: request.tools })
    : counter.countText(request.bytes.toString());
}
