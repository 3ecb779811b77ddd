import { checksum } from '@palimpsest/core/authoring';
import { withinDeadline } from '../deadline.ts';
import type { SessionCore } from '../session-core.ts';
import { restoreInto, snapshotOf } from './session-state.ts';
import { storeKey } from './session-store.ts';
import { signer } from './sign.ts';
import { type Loaded, StateSlots } from './state-slots.ts';
import { StateWriter } from './state-writer.ts';

/**
 * Keeps the state of a session in its store, if it has one. A failing store is reported; the session works without it.
 */
export class Persistence {
  readonly #core: SessionCore;
  readonly #slots: StateSlots | null;
  readonly #writer: StateWriter;
  /** False until the store has been read once. Nothing is written before that, so a stored state is not overwritten. */
  #wasRead = false;
  /** A state that was read after the start, to be restored before the next operation. */
  #late: Loaded | null = null;
  readonly #intruders: Set<string> = new Set();
  /** True when the last store operation failed: `save` does not wait for the store until it works again. */
  #isDown = false;

  constructor(core: SessionCore) {
    this.#core = core;
    const { store, key } = core.given;
    this.#slots = store ? new StateSlots(store, storeKey(core.id, checksum), signer(key)) : null;
    this.#writer = new StateWriter(() => this.#write());
  }

  /** Takes the stored state over. */
  async load(): Promise<void> {
    // The first request waits for this. The state in a slower store is restored later.
    const loaded = await this.#read(mostAtStart);
    if (loaded) this.#take(loaded);
  }

  /** Restores a state that could not be read at the start. Call it only between operations. */
  takeLate(): void {
    const late = this.#late;
    this.#late = null;
    if (late && isUntouched(this.#core)) this.#take(late);
    else if (late) this.#core.publish({ type: 'state-discarded', reason: superseded });
  }

  /** Resolves when the state as of now is in the store, or the store has failed. */
  save(): Promise<void> {
    if (!this.#slots) return Promise.resolve();
    const saved = this.#writer.save();
    return this.#isDown ? Promise.resolve() : saved;
  }

  /** Resolves when nothing is being written any more. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  async #read(atMostMs = Number.POSITIVE_INFINITY): Promise<Loaded | null> {
    const slots = this.#slots;
    if (!slots) return null;
    try {
      const loaded = await this.#timed(() => slots.read(), atMostMs);
      this.#wasRead = true;
      this.#isDown = false;
      return loaded;
    } catch (error) {
      this.#failed('read', error);
      return null;
    }
  }

  #take({ body, problem }: Loaded): void {
    if (problem) this.#core.publish({ type: 'state-discarded', reason: problem });
    const unusable = body === null ? null : restoreInto(this.#core, parsed(body), this.#core.given.key !== undefined);
    if (unusable) this.#core.publish({ type: 'state-discarded', reason: unusable });
  }

  async #write(): Promise<void> {
    const slots = this.#slots!;
    if (!this.#wasRead) {
      const found = await this.#read();
      if (!found) return;
      // Prefer the stored state over a session that has not compacted anything yet.
      if (found.body !== null) this.#late = found;
    }
    if (this.#late && isUntouched(this.#core)) return;
    try {
      const body = JSON.stringify(snapshotOf(this.#core));
      const intruder = await this.#timed(() => slots.write(body));
      this.#isDown = false;
      if (intruder === null || this.#intruders.has(intruder)) return;
      this.#intruders.add(intruder);
      this.#core.publish({
        type: 'store-conflict',
        message: `Another session object writes the state of "${this.#core.id}". Only the last write of either survives a restart: give each conversation an id of its own.`,
      });
    } catch (error) {
      this.#failed('write', error);
    }
  }

  #timed<T>(work: () => Promise<T>, atMostMs = Number.POSITIVE_INFINITY): Promise<T> {
    return withinDeadline(work, Math.min(this.#core.options.storeTimeoutMs, atMostMs), this.#core.clock);
  }

  #failed(operation: 'read' | 'write', error: unknown): void {
    this.#isDown = true;
    const reason = error instanceof Error ? error.message : 'it failed with a value that is not an Error';
    this.#core.publish({ type: 'store-failed', operation, reason });
  }
}

/** The longest the first request waits for the store. Milliseconds. */
const mostAtStart = 2_000;

const superseded =
  'The store could not be read at the start. What it held is not used, because a compaction has been made since.';

/** True for a session that has not compacted anything yet. */
function isUntouched({ chain, records }: SessionCore): boolean {
  return chain.checkpoints.length === 0 && records.length === 0;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
