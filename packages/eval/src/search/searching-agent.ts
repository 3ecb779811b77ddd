import type { Message } from '@palimpsest/core';
import { addFacts, type Facts, factKey, factNames, stillTogether } from '../future/facts.ts';
import type { Needs } from '../future/future-recall.ts';
import { readingsOf } from '../future/reading.ts';

/** How many names each query of a step has at most; a later query is asked only if the ones before it missed a fact. */
export type QueryPlan = readonly number[];

/** The two simulated agents. */
export const queryPlans: Readonly<Record<'up to six names' | 'two names, then one', QueryPlan>> = {
  /** Knows both names of every fact it needs, and asks once. */
  'up to six names': [6],
  /** Knows one name of a fact. It asks with two such names, then with one. */
  'two names, then one': [2, 1],
};

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
 * uses and that neither the kept messages nor earlier answers have. Each fact is searched for in one step only.
 */
export async function searchAlong(
  search: Search,
  plan: QueryPlan,
  needs: Needs,
  kept: readonly Message[],
  future: readonly Message[],
): Promise<Searched> {
  const visible: Facts = new Map();
  const see = (message: Message): void => {
    for (const { names } of readingsOf(message, false)) addFacts(names, visible, needs.wantedFacts);
  };
  for (const message of kept) see(message);
  const isMissing = (key: string): boolean => !stillTogether(needs.distances.get(key)!, visible.get(key));
  const tried = new Set<string>();
  const answers: string[] = [];
  for (const message of future) {
    if (message.role !== 'assistant') continue;
    const used = factsUsed(message, needs).filter((key) => !tried.has(key));
    for (const key of used) tried.add(key);
    const asked = new Set<string>();
    for (const most of plan) {
      const missing = used.filter(isMissing);
      const names = queryNames(missing, most, plan.length > 1, asked);
      if (names.length === 0) break;
      for (const name of names) asked.add(name);
      for (const answer of await search(names)) {
        answers.push(answer);
        see({ role: 'tool', content: answer });
      }
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

/** Names to ask for. @param oneOfEach true for only one name of each fact, as for an agent that does not know the other */
function queryNames(
  missing: readonly string[],
  most: number,
  oneOfEach: boolean,
  asked: ReadonlySet<string>,
): readonly string[] {
  const names = new Set<string>();
  for (const key of missing) {
    const both = factNames(key);
    for (const name of oneOfEach ? [both.find((one) => !asked.has(one)) ?? both[0]] : both)
      if (names.size < most && !asked.has(name)) names.add(name);
  }
  return [...names];
}
