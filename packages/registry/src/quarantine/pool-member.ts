import type { ContextEngine, ModelInfo, SessionInfo, Usage } from '@palimpsest/core';
import type { EngineCandidate } from '../engines/engine-candidate.ts';

/** A candidate engine and its current state. */
export interface PoolMember {
  readonly candidate: EngineCandidate;
  /** Created on first use. */
  engine: ContextEngine | null;
  /** Why it is out of service; `null` while in service. */
  out: { readonly reason: string; readonly final: boolean } | null;
  /** Consecutive failed calls. */
  failures: number;
  /** Remaining calls to sit out. */
  rest: number;
  /** The model, usage and session the engine was last given. */
  model: ModelInfo | null;
  usage: Usage | null;
  session: SessionInfo | null;
}

/** A failed call of an engine. */
export interface EngineFailure {
  readonly engine: string;
  readonly reason: string;
  /** True when the engine stays in service. */
  readonly stays: boolean;
}

/** The engine that handles a call; `member` is `null` for the pass-through. */
export interface Serving {
  readonly member: PoolMember | null;
  readonly engine: ContextEngine;
}
