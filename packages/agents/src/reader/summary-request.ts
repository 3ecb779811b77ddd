import { startsWithAny } from '../any-of.ts';
import { knownAgents } from '../known-agents.ts';

const asksForSummary = startsWithAny(knownAgents.flatMap(({ summaryRequests = [] }) => summaryRequests));

/**
 * True for a text in which a known agent asks a model to summarize the agent's history.
 * @param text text of the last user message, or the system prompt
 */
export function isSummaryRequest(text: string): boolean {
  return asksForSummary(text.trimStart());
}
