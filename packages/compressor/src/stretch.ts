import { isToolResult, readHandoff, requestContent } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { classGain, type rankTurns, worthClass, worthClasses } from '@palimpsest/salience';

/** Ranks lines; see `rankTurns`. */
export type LinesOf = ReturnType<typeof rankTurns>;

/** What some neighbouring groups come to, whether they fold or stay. What must stay anyway is not in it. */
export interface Stretch {
  /** Tokens of the messages when they stay and their results are cut to stubs. */
  readonly leastTokens: number;
  /** What stays said in them then is worth. */
  readonly said: number;
  /** By class of worth, the tokens of their lines that a handoff could quote. */
  readonly quotable: Float64Array;
  /** By class of worth, the tokens of the lines of their results, which may stay beside the stubs. */
  readonly results: Float64Array;
  /** What a handoff has to carry of them when they fold: rules of the user. Tokens. */
  readonly carried: number;
  /** Tokens as they are. */
  readonly tokens: number;
}

/** What messages are measured with. */
export interface Measures {
  readonly transcript: Transcript;
  /** By message, what it weighs when its result is a stub. Tokens. */
  readonly weights: Float64Array;
  /** By message, what a handoff has to carry of it. Tokens. */
  readonly rules: Float64Array;
  readonly linesOf: LinesOf;
}

/** Measures the groups `[from, to)`. */
export function measureStretch(
  { transcript, weights, rules, linesOf }: Measures,
  [from, to]: readonly [from: number, to: number],
): Stretch {
  const { groups, messages, request, inFlight } = transcript;
  const quotable = new Float64Array(worthClasses);
  const results = new Float64Array(worthClasses);
  let leastTokens = 0;
  let said = 0;
  let carried = 0;
  const first = groups[from]?.from ?? messages.length;
  const end = groups[to]?.from ?? messages.length;
  for (let at = first; at < end; at++) {
    const message = messages[at]!;
    if (at < transcript.leading || (inFlight && at >= inFlight.from)) continue;
    if (request && at >= request.from && at < request.to) {
      // A handoff in the same message, before the request, is kept or folded with the group. The request always stays.
      if (readHandoff(message)) leastTokens += handoffTokens(transcript, at);
      continue;
    }
    leastTokens += weights[at]!;
    carried += rules[at]!;
    const isResult = isToolResult(message);
    for (const { worth, tokens } of linesOf(at)) {
      if (worth <= 0) continue;
      const place = worthClass(worth);
      quotable[place]! += tokens;
      if (isResult) results[place]! += tokens;
      else said += tokens * classGain[place]!;
    }
  }
  return { leastTokens, said, quotable, results, carried, tokens: transcript.tokensOfGroups(from, to) };
}

/** Tokens of the handoff in a message, without the text after it. */
function handoffTokens(transcript: Transcript, at: number): number {
  const message = transcript.messages[at]!;
  const own = transcript.countMessage({ ...message, content: requestContent(message) }, at);
  return Math.max(0, transcript.tokens(at) - own);
}
