import { hasToolCalls, type ToolCall, toolCallInput, toolCalls } from '@palimpsest/core';
import { isJson } from '@palimpsest/core/authoring';
import { startOf } from '@palimpsest/salience';
import type { Proposal } from './proposal.ts';
import type { PruneView, Strategy } from './strategy.ts';

/** Arguments up to this many characters stay as they are. */
const longInput = 500;
/** Text leaves longer than this keep their head. */
const longLeaf = 200;
const mark = '...[truncated]';

/**
 * Old tool-call arguments over 500 characters: long texts inside of the JSON keep their first 200 characters and a mark;
 * everything else stays, and the result always parses. What is not JSON is left alone.
 */
export const shortenArguments: Strategy = {
  name: 'arguments',
  propose(view) {
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < view.oldEnd; at++) {
      const proposal = proposeShorter(view, at);
      if (proposal) proposals.push(proposal);
    }
    return proposals;
  },
};

/** The proposal to shorten one message's arguments, wherever it stands; `null` when there is nothing to shorten. */
export function proposeShorter(view: PruneView, at: number): Proposal | null {
  if (!hasToolCalls(view.transcript.messages[at]!)) return null;
  const message = view.message(at);
  if (!message) return null;
  let shortened = 0;
  const calls = toolCalls(message).map((call): ToolCall => {
    const input = call.type === 'custom' ? null : shortenInput(toolCallInput(call));
    if (call.type === 'custom' || input === null) return call;
    shortened++;
    return { ...call, function: { ...call.function, arguments: input } };
  });
  if (shortened === 0) return null;
  return {
    at,
    set: { tool_calls: calls },
    note: `Long texts in the arguments of ${shortened === 1 ? 'a call' : `${shortened} calls`} were cut.`,
  };
}

/**
 * The JSON with its long texts cut; `null` when there is nothing to cut, or it is no JSON. Works on the text, so that
 * everything else keeps its bytes: numbers beyond 2^53, repeated keys, spacing.
 */
function shortenInput(input: string): string | null {
  if (input.length <= longInput || !isJson(input)) return null;
  const pieces: string[] = [];
  let copied = 0;
  const closingQuote = closingQuotes(input);
  for (let open = input.indexOf('"'); open >= 0; ) {
    const end = closingQuote(open) + 1;
    if (end - open > longLeaf + mark.length && !isKey(input, end)) {
      const leaf = JSON.parse(input.slice(open, end)) as string;
      if (leaf.length > longLeaf + mark.length) {
        pieces.push(input.slice(copied, open), JSON.stringify(startOf(leaf, longLeaf) + mark));
        copied = end;
      }
    }
    open = input.indexOf('"', end);
  }
  if (copied === 0) return null;
  const shorter = pieces.join('') + input.slice(copied);
  return shorter.length < input.length ? shorter : null;
}

/**
 * Returns a function that finds the closing quote for an opening quote in valid JSON. Called with ascending indices, it
 * reads each character at most twice, because it remembers the next quote and backslash.
 */
function closingQuotes(json: string): (open: number) => number {
  let [quote, backslash] = [-1, -1];
  const next = (mark: string, known: number, at: number): number => {
    if (known >= at) return known;
    const found = json.indexOf(mark, at);
    return found < 0 ? json.length : found;
  };
  return (open) => {
    for (let at = open + 1; ; at = backslash + 2) {
      quote = next('"', quote, at);
      backslash = next('\\', backslash, at);
      if (backslash > quote) return quote;
    }
  };
}

function isKey(json: string, after: number): boolean {
  let at = after;
  while (json.charCodeAt(at) <= 32) at++;
  return json[at] === ':';
}
