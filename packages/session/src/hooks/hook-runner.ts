import type { Clock } from '@palimpsest/core';
import { withinDeadline } from '@palimpsest/core/authoring';
import type { SessionHooks } from '../options/session-hooks.ts';
import type { EventPublisher } from './event-publisher.ts';

/** Calls the host's hooks. A hook that fails or takes too long is reported and skipped. */
export class HookRunner {
  readonly hooks: SessionHooks;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #events: EventPublisher;
  #running = 0;

  constructor(hooks: SessionHooks, timeoutMs: number, clock: Clock, events: EventPublisher) {
    this.hooks = hooks;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#events = events;
  }

  /** True while a hook runs. A request that the hook makes must not wait for the operation that called the hook. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** @returns the result of the hook; `null` when it failed or took too long */
  async run<T>(name: string, hook: () => T | Promise<T>, compaction?: number): Promise<T | null> {
    this.#running++;
    try {
      return await withinDeadline(hook, this.#timeoutMs, this.#clock);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'It threw a value that is not an Error.';
      this.#events.publish({ type: 'hook-failed', hook: name, reason }, compaction);
      return null;
    } finally {
      this.#running--;
    }
  }
}
