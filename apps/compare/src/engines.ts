import type { ContextEngine, EngineHost } from '@palimpsest/core';

/** The engines of one run of the program. */
export interface Engines {
  readonly names: readonly string[];
  /** A fresh engine: one for each transcript, since an engine carries a session's state. */
  start(name: string, host: EngineHost): Promise<ContextEngine>;
}
