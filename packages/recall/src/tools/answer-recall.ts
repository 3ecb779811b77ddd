import { isRecallTool } from '@palimpsest/agents';
import { toolCalls } from '@palimpsest/core';
import { identifiersOf, oneLine, truncate } from '@palimpsest/pruner/salience';
import type { Entry, Found } from '../hidden/hidden-index.ts';
import { callHead } from '../hidden/hidden-text.ts';
import { readRef } from '../hidden/ref.ts';
import { eachRow } from '../hidden/rows.ts';
import { eachTerm } from '../search/terms.ts';
import { codesOf } from '../search/text-codes.ts';
import { BoundedAnswer, numberRow } from './answer.ts';
import { answerExpand } from './answer-expand.ts';
import { type CallArguments, someText, wholeNumber } from './arguments.ts';
import { searchHidden } from './search-hidden.ts';
import type { ToolContext } from './tool-context.ts';
import { defaultHits, maxHits } from './tool-schemas.ts';

/** Longer queries are cut. */
const maxQueryLength = 1000;
const maxEchoLength = 100;

/** Answers a call of `recall`. A query that is a ref is answered like a call of `expand`. */
export function answerRecall(input: CallArguments, context: ToolContext): string {
  const query = someText(input.query)?.slice(0, maxQueryLength);
  if (query === undefined) return 'recall needs "query": a few exact names, paths or words.';
  if (context.index.size === 0 && !context.isIncomplete)
    return 'Nothing is hidden: the whole conversation is in your context. Do not call recall again.';
  const ref = readRef(query);
  if (ref !== null && context.index.get(ref)) return answerExpand({ ref }, context);
  const limit = wholeNumber(input.limit, 1, maxHits, defaultHits);
  const hits = searchHidden(query, limit, context, filter(input, context));
  return hits.length === 0 ? miss(query, input, context) : formatHits(hits, context);
}

/** The filters `tool` and `before`. */
function filter(input: CallArguments, { history }: ToolContext): (entry: Entry) => boolean {
  const tool = someText(input.tool)?.toLowerCase();
  const before = wholeNumber(input.before, 0, Number.MAX_SAFE_INTEGER, 0);
  return (entry) =>
    (tool === undefined || entry.tool.toLowerCase() === tool) && (entry.at < 0 || history.length - entry.at > before);
}

function formatHits(hits: readonly Found[], context: ToolContext): string {
  const answer = new BoundedAnswer(context.count, context.maxTokens);
  answer.add(['Quoted from what is hidden. expand with a ref shows more of it.']);
  let number = 0;
  for (const hit of hits) {
    number++;
    const share = Math.floor(answer.free / (hits.length - number + 1));
    if (!answer.add(hitLines({ ...hit, number }, share, answer, context))) break;
  }
  if (context.isIncomplete) answer.add(['Older messages could not be searched now.']);
  return answer.text();
}

/** The lines of one hit, with as many rows as fit into `share` tokens. */
function hitLines(
  { entry, chunk, number }: Found & { readonly number: number },
  share: number,
  answer: BoundedAnswer,
  context: ToolContext,
) {
  const age = entry.at < 0 ? 'before the oldest message' : `${context.history.length - entry.at} messages ago`;
  const head = (last: number): string =>
    `[${number}] ref ${entry.ref}: ${entry.head}, ${age}, ${last === chunk.row ? `line ${last}` : `lines ${chunk.row}-${last}`}`;
  const rows: string[] = [];
  let left = share - answer.cost(head(chunk.row + 99_999));
  eachRow(entry.text, chunk.from, chunk.to, (from, to) => {
    const row = numberRow(chunk.row + rows.length, entry.text.slice(from, to));
    left -= answer.cost(row);
    if (left < 0) return false;
    rows.push(row);
    return true;
  });
  return rows.length === 0 ? [head(chunk.row)] : [head(chunk.row + rows.length - 1), ...rows];
}

/** Answers a search without hits. Does not suggest another query, because models then try again many times. */
function miss(query: string, input: CallArguments, context: ToolContext): string {
  const isFiltered = someText(input.tool) !== null || wholeNumber(input.before, 0, Number.MAX_SAFE_INTEGER, 0) > 0;
  const answer = new BoundedAnswer(context.count, context.maxTokens);
  const echo = truncate(oneLine(query), maxEchoLength);
  if (isFiltered && context.index.search(query, () => true).length > 0)
    answer.add(['Nothing matches with "tool" and "before". Without them there are matches.']);
  else if (context.isIncomplete) answer.add([`Nothing matches "${echo}". Older messages could not be searched now.`]);
  else answer.add([`Nothing that is hidden matches "${echo}". Do not search for it again.`]);
  answer.add([howToGetAgain(query, context)]);
  return answer.text();
}

/** Calls older than this many messages are not suggested. */
const maxDistance = 1000;
const maxPathLength = 120;
const fileName: RegExp = /^[^\s:]*(?:\/|\.[a-zA-Z]\w{0,7}$)/;

/** Returns one sentence that says how to get the information again, if possible with a call. */
function howToGetAgain(query: string, context: ToolContext): string {
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
