import type { Message, Usage } from '@palimpsest/core';
import type { MessageTokenCounter } from '@palimpsest/tokens';
import {
  type AnchorRecord,
  type CalibrationSnapshot,
  createCalibration,
  createUsageAnchor,
  type UsageAnchor,
} from '@palimpsest/tokens/usage';

/** Everything that is billed as one prompt. */
export interface MeteredRequest {
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
  /** `tokens` divided by the plain estimate. Converts between the provider's tokens and the engine's. */
  readonly ratio: number;
}

export interface MeterSnapshot {
  readonly anchor: AnchorRecord | null;
  readonly calibration: CalibrationSnapshot;
}

/** Measures prompts, and learns from the sizes that providers report. */
export class PromptMeter {
  readonly counter: MessageTokenCounter;
  #anchor: UsageAnchor;
  #calibration: ReturnType<typeof createCalibration>;

  constructor(counter: MessageTokenCounter) {
    this.counter = counter;
    this.#anchor = createUsageAnchor(counter);
    this.#calibration = createCalibration();
  }

  measure(request: MeteredRequest, model: string): PromptMeasure {
    const plain = this.counter.measureRequest(request);
    const calibrated = this.#calibration.apply({ estimated: plain.text, estimatedImages: plain.images }, model);
    const anchored = this.#anchor.size(request);
    const reported = anchored.tokens - anchored.estimatedTokens;
    const estimated = anchored.covers > 0 ? anchored.estimatedTokens * this.#calibration.ratio(model) : calibrated;
    const tokens = anchored.covers > 0 ? Math.max(0, Math.round(reported + estimated)) : calibrated;
    return {
      tokens,
      estimatedTokens: Math.abs(Math.round(estimated)),
      ratio: plain.total > 0 ? tokens / plain.total : 1,
    };
  }

  /** Plain estimate of everything outside the messages, in tokens. */
  overhead({ tools, system }: MeteredRequest): number {
    return this.counter.countRequest({ messages: [], tools, system });
  }

  /** Learns from the size a provider reported for a request. */
  learn(request: MeteredRequest, usage: Usage, model: string): void {
    const plain = this.counter.measureRequest(request);
    this.#calibration.calibrate({
      model,
      estimated: plain.text,
      estimatedImages: plain.images,
      actual: usage.promptTokens,
    });
    this.#anchor.record(request, usage.promptTokens);
  }

  /** Forgets the last report. Call it after a change of the model, because every model counts tokens in its own way. */
  forgetReport(): void {
    this.#anchor = createUsageAnchor(this.counter);
  }

  snapshot(): MeterSnapshot {
    return { anchor: this.#anchor.snapshot(), calibration: this.#calibration.snapshot() };
  }

  restore({ anchor, calibration }: MeterSnapshot): void {
    this.#anchor = createUsageAnchor(this.counter, anchor);
    this.#calibration = createCalibration(calibration);
  }
}
