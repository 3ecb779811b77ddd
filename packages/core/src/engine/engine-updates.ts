import type { EngineSnapshot } from './engine.ts';
import type { EngineIdentity } from './engine-identity.ts';
import { type Budget, isSameModel, type ModelInfo } from './model.ts';
import { checkModel } from './model-check.ts';
import { type Restoration, restoreSnapshot } from './restore-snapshot.ts';
import { isAnswerable } from './restored-state.ts';
import type { PassContext } from './run-pass.ts';

/**
 * Changes the model or the state of an engine. Both may take time: a budget or a migration may come from a worker. A
 * pass waits for the changes requested before it. A running pass does not delay them, so that a switch to a smaller model
 * takes effect at once.
 */
export class EngineUpdates<S> {
  readonly #context: PassContext<S>;
  readonly #identity: EngineIdentity<S>;
  /** The model of the latest request, which may still wait for its budget. */
  #requested: ModelInfo | null = null;
  #modelUpdate: Promise<void> = Promise.resolve();
  #restoration: Promise<void> = Promise.resolve();

  constructor(context: PassContext<S>, identity: EngineIdentity<S>) {
    this.#context = context;
    this.#identity = identity;
  }

  /** Resolves when all requested changes are made. Rejects when the planner has no budget for the requested model. */
  async settled(): Promise<void> {
    await this.#restoration;
    await this.#modelUpdate;
  }

  /** @throws {PalimpsestError} `OPTION_INVALID`, and what the planner's `budget` throws */
  async updateModel(model: ModelInfo): Promise<void> {
    checkModel(model);
    if (!this.#requested || !isSameModel(this.#requested, model)) {
      this.#requested = model;
      this.#modelUpdate = this.#setModel(model);
      // Also reported by the next pass, so a caller that does not wait causes no unhandled rejection.
      this.#modelUpdate.catch(() => undefined);
    }
    return this.#modelUpdate;
  }

  /** Replaces the state by that of a snapshot, or by a clean one if the snapshot cannot be used. */
  restore(snapshot: EngineSnapshot): Promise<void> {
    this.#context.change({ type: 'reset' });
    this.#restoration = this.#restore(snapshot);
    return this.#restoration;
  }

  async #setModel(model: ModelInfo): Promise<void> {
    const { planner } = this.#context;
    try {
      const budget = planner.budget(model);
      this.#takeBudget(model, budget instanceof Promise ? await budget : budget);
    } catch (error) {
      // The next request for this model asks again.
      if (this.#requested === model) this.#requested = null;
      throw error;
    }
  }

  #takeBudget(model: ModelInfo, budget: Budget): void {
    const { name, host, mask, change } = this.#context;
    // Another model was requested meanwhile.
    if (this.#requested !== model) return;
    change({ type: 'model-changed', model, budget });
    for (const message of mask(budget.warnings ?? [])) host.emit({ type: 'warning', engine: name, message });
  }

  async #restore(snapshot: EngineSnapshot): Promise<void> {
    const { initial, state } = this.#context;
    const found = restoreSnapshot(snapshot, this.#identity, initial);
    this.#takeRestored(found instanceof Promise ? await found : found, state.resets);
  }

  /** @param resets their number when the restore began */
  #takeRestored(found: Restoration<S>, resets: number): void {
    const { name, host, mask, change, planner, state } = this.#context;
    // A reset or another restore came meanwhile.
    if (state.resets !== resets) return;
    const restored = mask(found);
    const problem = 'problem' in restored ? restored.problem : null;
    const isUsable = !('problem' in restored) && isAnswerable(planner, restored.planner);
    if (isUsable) change({ type: 'snapshot-restored', restored });
    else {
      const reason = problem ?? 'The state of its planner is damaged.';
      host.emit({ type: 'snapshot-discarded', engine: name, reason });
    }
  }
}
