import { contentWithoutHandoff, isToolResult, readAnyHandoff } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { classGain, type rankTranscriptLines, worthClass, worthClasses } from '@palimpsest/pruner/salience';
import type { GroupRange } from '../boundaries/find-summarized-range.ts';

/** Ranks the lines of a message, by its index; see `rankTranscriptLines`. */
export type LinesOf = ReturnType<typeof rankTranscriptLines>;

/** Costs and benefits of summarizing or keeping a range of groups. Does not count messages that must stay. */
export interface RangeStats {
  /** Tokens of the messages if they stay with their tool results cut to stubs. */
  readonly minTokens: number;
  /** Benefit of the text that is then left in them. */
  readonly textBenefit: number;
  /** Tokens, by worth class, of the lines that a handoff could quote. */
  readonly quotableTokens: Float64Array;
  /** Tokens, by worth class, of the tool-result lines that may stay next to the stubs. */
  readonly resultTokens: Float64Array;
  /**
   * Tokens of the lists, such as the user's rules and messages, that a handoff needs for this range if it is summarized.
   *
   */
  readonly recordTokens: number;
  /** Tokens of the messages as they are in the draft. */
  readonly tokens: number;
}

/** Input for measuring ranges of one transcript. */
export interface RangeMeasures {
  readonly transcript: Transcript;
  /** Indices of the host's instructions that stay, wherever they are. */
  readonly instructions: ReadonlySet<number>;
  /** Tokens of each message if its tool result is cut to a stub. */
  readonly minTokens: Float64Array;
  /** Tokens of the lists that a handoff needs for each message. */
  readonly recordTokens: Float64Array;
  readonly linesOf: LinesOf;
}

/** Measures a range of groups. */
export function rangeStats(measures: RangeMeasures, [from, to]: GroupRange): RangeStats {
  const { transcript, linesOf } = measures;
  const { groups, messages, task, pendingCalls } = transcript;
  const quotableTokens = new Float64Array(worthClasses);
  const resultTokens = new Float64Array(worthClasses);
  let minTokens = 0;
  let textBenefit = 0;
  let recordTokens = 0;
  const first = groups[from]?.from ?? messages.length;
  const end = groups[to]?.from ?? messages.length;
  for (let at = first; at < end; at++) {
    const message = messages[at]!;
    if (at < transcript.leading || measures.instructions.has(at)) continue;
    if (pendingCalls && at >= pendingCalls.from && at < pendingCalls.to) continue;
    if (task && at >= task.from && at < task.to) {
      // A handoff in the same message, before the task, is kept or summarized with the group. The task always stays.
      if (readAnyHandoff(message, transcript.reader)) minTokens += handoffTokens(transcript, at);
      continue;
    }
    minTokens += measures.minTokens[at]!;
    recordTokens += measures.recordTokens[at]!;
    const isResult = isToolResult(message);
    for (const { worth, tokens } of linesOf(at)) {
      if (worth <= 0) continue;
      const place = worthClass(worth);
      quotableTokens[place]! += tokens;
      if (isResult) resultTokens[place]! += tokens;
      else textBenefit += tokens * classGain[place]!;
    }
  }
  const tokens = transcript.tokensOfGroups(from, to);
  return { minTokens, textBenefit, quotableTokens, resultTokens, recordTokens, tokens };
}

/** Tokens of the handoff in a message, without the text after it. */
function handoffTokens(transcript: Transcript, at: number): number {
  const message = transcript.messages[at]!;
  const rest = transcript.countMessage({ ...message, content: contentWithoutHandoff(message, transcript.reader) }, at);
  return Math.max(0, transcript.tokens(at) - rest);
}
