import { agentReader } from '@palimpsest/agents';
import type { Message, Provenance } from '@palimpsest/core';
import { checkContract, Transcript } from '@palimpsest/core/authoring';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { currentTask, isTaskKept } from '@palimpsest/eval/validity/current-task';
import { type Kept, measureKept } from './kept.ts';
import { type OutcomeTokens, outcomeTokens } from './outcome-tokens.ts';

/** What a prompt keeps of a transcript. Tokens are estimates of the whole prompt. */
export interface MeasuredPrompt {
  /** Whether the prompt fits into the window. A provider refuses it otherwise. */
  readonly fitsWindow: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly savedPercent: number;
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  readonly kept: Kept;
  /** Where the tokens of the transcript went. */
  readonly outcomeTokens: OutcomeTokens;
  /** `null` when the transcript has no task. */
  readonly taskKept: boolean | null;
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
  const transcript = Transcript.of(messages, tokens, { reader: agentReader });
  const task = currentTask(messages, tokens);
  const broken = provenance
    ? checkContract(transcript, { messages: prompt, provenance }, found.dialect ?? 'openai')
    : [];
  return {
    fitsWindow: tokensAfter <= windowTokens,
    tokensBefore: promptTokens,
    tokensAfter,
    savedPercent: percent(promptTokens - tokensAfter, promptTokens),
    messagesBefore: messages.length,
    messagesAfter: prompt.length,
    kept: measureKept(messages, prompt),
    outcomeTokens: outcomeTokens(sample, prompt, provenance, tokensAfter),
    // By its words: the engine says only where it put them.
    taskKept: task.length > 0 ? isTaskKept(task, prompt) : null,
    wireViolations: broken.filter(({ invariant }) => invariant === 2).length,
  };
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : 0;
}
