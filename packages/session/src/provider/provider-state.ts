import type { ModelInfo } from '@palimpsest/core';
import type { ModelCounter } from '@palimpsest/tokens/models';
import { DroppedRequests } from './dropped-requests.ts';
import type { EngineSlot } from './engine-slot.ts';
import { ModelWindow, type WindowSnapshot } from './model-window.ts';
import { OutputCaps } from './output-caps.ts';
import { type MeterSnapshot, PromptMeter } from './prompt-meter.ts';
import { StrippedContent, type StrippedSnapshot } from './stripped-content.ts';
import { TruncationCheck } from './truncation-check.ts';

/** What is stored of a {@link ProviderState}. */
export interface ProviderSnapshot extends WindowSnapshot {
  readonly meter: MeterSnapshot;
  /** Largest output that providers allow, by model id. Tokens. */
  readonly outputCaps: Readonly<Record<string, number>>;
  /** Content that providers refused. Absent in states of earlier versions. */
  readonly stripped?: StrippedSnapshot | undefined;
}

/** What a session knows about its model and its provider, and learns from answers and refusals. */
export class ProviderState {
  readonly model: ModelWindow;
  readonly caps: OutputCaps = new OutputCaps();
  readonly meter: PromptMeter;
  readonly truncation: TruncationCheck = new TruncationCheck();
  readonly dropped: DroppedRequests = new DroppedRequests();
  readonly stripped: StrippedContent = new StrippedContent();

  constructor(model: ModelInfo, engine: EngineSlot, counterOf: ModelCounter) {
    this.model = new ModelWindow(model, engine);
    this.meter = new PromptMeter(counterOf, model.id);
  }

  snapshot(): ProviderSnapshot {
    const { caps, meter, model, stripped } = this;
    return {
      meter: meter.snapshot(),
      ...model.snapshot(),
      outputCaps: caps.snapshot(),
      stripped: stripped.snapshot(),
    };
  }

  restore(snapshot: ProviderSnapshot): void {
    this.meter.restore(snapshot.meter);
    this.model.restore(snapshot);
    this.caps.restore(snapshot.outputCaps);
    this.stripped.restore(snapshot.stripped);
  }

  /** Forgets the conversation. What was learned about models stays. */
  forget(): void {
    this.meter.forgetReport();
    this.stripped.clear();
  }
}
