import type { Message } from '@palimpsest/core';
import { createRecall, type Projection } from '@palimpsest/recall';

/** Finds out with which words the tool `recall` finds a hidden message. */
export interface RecallQueries {
  /**
   * A query that finds the message, verified by a search; `null` if none of its own words does.
   * @param text its content, for distinctive words
   * @param names paths and identifiers of the message, most wanted first
   */
  find(at: number, text: string, names: readonly string[]): Promise<string | null>;
  /** Frees the memory of the index. */
  release(): void;
}

const distinctWord: RegExp = /[\p{L}\p{N}_]{5,40}/gu;
const wordsPerQuery = 6;
/** The part of a text that words are taken from. */
const readLength = 4_000;

/** @param id of the session */
export function createRecallQueries(
  id: string,
  messages: readonly Message[],
  projection: Projection,
  redact: (text: string) => string,
): RecallQueries {
  const recall = createRecall({ sessionId: id, redact });
  recall.update(messages, projection);
  return {
    async find(at, text, names) {
      const refs = recall.refsOf(at);
      if (refs.length === 0) return null;
      for (const query of candidates(text, names, refs[0]!.head)) {
        const answer = await recall.callTool('recall', { query });
        if (refs.some(({ ref }) => answer.includes(`] ref ${ref}: `))) return query;
      }
      return null;
    },
    release: () => recall.release(),
  };
}

/** What an agent might search for: a few names, the longest words, the call. */
function candidates(text: string, names: readonly string[], head: string): readonly string[] {
  const words = [...new Set(text.slice(0, readLength).match(distinctWord))];
  const longest = words.sort((a, b) => b.length - a.length).slice(0, wordsPerQuery);
  const queries = [names.slice(0, 2), names.slice(0, 4), longest, [head], [...names.slice(0, 2), ...longest]];
  return [...new Set(queries.map((parts) => parts.join(' ')).filter((query) => query !== ''))];
}
