import { isSystem, isToolResult, type Transcript } from '@palimpsest/core';
import type { rankTurns } from '@palimpsest/summary';
import { classGain, worthClass, worthClasses } from './worth-classes.ts';

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
  /** Tokens as they are. */
  readonly tokens: number;
}

/** Measures the groups `[from, to)`. @param weights by message, what it weighs when its result is a stub */
export function measureStretch(
  transcript: Transcript,
  [from, to]: readonly [from: number, to: number],
  weights: Float64Array,
  linesOf: LinesOf,
): Stretch {
  const { groups, messages, request, inFlight } = transcript;
  const quotable = new Float64Array(worthClasses);
  const results = new Float64Array(worthClasses);
  let leastTokens = 0;
  let said = 0;
  const first = groups[from]?.from ?? messages.length;
  const end = groups[to]?.from ?? messages.length;
  for (let at = first; at < end; at++) {
    const stays = (request && at >= request.from && at < request.to) || (inFlight && at >= inFlight.from);
    if (stays || isSystem(messages[at]!)) continue;
    leastTokens += weights[at]!;
    const isResult = isToolResult(messages[at]!);
    for (const { worth, tokens } of linesOf(at)) {
      if (worth <= 0) continue;
      const place = worthClass(worth);
      quotable[place]! += tokens;
      if (isResult) results[place]! += tokens;
      else said += tokens * classGain[place]!;
    }
  }
  return { leastTokens, said, quotable, results, tokens: transcript.tokensOfGroups(from, to) };
}
