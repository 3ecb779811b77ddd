import { agentReader } from '@palimpsest/agents';
import type { Message } from '@palimpsest/core';
import { readCalls } from '@palimpsest/eval/measures';

/** Kinds of sessions, each with its definition. */
export const sessionKinds = {
  research: 'more than half of the calls search or browse, or results of a browser come as user messages',
  'many turns': '5 or more messages of a user',
  'one long run': '1 or 2 messages of a user and more than 40 tool calls',
  chat: 'fewer than 2 tool calls per message of a user',
  other: 'everything else',
} as const;

export type SessionKind = keyof typeof sessionKinds;

const browsing = /search(?!_for_pattern)|web|browser|browse|fetch|navigate|visit|crawl|extract/;

/** Returns the kind of a whole session; the first that fits. */
export function kindOf(messages: readonly Message[]): SessionKind {
  const calls = readCalls(messages);
  const users = messages.filter(({ role }) => role === 'user');
  const said = users.filter((message) => agentReader.separateSpeech(message).said !== null).length;
  const pages = users.filter(
    ({ content }) =>
      typeof content === 'string' &&
      /^(?:I (?:clicked|typed|scrolled|visited)|Title: |\{\s*"searchParameters")/.test(content),
  ).length;
  if (pages > 3 || calls.filter(({ tool }) => browsing.test(tool)).length * 2 > calls.length) return 'research';
  if (calls.length < said * 2) return 'chat';
  if (said >= 5) return 'many turns';
  return said <= 2 && calls.length > 40 ? 'one long run' : 'other';
}
