import type { Message, Provenance } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { keptAnchors, keptUserMessages } from './kept.ts';
import { keptFiles } from './kept-files.ts';
import { violationsOf } from './new-violations.ts';
import { isRequestKept } from './request-kept.ts';
import type { EngineRow } from './run-engine.ts';
import type { Sample } from './sample.ts';

type Measured = Pick<
  EngineRow,
  | 'fitsWindow'
  | 'tokensBefore'
  | 'tokensAfter'
  | 'savedPercent'
  | 'messagesBefore'
  | 'messagesAfter'
  | 'kept'
  | 'lastRequestKept'
  | 'wireViolations'
  | 'inheritedViolations'
>;

/**
 * Measures what a prompt keeps of a sample, independently of the engine's report.
 * @param provenance `null` if the engine threw and nothing was changed
 */
export function measurePrompt(
  { messages, tokens, overheadTokens, promptTokens, found }: Sample,
  prompt: readonly Message[],
  provenance: Provenance | null,
  windowTokens: number,
): Measured {
  const tokensAfter = Math.round(Transcript.of(prompt, tokens).totalTokens + overheadTokens);
  const violations = provenance && violationsOf(messages, prompt, provenance, found.dialect);
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
    lastRequestKept: isRequestKept(messages, prompt),
    wireViolations: violations?.made.length ?? 0,
    inheritedViolations: violations?.inherited.length ?? 0,
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0;
}
