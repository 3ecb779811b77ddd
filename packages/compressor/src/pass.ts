import { contentText, type EngineHost, type Message } from '@palimpsest/core';
import type { Draft, PlanInput } from '@palimpsest/core/authoring';
import { type EnginePass, enginePass, type SummaryState } from '@palimpsest/engine-kit';
import { type CompressorOptions, unsetDefaults } from './options.ts';

const note =
  'Note: earlier parts of this conversation may have been condensed into a context handoff; build on it instead of redoing what it lists.';

/** Everything that the steps of one compaction need. */
export interface Pass extends EnginePass<SummaryState> {
  readonly options: CompressorOptions;
}

type Given = Pick<PlanInput<SummaryState>, 'transcript' | 'source' | 'asked' | 'budget' | 'state'>;

const reasons = {
  summarized: 'The middle of the transcript was replaced by a handoff.',
  fallback: 'No model could write a summary, so rules wrote the handoff.',
};

/** Reads the earlier summary from the transcript, chooses the plan's basis, and collects the inputs of a pass. */
export function startPass(given: Given, options: CompressorOptions, host: EngineHost): Pass {
  const pass = enginePass(given, {
    host,
    protectFirst: options.protectFirst ?? unsetDefaults.protectFirst,
    protectLast: options.protectLast,
    focusTopic: options.focusTopic,
    protectTools: options.pruner?.protectTools,
    summary: {
      engine: 'compressor',
      template: options.template,
      abortOnFailure: options.abortOnSummaryFailure,
      pins: (messages) => indicesToPin(messages, options.pins),
      afterSummary: options.systemNote ? noteSystemPrompt : undefined,
      reasons,
    },
  });
  return { ...pass, options };
}

/** Returns the indices of the messages that contain one of the phrases. */
function indicesToPin(messages: readonly Message[], phrases: readonly string[]): number[] {
  if (phrases.length === 0) return [];
  return [...messages.keys()].filter((index) => {
    const text = contentText(messages[index]!.content);
    return phrases.some((phrase) => text.includes(phrase));
  });
}

/** Appends one sentence about compaction to the first system message, once. Skips a message whose content is not text. */
function noteSystemPrompt(draft: Draft): void {
  const at = 0;
  const content = draft.transcript.leading > 0 ? draft.original(at).content : undefined;
  if (typeof content !== 'string' || content.endsWith(note)) return;
  draft.rewrite(
    at,
    { content: `${content}\n\n${note}` },
    { code: 'system-note', note: 'says that earlier turns were condensed' },
  );
}
