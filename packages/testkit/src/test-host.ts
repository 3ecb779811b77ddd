import { agentReader } from '@palimpsest/agents';
import { type ContextEvent, createHost, type EngineHost } from '@palimpsest/core';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { maskSecrets, plantedSecrets } from './planted-secrets.ts';
import { quarterCounter } from './quarter-counter.ts';
import { type ScriptedSummarizer, scriptedSummarizer, writtenSummary } from './scripted-summarizer.ts';

/** A host whose every part is under the control of a test. */
export interface TestHost extends EngineHost {
  readonly clock: ManualClock;
  readonly summarizer: ScriptedSummarizer | undefined;
  readonly fallbackSummarizer: ScriptedSummarizer | undefined;
  /** Everything that was emitted, oldest first. */
  readonly events: readonly ContextEvent[];
}

export interface TestHostParts extends Partial<Omit<EngineHost, 'clock' | 'summarizer' | 'fallbackSummarizer'>> {
  readonly clock?: ManualClock | undefined;
  /** `null`: none, so that an engine uses its offline writer. @default writes a well-formed summary on every call */
  readonly summarizer?: ScriptedSummarizer | null | undefined;
  /** @default none */
  readonly fallbackSummarizer?: ScriptedSummarizer | undefined;
}

/**
 * A deterministic host: a chars/4 counter, a clock that stands still, a summarizer that always answers, events
 * recorded, and a redactor that masks {@link plantedSecrets}.
 */
export function testHost(parts: TestHostParts = {}): TestHost {
  const events: ContextEvent[] = [];
  const summarizer =
    parts.summarizer === undefined ? scriptedSummarizer(writtenSummary) : (parts.summarizer ?? undefined);
  const clock = parts.clock ?? manualClock();
  const host = createHost({
    tokens: parts.tokens ?? quarterCounter,
    reader: parts.reader ?? agentReader,
    redact: parts.redact ?? maskSecrets(plantedSecrets()),
    ...(parts.isRequest ? { isRequest: parts.isRequest } : {}),
    ...(parts.dialect ? { dialect: parts.dialect } : {}),
    handoffKey: parts.handoffKey,
    emit: (event) => {
      events.push(event);
      parts.emit?.(event);
    },
  });
  return { ...host, clock, summarizer, fallbackSummarizer: parts.fallbackSummarizer, events };
}
