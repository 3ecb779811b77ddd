import { PalimpsestError } from '@palimpsest/core';
import type { Watch } from './watch.ts';

/** Calls the optional methods of an engine. One that fails is reported, and its default is used. */
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
   * The same for a method that takes time, within the deadlines; `undefined` is the default. A method that missed a
   * deadline is not called again.
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
