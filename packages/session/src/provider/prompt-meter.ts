import type { Message, Usage } from '@palimpsest/core';
import type { MessageTokenCounter, RequestTokens } from '@palimpsest/tokens';
import type { ModelCounter } from '@palimpsest/tokens/models';
import {
  type AnchorRecord,
  type CalibrationSnapshot,
  createCalibration,
  createUsageAnchor,
  type UsageAnchor,
} from '@palimpsest/tokens/usage';

/** Everything that is billed as one prompt. */
export interface Prompt {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[] | null | undefined;
  readonly system?: unknown;
}

/** The size of a prompt, in tokens. */
export interface PromptMeasure {
  /** The best available size: the provider's last report, plus an estimate of everything after it. */
  readonly tokens: number;
  /** The estimated part of `tokens`. */
  readonly estimatedTokens: number;
  /** `tokens` divided by the engine's estimate. Converts between the provider's tokens and the engine's. */
  readonly ratio: number;
}

export interface MeterSnapshot {
  readonly anchor: AnchorRecord | null;
  readonly calibration: CalibrationSnapshot;
}

/** Measures prompts, and learns from the sizes that providers report. */
export class PromptMeter {
  /** The engine's counter: that of the session's first model. */
  readonly counter: MessageTokenCounter;
  readonly #counterOf: ModelCounter;
  readonly #counters: Map<string, MessageTokenCounter>;
  /** Belongs to the model in use. */
  #anchor: UsageAnchor;
  #calibration: ReturnType<typeof createCalibration>;
  #model: string;

  constructor(counterOf: ModelCounter, model: string) {
    this.counter = counterOf(model);
    this.#counterOf = counterOf;
    this.#counters = new Map([[model, this.counter]]);
    this.#anchor = createUsageAnchor(this.counter);
    this.#calibration = createCalibration();
    this.#model = model;
  }

  /** Counts as the model does, without what its provider reported. */
  estimate(request: Prompt, model: string): RequestTokens {
    return this.#counter(model).measureRequest(request);
  }

  measure(request: Prompt, model: string): PromptMeasure {
    const plain = this.estimate(request, model);
    const calibrated = this.#calibration.apply({ estimated: plain.text, estimatedImages: plain.images }, model);
    const anchored = this.#anchor.size(request);
    const reported = anchored.tokens - anchored.estimatedTokens;
    const estimated = anchored.covers > 0 ? anchored.estimatedTokens * this.#calibration.ratio(model) : calibrated;
    const tokens = anchored.covers > 0 ? Math.max(0, Math.round(reported + estimated)) : calibrated;
    const engines = this.#counter(model) === this.counter ? plain.total : this.counter.countRequest(request);
    return {
      tokens,
      estimatedTokens: Math.abs(Math.round(estimated)),
      ratio: engines > 0 ? tokens / engines : 1,
    };
  }

  /** The engine's estimate of everything outside the messages, in tokens. */
  overhead({ tools, system }: Prompt): number {
    return this.counter.countRequest({ messages: [], tools, system });
  }

  /** Learns from the size a provider reported for a request. */
  learn(request: Prompt, usage: Usage, model: string): void {
    const plain = this.estimate(request, model);
    this.#calibration.calibrate({
      model,
      estimated: plain.text,
      estimatedImages: plain.images,
      actual: usage.promptTokens,
    });
    if (model === this.#model) this.#anchor.record(request, usage.promptTokens);
  }

  /** Forgets the last report, because every model counts tokens in its own way. */
  switchTo(model: string): void {
    this.#model = model;
    this.forgetReport();
  }

  forgetReport(): void {
    this.#anchor = createUsageAnchor(this.#counter(this.#model));
  }

  snapshot(): MeterSnapshot {
    return { anchor: this.#anchor.snapshot(), calibration: this.#calibration.snapshot() };
  }

  restore({ anchor, calibration }: MeterSnapshot): void {
    this.#anchor = createUsageAnchor(this.#counter(this.#model), anchor);
    this.#calibration = createCalibration(calibration);
  }

  #counter(model: string): MessageTokenCounter {
    let counter = this.#counters.get(model);
    if (!counter) this.#counters.set(model, (counter = this.#counterOf(model)));
    return counter;
  }
}
