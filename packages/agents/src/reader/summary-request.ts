import { isTextPart, leadingSystems, type Message } from '@palimpsest/core';
import { startsWithAny } from '../any-of.ts';
import { knownAgents } from '../known-agents.ts';

const startsSummary = startsWithAny(knownAgents.flatMap(({ summaryRequests = [] }) => summaryRequests));

/**
 * True for a text in which a known agent asks a model to summarize the agent's history.
 * @param text text of the last user message, or the system prompt
 */
export function isSummaryRequest(text: string): boolean {
  return startsSummary(text.trimStart());
}

/** True for messages with which a known agent compacts its own history: its prompt or the last user message asks for a summary. */
export function asksForSummary(messages: readonly Message[]): boolean {
  const prompts = messages.slice(0, leadingSystems(messages));
  const last = messages.findLast(({ role }) => role === 'user');
  return [...prompts, ...(last ? [last] : [])].flatMap(textsIn).some(isSummaryRequest);
}

function textsIn({ content }: Message): readonly string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).filter(isTextPart).map(({ text }) => text);
}
