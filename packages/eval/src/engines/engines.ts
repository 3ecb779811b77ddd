import type { ContextEngine, EngineHost } from '@palimpsest/core';

/** The engines selected for one run of the program. */
export interface Engines {
  readonly names: readonly string[];
  /** Creates a new engine. Use one per transcript, because an engine holds session state. */
  start(name: string, host: EngineHost): Promise<ContextEngine>;
}
