import { isRecallTool } from '@palimpsest/agents';
import { toolCalls } from '@palimpsest/core';
import { identifiersOf, truncate } from '@palimpsest/pruner/salience';
import { callHead } from '../hidden/hidden-text.ts';
import { eachTerm } from '../search/terms.ts';
import { codesOf } from '../search/text-codes.ts';
import type { ToolContext } from './tool-context.ts';

/** Calls older than this many messages are not suggested. */
const maxDistance = 1000;
const maxPathLength = 120;
const fileName: RegExp = /^[^\s:]*(?:\/|\.[a-zA-Z]\w{0,7}$)/;

/** Returns one sentence that says how to get the information again, if possible with a call. */
export function howToGetAgain(query: string, context: ToolContext): string {
  const call = closestCall(query, context);
  if (call !== null) return `To get it, look at the result of this call in your context, or run it again: ${call}`;
  const path = identifiersOf(query).find((identifier) => fileName.test(identifier));
  if (path !== undefined) return `To get it, read ${truncate(path, maxPathLength)} again.`;
  return 'To get it, run the command or read the file that shows it again.';
}

/**
 * Returns the visible call that shares the most terms with the query, and the newest one among equals. Returns `null` if no
 * call shares a term.
 */
function closestCall(query: string, { history, projection }: ToolContext): string | null {
  const wanted = termsOf(query);
  let best: string | null = null;
  let maxShared = 0;
  for (let at = history.length - 1; at >= Math.max(0, history.length - maxDistance) && maxShared < wanted.size; at--) {
    const outcome = projection?.provenance.source[at];
    if (outcome && outcome.kind !== 'kept') continue;
    for (const call of toolCalls(history[at]!)) {
      const head = callHead(call);
      if (isRecallTool(call.type === 'custom' ? call.custom.name : call.function.name)) continue;
      let shared = 0;
      for (const term of termsOf(head)) if (wanted.has(term)) shared++;
      if (shared <= maxShared) continue;
      maxShared = shared;
      best = head;
    }
  }
  return best;
}

/** Terms of at least four characters. Shorter words rarely identify a call. */
function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  eachTerm(codesOf(text), text.length, (from, to) => {
    if (to - from >= 4) terms.add(text.slice(from, to).toLowerCase());
  });
  return terms;
}
