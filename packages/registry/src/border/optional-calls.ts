import { PalimpsestError } from '@palimpsest/core';
import type { Watch } from './watch.ts';

/** Calls the optional methods of an engine. If one fails, reports it and uses the default result. */
export class OptionalCalls {
  readonly #engine: string;
  readonly #watch: Watch;
  readonly #report: (method: string, error: unknown) => void;
  readonly #slow: Set<string> = new Set();

  constructor({
    engine,
    watch,
    report,
  }: {
    readonly engine: string;
    readonly watch: Watch;
    readonly report: (method: string, error: unknown) => void;
  }) {
    this.#engine = engine;
    this.#watch = watch;
    this.#report = report;
  }

  now<T>(method: string, call: () => T, otherwise: T): T {
    try {
      return call();
    } catch (error) {
      this.#report(method, error);
      return otherwise;
    }
  }

  /**
   * Calls an asynchronous method within the deadlines. Returns `undefined` if it fails. A method that missed a deadline
   * is not called again.
   */
  async later<T>(method: string, call: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.#slow.has(method)) return undefined;
    try {
      return await this.#watch.run(this.#engine, call);
    } catch (error) {
      if (PalimpsestError.is(error) && error.code === 'ENGINE_FAILED') this.#slow.add(method);
      this.#report(method, error);
      return undefined;
    }
  }
}
