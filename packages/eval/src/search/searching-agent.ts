import type { Message } from '@palimpsest/core';
import { addFacts, type Facts, factKey, factNames, stillTogether } from '../future/facts.ts';
import type { Needs } from '../future/future-recall.ts';
import { readingsOf } from '../future/reading.ts';

/** How many names one query has at most. */
const namesPerQuery = 6;

/** Searches for names. @returns the answer of each call of a tool */
export type Search = (names: readonly string[]) => Promise<readonly string[]>;

/** What a simulated agent found. */
export interface Searched {
  readonly answers: readonly string[];
  /** Calls of tools. */
  readonly searches: number;
}

/**
 * Goes through the messages after a cut. Before each message of the agent, it searches for the facts that the message
 * uses and that neither the kept messages nor earlier answers have. It knows both names of every fact, and searches for
 * each fact once.
 */
export async function searchAlong(
  search: Search,
  needs: Needs,
  kept: readonly Message[],
  future: readonly Message[],
): Promise<Searched> {
  const visible: Facts = new Map();
  const see = (message: Message): void => {
    for (const { names } of readingsOf(message, false)) addFacts(names, visible, needs.wantedFacts);
  };
  for (const message of kept) see(message);
  const tried = new Set<string>();
  const answers: string[] = [];
  for (const message of future) {
    if (message.role !== 'assistant') continue;
    const used = factsUsed(message, needs).filter((key) => !tried.has(key));
    for (const key of used) tried.add(key);
    const missing = used.filter((key) => !stillTogether(needs.distances.get(key)!, visible.get(key)));
    const names = [...new Set(missing.flatMap(factNames))].slice(0, namesPerQuery);
    if (names.length === 0) continue;
    for (const answer of await search(names)) {
      answers.push(answer);
      see({ role: 'tool', content: answer });
    }
  }
  return { answers, searches: answers.length };
}

/** The facts of the past that a message uses, in the order of the needs. */
function factsUsed(message: Message, needs: Needs): string[] {
  const used: Facts = new Map();
  for (const { names } of readingsOf(message, true)) addFacts(names, used);
  const keys = [...used.keys()].flatMap((key) => {
    const [first, second] = factNames(key);
    return [key, factKey(second, first)].filter((either) => needs.facts.items.has(either));
  });
  return [...new Set(keys)];
}
