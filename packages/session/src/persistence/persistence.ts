import { checksum } from '@palimpsest/core';
import { withinDeadline } from '../deadline.ts';
import type { SessionCore } from '../session-core.ts';
import { restoreInto, snapshotOf } from './session-state.ts';
import { storeKey } from './session-store.ts';
import { StateSlots } from './state-slots.ts';
import { StateWriter } from './state-writer.ts';

/** Keeps the state of a session in its store, if it has one. A store that fails is said, and done without. */
export class Persistence {
  readonly #core: SessionCore;
  readonly #slots: StateSlots | null;
  readonly #writer: StateWriter;

  constructor(core: SessionCore) {
    this.#core = core;
    const { store } = core.given;
    this.#slots = store ? new StateSlots(store, storeKey(core.id, checksum)) : null;
    this.#writer = new StateWriter(() => this.#write());
  }

  /** Takes the stored state over. */
  async load(): Promise<void> {
    const slots = this.#slots;
    if (!slots) return;
    try {
      const { body, problem } = await this.#timed(() => slots.read());
      if (problem) this.#core.publish({ type: 'state-discarded', reason: problem });
      const unusable = body === null ? null : restoreInto(this.#core, JSON.parse(body));
      if (unusable) this.#core.publish({ type: 'state-discarded', reason: unusable });
    } catch (error) {
      this.#failed('read', error);
    }
  }

  /** Resolves when the state as of now is in the store, or the store has failed. */
  save(): Promise<void> {
    return this.#slots ? this.#writer.save() : Promise.resolve();
  }

  /** Resolves when nothing is being written any more. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  async #write(): Promise<void> {
    const slots = this.#slots!;
    try {
      const body = JSON.stringify(snapshotOf(this.#core));
      await this.#timed(() => slots.write(body));
    } catch (error) {
      this.#failed('write', error);
    }
  }

  #timed<T>(work: () => Promise<T>): Promise<T> {
    return withinDeadline(work, this.#core.options.storeTimeoutMs, this.#core.clock);
  }

  #failed(operation: 'read' | 'write', error: unknown): void {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'it failed with what is no error';
    this.#core.publish({ type: 'store-failed', operation, reason });
  }
}
