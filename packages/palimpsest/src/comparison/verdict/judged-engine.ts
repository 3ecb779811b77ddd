import type { ReplaySizes } from '../replay/replay.ts';
import type { EngineRow } from '../run-engine.ts';

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
