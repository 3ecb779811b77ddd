import { isTextPart, leadingSystems, type Message } from '@palimpsest/core';
import { startsWithAny } from '../any-of.ts';
import { knownAgents } from '../known-agents.ts';

const startsSummary = startsWithAny(knownAgents.flatMap(({ summaryRequests = [] }) => summaryRequests));

/** True for messages with which a known agent compacts its own history: its prompt or the last user message asks for a summary. */
export function asksForSummary(messages: readonly Message[]): boolean {
  const prompts = messages.slice(0, leadingSystems(messages));
  const last = messages.findLast(({ role }) => role === 'user');
  return [...prompts, ...(last ? [last] : [])].flatMap(textsIn).some((text) => startsSummary(text.trimStart()));
}

function textsIn({ content }: Message): readonly string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).filter(isTextPart).map(({ text }) => text);
}
