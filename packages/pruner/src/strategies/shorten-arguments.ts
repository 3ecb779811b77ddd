import { hasToolCalls, type ToolCall, toolCallInput, toolCalls } from '@palimpsest/core';
import { isJson } from '@palimpsest/core/authoring';
import { startOf } from '../salience/text/cut.ts';
import type { Proposal, PruneView, Strategy } from '../view/strategy.ts';

/** Inputs of up to this many characters stay as they are. */
const longInput = 500;
/** Longer strings, in characters, keep only a beginning of this length. */
const longString = 200;
const mark = '...[truncated]';

/**
 * Shortens old tool-call arguments over 500 characters: long strings in the JSON keep their first 200 characters and a
 * mark. Everything else stays, and the result is valid JSON. Input that is not JSON stays unchanged.
 */
export const shortenArguments: Strategy = {
  name: 'arguments',
  propose(view) {
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < view.oldEnd; at++) {
      const proposal = proposeShorterArguments(view, at);
      if (proposal) proposals.push(proposal);
    }
    return proposals;
  },
};

/** Proposes to shorten the arguments of a message, old or not; `null` if there is nothing to shorten. */
export function proposeShorterArguments(view: PruneView, at: number): Proposal | null {
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
 * Cuts long strings in JSON text; `null` when there is nothing to cut or the input is not JSON. Works on the text, so
 * that everything else stays exactly the same: numbers beyond 2^53, repeated keys, spacing.
 */
function shortenInput(input: string): string | null {
  if (input.length <= longInput || !isJson(input)) return null;
  const pieces: string[] = [];
  let copied = 0;
  const closingQuote = closingQuotes(input);
  for (let open = input.indexOf('"'); open >= 0; ) {
    const end = closingQuote(open) + 1;
    if (end - open > longString + mark.length && !isKey(input, end)) {
      const value = JSON.parse(input.slice(open, end)) as string;
      if (value.length > longString + mark.length) {
        pieces.push(input.slice(copied, open), JSON.stringify(startOf(value, longString) + mark));
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
 * Returns a function that finds the closing quote of a string in valid JSON. It caches the next quote and backslash, so
 * that calls with ascending indices read each character at most twice.
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
