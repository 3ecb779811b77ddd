import type { ModelInfo } from '@palimpsest/core';
import { promptModel } from '@palimpsest/core/authoring';
import { BelievedWindow } from './believed-window.ts';
import type { EngineSlot } from './engine-slot.ts';
import type { PromptMeasure } from './prompt-meter.ts';

/** Smallest plausible window in tokens. No model in use has a smaller one, so a smaller number means something else. */
const minWindowTokens = 1_000;
/** A stated window is ignored when it is less than this share of a prompt the model has already answered. */
const minOfAnswered = 0.5;
/** Assumed error of the estimated part of a prompt, as a share. Used where the provider would refuse the request. */
export const estimateError = 0.05;

/** What is stored of a {@link ModelWindow}. */
export interface WindowSnapshot {
  /** Windows that providers reported, smaller than the configured ones, by model id. Tokens. */
  readonly limits: Readonly<Record<string, number>>;
  /** Smallest prompts that were refused without a usable limit, by model id. Tokens. */
  readonly refused: Readonly<Record<string, number>>;
  /** Ids of the models whose window believed in after refusals is not tested again. */
  readonly settled: readonly string[];
}

/** The model of a session and its window: the configured one, or a smaller one that the provider reported or that its refusals suggest. */
export class ModelWindow {
  readonly #engine: EngineSlot;
  #model: ModelInfo;
  /** Windows reported by providers, in tokens, by model id. */
  readonly #reported: Map<string, number> = new Map();
  readonly #believed: BelievedWindow = new BelievedWindow();
  /** Largest reported size of an answered prompt, in tokens, by model id. */
  readonly #answered: Map<string, number> = new Map();
  #updated: Promise<void> = Promise.resolve();

  constructor(model: ModelInfo, engine: EngineSlot) {
    this.#model = model;
    this.#engine = engine;
  }

  get info(): ModelInfo {
    return this.#model;
  }

  get id(): string {
    return this.#model.id;
  }

  /** The most tokens of a prompt: the window in force, or the provider's limit on prompts; 0 when it is unknown. */
  get tokens(): number {
    const known = Math.min(this.#stated, this.#believed.of(this.id));
    return Number.isFinite(known) ? known : 0;
  }

  /** The most tokens of a prompt as configured or reported; `Infinity` when neither is known. */
  get #stated(): number {
    const { id, contextLength, maxInputTokens = Number.POSITIVE_INFINITY } = this.#model;
    const reported = this.#reported.get(id) ?? Number.POSITIVE_INFINITY;
    return contextLength > 0 ? Math.min(contextLength, maxInputTokens, reported) : reported;
  }

  /** Tokens of the window that only an answer can use, because the provider limits prompts below the window. */
  get #beyond(): number {
    const { contextLength, maxInputTokens = contextLength } = this.#model;
    return contextLength > 0 ? Math.max(0, contextLength - maxInputTokens) : 0;
  }

  /** Maximum tokens of a prompt if the answer may have `maxTokens`. The answer gets at most half of the window. */
  room(maxTokens: number | undefined): number {
    const window = this.tokens;
    if (window <= 0) return Number.POSITIVE_INFINITY;
    const answer = (maxTokens ?? this.#model.reserveOutputTokens ?? 0) - this.#beyond;
    return window - Math.min(Math.max(0, answer), Math.floor(window / 2));
  }

  /**
   * Tokens that a prompt leaves for the answer; `Infinity` when the window is unknown. A window that refusals only suggest
   * does not count.
   * @param error assumed error of the estimated part, as a share
   */
  answerRoom({ tokens, estimatedTokens }: PromptMeasure, error: number): number {
    return Math.floor(this.#stated + this.#beyond - tokens - estimatedTokens * error);
  }

  /** True when a prompt and an answer of `maxTokens` together do not fit the window. */
  isExceeded({ tokens, estimatedTokens }: PromptMeasure, maxTokens: number | undefined): boolean {
    return tokens + estimatedTokens * estimateError > this.room(maxTokens);
  }

  /** Changes the model and updates the engine. What a smaller window refused or cut does not apply to a larger one. */
  switchTo(model: ModelInfo): void {
    const { id, contextLength } = this.#model;
    if (model.id === id && contextLength > 0 && model.contextLength > contextLength) this.#believed.forget(id);
    this.#model = model;
    this.updateEngine();
  }

  /** Passes the model and the window in force to the engine. */
  updateEngine(): void {
    const model = { ...promptModel(this.#model), contextLength: this.tokens };
    this.#updated = this.#engine.current?.updateModel(model) ?? Promise.resolve();
    // An engine without a budget for the model rejects its next compaction.
    this.#updated.catch(() => undefined);
  }

  /** Resolves when the engine has the model and window last passed to it. */
  async engineUpdated(): Promise<void> {
    await this.#updated;
  }

  /**
   * Adopts a window that a provider stated, if it is smaller than the window in force and plausible. An error that
   * quotes the conversation may contain any number.
   * @returns true when it was adopted
   */
  adoptReported(limitTokens: number): boolean {
    const window = this.tokens;
    if (limitTokens < minWindowTokens || limitTokens < (this.#answered.get(this.id) ?? 0) * minOfAnswered) return false;
    if (window > 0 && limitTokens >= window) return false;
    this.#reported.set(this.id, limitTokens);
    this.updateEngine();
    return true;
  }

  /**
   * Lowers the window that is believed in, after a refusal without a usable limit.
   * @param isConfirmed true if earlier refusals that were not recorded agree
   * @returns true when the window changed
   */
  believeRefusal(
    model: string,
    size: Pick<PromptMeasure, 'tokens'>,
    maxTokens: number | undefined,
    isConfirmed: boolean = false,
  ): boolean {
    const need = this.#need(size, maxTokens);
    if (need < minWindowTokens) return false;
    return this.#afterEvidence(() => this.#believed.noteRefused(model, need, isConfirmed));
  }

  /**
   * Records that a model answered a prompt. A larger one than before may raise the window that is believed in.
   * @param size the reported size where it is known
   */
  believeAnswer(model: string, size: Pick<PromptMeasure, 'tokens'>, maxTokens: number | undefined): void {
    this.#afterEvidence(() => this.#believed.noteAnswered(model, this.#need(size, maxTokens), size.tokens));
  }

  /** Records a report that is too small for its prompt, not for the first time in a row. @returns true when the window changed */
  believeCut(model: string, reported: number): boolean {
    return reported >= minWindowTokens && this.#afterEvidence(() => this.#believed.noteCut(model, reported));
  }

  /** Updates the engine if `note` changed the window. */
  #afterEvidence(note: () => void): boolean {
    const before = this.tokens;
    note();
    if (this.tokens === before) return false;
    this.updateEngine();
    return true;
  }

  /** Tokens of a prompt and the answer that was requested with it. */
  #need({ tokens }: Pick<PromptMeasure, 'tokens'>, maxTokens: number | undefined): number {
    return tokens + Math.min(maxTokens ?? this.#model.reserveOutputTokens ?? 0, tokens);
  }

  /** Records the reported size of a prompt that a model answered. */
  noteAnswered(model: string, promptTokens: number): void {
    this.#answered.set(model, Math.max(this.#answered.get(model) ?? 0, promptTokens));
  }

  /** What is stored: windows that were reported, and what is believed after refusals. */
  snapshot(): WindowSnapshot {
    const { settled } = this.#believed;
    return { limits: Object.fromEntries(this.#reported), refused: this.#believed.snapshot(), settled };
  }

  restore({ limits, refused, settled }: WindowSnapshot): void {
    this.#believed.restore(refused, settled);
    this.#reported.clear();
    for (const [model, tokens] of Object.entries(limits)) this.#reported.set(model, tokens);
  }
}
