import type { EngineHost } from '@palimpsest/core';
import type { PlanInput } from '@palimpsest/core/authoring';
import { type EnginePass, enginePass, type SummaryState } from '@palimpsest/engine-kit';
import type { CompressorOptions } from './options.ts';
import { pinnedMessages } from './pins.ts';
import { noteSystemPrompt } from './system-note.ts';

/** Everything that the steps of one compaction need. */
export interface Pass extends EnginePass<SummaryState> {
  readonly options: CompressorOptions;
}

type Given = Pick<PlanInput<SummaryState>, 'transcript' | 'source' | 'asked' | 'budget' | 'state'>;

const defaultProtectFirst = 3;

const reasons = {
  summarized: 'The middle of the transcript was replaced by a handoff.',
  fallback: 'No model could write a summary, so rules wrote the handoff.',
};

/** Reads the earlier summary from the transcript, chooses the plan's basis, and collects the inputs of a pass. */
export function startPass(given: Given, options: CompressorOptions, host: EngineHost): Pass {
  const pass = enginePass(given, {
    host,
    protectFirst: options.protectFirst ?? defaultProtectFirst,
    protectLast: options.protectLast,
    focusTopic: options.focusTopic,
    protectTools: options.pruner?.protectTools,
    summary: {
      engine: 'compressor',
      template: options.template,
      abortOnFailure: options.abortOnSummaryFailure,
      pins: (messages) => pinnedMessages(messages, options.pins),
      afterSummary: options.systemNote ? noteSystemPrompt : undefined,
      reasons,
    },
  });
  return { ...pass, options };
}
