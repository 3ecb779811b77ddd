import type { Replay } from '../replay/replay.ts';
import type { EngineRow } from '../run-engine.ts';

/** The sizes of a replay that a verdict is about. */
export type ReplaySizes = Pick<Replay, 'sent' | 'shared'> & { readonly compactions: readonly unknown[] };

/** One engine's result on a session. */
export interface JudgedEngine {
  readonly row: Pick<
    EngineRow,
    | 'engine'
    | 'outcome'
    | 'reason'
    | 'thresholdTokens'
    | 'reachedThreshold'
    | 'fitsWindow'
    | 'tokensBefore'
    | 'tokensAfter'
    | 'kept'
    | 'lastRequestKept'
    | 'wireViolations'
  >;
  /** The session replayed with the engine; `null` if it was not replayed. */
  readonly replay: ReplaySizes | null;
}
