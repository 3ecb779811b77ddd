import { agentReader } from '@palimpsest/agents';
import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';
import { createFakeSecrets, maskSecrets } from '../transcripts/fake-secrets.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { quarterCounter } from './quarter-counter.ts';
import { createScriptedSummarizer, type ScriptedSummarizer, writeShortSummary } from './scripted-summarizer.ts';

/** A host for tests, with a manual clock, scripted summarizers and recorded events. */
export interface TestHost extends EngineHost {
  readonly clock: ManualClock;
  readonly summarizer: ScriptedSummarizer | undefined;
  readonly fallbackSummarizer: ScriptedSummarizer | undefined;
  /** Every emitted event, oldest first. */
  readonly events: readonly ContextEvent[];
}

export interface TestHostParts extends Partial<Omit<EngineHost, 'clock' | 'summarizer' | 'fallbackSummarizer'>> {
  readonly clock?: ManualClock | undefined;
  /** `null` for no summarizer, so that engines summarize offline. @default one that always writes a valid summary */
  readonly summarizer?: ScriptedSummarizer | null | undefined;
  /** @default none */
  readonly fallbackSummarizer?: ScriptedSummarizer | undefined;
}

/**
 * Creates a deterministic host: {@link quarterCounter}, a manual clock, a summarizer that always answers, recorded
 * events, and a redactor that masks {@link createFakeSecrets}.
 */
export function testHost(parts: TestHostParts = {}): TestHost {
  const events: ContextEvent[] = [];
  const summarizer =
    parts.summarizer === undefined ? createScriptedSummarizer(writeShortSummary) : (parts.summarizer ?? undefined);
  const clock = parts.clock ?? manualClock();
  const host = createHost({
    tokens: parts.tokens ?? quarterCounter,
    reader: parts.reader ?? agentReader,
    redact: parts.redact ?? maskSecrets(createFakeSecrets()),
    ...(parts.isFromPerson ? { isFromPerson: parts.isFromPerson } : {}),
    ...(parts.dialect ? { dialect: parts.dialect } : {}),
    handoffKey: parts.handoffKey,
    emit: (event) => {
      events.push(event);
      parts.emit?.(event);
    },
  });
  return { ...host, clock, summarizer, fallbackSummarizer: parts.fallbackSummarizer, events };
}
