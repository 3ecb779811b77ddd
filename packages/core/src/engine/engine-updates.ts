import { checkedBudget } from './checked-budget.ts';
import type { EngineSnapshot } from './engine.ts';
import type { EngineIdentity } from './engine-identity.ts';
import { type Budget, isSameModel, type ModelInfo, promptModel } from './model.ts';
import { checkModel } from './model-check.ts';
import { restoreSnapshot } from './restore-snapshot.ts';
import { isAnswerable } from './restored-state.ts';
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
  settled(): Promise<void> {
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
    const { name, host, initial, mask, change, planner } = this.#context;
    change({ type: 'reset' });
    const restored = mask(restoreSnapshot(snapshot, this.#identity, initial));
    const problem = 'problem' in restored ? restored.problem : null;
    const isUsable = !('problem' in restored) && isAnswerable(planner, restored.planner);
    if (isUsable) change({ type: 'snapshot-restored', restored });
    else {
      const reason = problem ?? 'The state of its planner is damaged.';
      host.emit({ type: 'snapshot-discarded', engine: name, reason });
    }
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
    change({ type: 'model-changed', model, budget: checkedBudget(name, budget) });
    for (const message of mask(budget.warnings ?? [])) host.emit({ type: 'warning', engine: name, message });
  }
}
