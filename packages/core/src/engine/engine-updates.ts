import { isRecord } from '../json/is-record.ts';
import { checkOptions } from '../options/check-options.ts';
import { describeValue, type OptionRule } from '../options/option-rules.ts';
import { checkBudget } from './check-budget.ts';
import type { EngineIdentity, EngineSnapshot } from './engine.ts';
import { changeModel, reset, takeSnapshot } from './engine-state.ts';
import { type Budget, isSameModel, type ModelInfo, promptModel } from './model.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import type { PassContext } from './run-pass.ts';

/**
 * Changes the model or the state of an engine. A planner may load what it needs for a budget, so a pass waits for
 * changes requested before it. Changes do not wait for a running pass, so a switch to a smaller model takes effect at
 * once.
 */
export class EngineUpdates<S> {
  readonly #context: PassContext<S>;
  readonly #identity: EngineIdentity;
  /** The model requested last. Its budget may still be pending. */
  #requested: ModelInfo | null = null;
  #modelUpdate: Promise<void> = Promise.resolve();

  constructor(context: PassContext<S>, identity: EngineIdentity) {
    this.#context = context;
    this.#identity = identity;
  }

  /** Resolves when all requested changes are made. Rejects when the planner has no budget for the requested model. */
  whenSettled(): Promise<void> {
    return this.#modelUpdate;
  }

  /** @throws {PalimpsestError} `OPTION_INVALID`, and what the planner's `budget` throws */
  async updateModel(given: ModelInfo): Promise<void> {
    checkModel(given);
    const model = promptModel(given);
    if (!this.#requested || !isSameModel(this.#requested, model)) {
      this.#requested = model;
      this.#modelUpdate = this.#setModel(model);
      // The next pass reports the error too. A caller that does not await this call must not cause an unhandled
      // rejection.
      this.#modelUpdate.catch(() => undefined);
    }
    return this.#modelUpdate;
  }

  /** Restores the state from a snapshot, or resets it if the snapshot cannot be used. */
  async restore(snapshot: EngineSnapshot): Promise<void> {
    const { name, host, initial, mask, change } = this.#context;
    change(reset(initial));
    const restored = mask(restoreSnapshot(snapshot, this.#identity, initial));
    if ('problem' in restored) host.emit({ type: 'snapshot-discarded', engine: name, reason: restored.problem });
    else change(takeSnapshot(restored));
  }

  async #setModel(model: ModelInfo): Promise<void> {
    const { planner } = this.#context;
    try {
      const budget = planner.budget(model);
      this.#takeBudget(model, budget instanceof Promise ? await budget : budget);
    } catch (error) {
      // The next `updateModel` with this model computes the budget again.
      if (this.#requested === model) this.#requested = null;
      throw error;
    }
  }

  #takeBudget(model: ModelInfo, budget: Budget): void {
    const { name, host, mask, change } = this.#context;
    // Another model has been requested meanwhile.
    if (this.#requested !== model) return;
    change(changeModel(model, checkBudget(name, budget)));
    for (const message of mask(budget.warnings ?? [])) host.emit({ type: 'warning', engine: name, message });
  }
}

const isTokens = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

/** What a model must be. It may have other fields. */
export const modelRule: OptionRule = {
  expected: '{ id, contextLength } in tokens, 0 for an unknown window',
  isValid: isRecord,
  isRequired: true,
  isOpen: true,
  fields: {
    id: { expected: "the model's name as a string", isValid: (value) => typeof value === 'string', isRequired: true },
    contextLength: {
      expected: 'a number of tokens, such as 32_000; 0 for an unknown window',
      isValid: (value) => typeof value === 'number' && value >= 0,
      describe: describeValue,
      isRequired: true,
    },
    maxInputTokens: {
      expected: 'a number of tokens above 0',
      isValid: (value) => isTokens(value) && value !== 0,
      describe: describeValue,
    },
    reserveOutputTokens: { expected: 'a number of tokens, 0 or more', isValid: isTokens, describe: describeValue },
  },
};

/**
 * Rejects a model with invalid numbers. With `NaN`, the threshold would be `NaN`, and compaction would always or never
 * run.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkModel(model: ModelInfo): void {
  checkOptions('updateModel', { model }, { model: modelRule });
}
