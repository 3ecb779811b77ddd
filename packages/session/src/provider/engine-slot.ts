import type { ContextEngine } from '@palimpsest/core';

/** Holds the engine of a session, which the first operation creates. */
export class EngineSlot {
  #engine: ContextEngine | null = null;

  /** `null` until the engine is created. */
  get current(): ContextEngine | null {
    return this.#engine;
  }

  /** The engine. Only for operations that run after it was created. */
  get ready(): ContextEngine {
    if (!this.#engine) throw new Error('The engine of this session is not created yet.');
    return this.#engine;
  }

  set(engine: ContextEngine): void {
    this.#engine = engine;
  }
}
