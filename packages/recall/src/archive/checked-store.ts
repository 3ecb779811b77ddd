import type { Clock } from '@palimpsest/core';
import { withinDeadline } from '@palimpsest/core/authoring';
import type { KeyValueStorage, RecallEvent } from './key-value-storage.ts';

type Operation = Extract<RecallEvent, { type: 'recall-store-failed' }>['operation'];

/** Returned when an operation of the store failed. */
export const failed: unique symbol = Symbol('failed');

/** Dependencies and options of {@link CheckedStore}. */
export interface StoreServices {
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly emit: (event: RecallEvent) => void;
  readonly deadlineMs: number;
}

/** Wraps a store so that its operations never throw, and end within the deadline. Failures are reported as events. */
export class CheckedStore {
  readonly #store: KeyValueStorage;
  readonly #services: StoreServices;

  constructor(store: KeyValueStorage, services: StoreServices) {
    this.#store = store;
    this.#services = services;
  }

  async keys(base: string): Promise<readonly string[] | typeof failed> {
    const keys = await this.#run('list', () => this.#store.getKeys(base));
    if (keys === failed) return failed;
    if (Array.isArray(keys)) return keys.filter((key): key is string => typeof key === 'string');
    return this.#report('list', 'The store did not return a list of keys.');
  }

  read(key: string): Promise<unknown> {
    return this.#run('read', () => this.#store.getItem(key));
  }

  write(key: string, value: string): Promise<unknown> {
    return this.#run('write', () => this.#store.setItem(key, value));
  }

  remove(key: string): Promise<unknown> {
    return this.#run('remove', () => this.#store.removeItem(key));
  }

  async #run(operation: Operation, task: () => unknown): Promise<unknown> {
    const { clock, deadlineMs } = this.#services;
    try {
      const answer = await withinDeadline(task, deadlineMs, clock);
      // The file driver of `unstorage` returns some errors instead of throwing them.
      return answer instanceof Error ? this.#report(operation, answer.message) : answer;
    } catch (error) {
      return this.#report(operation, error instanceof Error ? error.message : String(error));
    }
  }

  #report(operation: Operation, reason: string): typeof failed {
    const { redact, emit } = this.#services;
    emit({ type: 'recall-store-failed', operation, reason: redact(reason.slice(0, 500)) });
    return failed;
  }
}
