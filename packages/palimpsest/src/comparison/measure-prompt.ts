import type { Message, Provenance } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { keptAnchors, type NamedShare, type Share } from './kept.ts';
import { keptFiles } from './kept-files.ts';
import { keptUserMessages } from './kept-user-messages.ts';
import { newViolations } from './new-violations.ts';
import { type OutcomeTokens, outcomeTokens } from './outcome-tokens.ts';
import { isRequestKept } from './request-kept.ts';

/** What a prompt keeps of a transcript. Tokens are estimates of the whole prompt. */
export interface MeasuredPrompt {
  /** Whether the prompt fits into the window. A provider refuses it otherwise. */
  readonly fitsWindow: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly savedPercent: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly kept: { readonly userMessages: Share; readonly changedFiles: NamedShare; readonly anchors: NamedShare };
  /** Where the tokens of the transcript went. */
  readonly outcomeTokens: OutcomeTokens;
  /** `null` when the transcript holds no request. */
  readonly lastRequestKept: boolean | null;
  /** Provider rule violations in the prompt that the transcript did not have. */
  readonly wireViolations: number;
}

/**
 * Measures what a prompt keeps of a sample, independently of the engine's report.
 * @param provenance `null` if the engine threw and nothing was changed
 */
export function measurePrompt(
  sample: Sample,
  prompt: readonly Message[],
  provenance: Provenance | null,
  windowTokens: number,
): MeasuredPrompt {
  const { messages, tokens, overheadTokens, promptTokens, found } = sample;
  const tokensAfter = Math.round(Transcript.of(prompt, tokens).totalTokens + overheadTokens);
  return {
    fitsWindow: tokensAfter <= windowTokens,
    tokensBefore: promptTokens,
    tokensAfter,
    savedPercent: percent(promptTokens - tokensAfter, promptTokens),
    messagesBefore: messages.length,
    messagesAfter: prompt.length,
    kept: {
      userMessages: keptUserMessages(messages, prompt),
      changedFiles: keptFiles(messages, prompt),
      anchors: keptAnchors(messages, prompt),
    },
    outcomeTokens: outcomeTokens(sample, prompt, provenance, tokensAfter),
    lastRequestKept: isRequestKept(messages, prompt),
    wireViolations: provenance ? newViolations(messages, prompt, provenance, found.dialect).length : 0,
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0;
}
