import type { Message } from '../messages/message.ts';
import type { Origin } from '../plans/provenance.ts';

/** Options of one compression. Token figures are for the whole prompt. */
export interface CompressRequest {
  /** The actual size of the prompt, if the caller knows it. @default an estimate */
  readonly currentTokens?: number | undefined;
  /** Tokens of the prompt besides `messages`: tool schemas, a separate system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /** Size of the prompt to compress to; not the trigger. @default the engine's own */
  readonly targetTokens?: number | undefined;
  /** Topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** `free`: no model call. @default 'full' */
  readonly effort?: 'free' | 'full' | undefined;
  /** Compress even below the threshold, and despite strikes and cooldowns. @default false */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Context from the host's memory for the summary; quoted as data. */
  readonly memoryContext?: string | undefined;
  /** Keep at least this many of the newest exchanges (a request and everything that answers it) unchanged. */
  readonly keepLastExchanges?: number | undefined;
  /**
   * The caller's untouched history, when `messages` is a projection of it: the output of an earlier plan, with what was
   * appended since. An engine may then plan over the history instead; see {@link CompressResult.basis}.
   * @default `messages` is the history
   */
  readonly source?: CompressSource | undefined;
}

/** The history that a projection was made from. */
export interface CompressSource {
  readonly messages: readonly Message[];
  /** For every message of the projection, where in `messages` it comes from: `provenance.output` of the earlier plan. */
  readonly origins: readonly Origin[];
}
