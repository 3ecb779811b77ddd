import type { CompressOptions, Dialect, Message, ModelInfo } from '@palimpsest/core';
import { dialects } from '@palimpsest/core';
import fc from 'fast-check';
import { quarterCounter } from './host/quarter-counter.ts';
import { arbitraryTranscript, type TranscriptOptions } from './transcripts/arbitrary-transcript.ts';

/** The input of one `compress` call: messages, model, options and dialect. */
export interface Scenario {
  readonly messages: Message[];
  readonly model: ModelInfo;
  readonly asked: CompressOptions;
  readonly dialect: Dialect;
}

/** Prompt size of messages by {@link quarterCounter}. Reasoning counts only after the last user message. */
export function promptTokens(messages: readonly Message[]): number {
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  let tokens = 0;
  messages.forEach((message, index) => {
    tokens += quarterCounter.countMessage(message, { reasoning: index > lastUser });
  });
  return tokens;
}

/** A scenario with a context window of `share` times the transcript's size, at least 1,000 tokens. */
export function scenarioFor(
  messages: Message[],
  share = 0.5,
  asked: CompressOptions = { force: true },
  dialect: Dialect = 'openai',
): Scenario {
  const contextLength = Math.max(1_000, Math.round(promptTokens(messages) * share));
  return { messages, model: { id: 'test-model', contextLength }, asked, dialect };
}

/** Generates scenarios: transcripts with a window of 0.25 to 2 times their size, and all kinds of requests. */
export function arbitraryScenario(options: TranscriptOptions = {}): fc.Arbitrary<Scenario> {
  return fc
    .record({
      messages: arbitraryTranscript(options),
      share: fc.constantFrom(0.5, 0.25, 0.9, 2),
      target: fc.constantFrom(null, 0.5, 0.2, 0.05),
      overheadTokens: fc.constantFrom(undefined, 0, 500, 20_000),
      effort: fc.constantFrom(undefined, 'full' as const, 'free' as const),
      force: fc.constantFrom(true, false, undefined),
      focusTopic: fc.constantFrom(undefined, 'the range parser'),
      keepLastTurns: fc.constantFrom(undefined, 0, 1, 3),
      dialect: fc.constantFrom(...dialects),
    })
    .map(({ messages, share, target, dialect, ...asked }) => {
      const targetTokens =
        target === null ? undefined : Math.round(promptTokens(messages) * target) + (asked.overheadTokens ?? 0);
      return scenarioFor(messages, share, { ...asked, targetTokens }, dialect);
    });
}
