import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import type { Session } from '../session.ts';

export interface RidingOptions {
  /** Writes the summary when the cache is cold, and after a ridden call that failed. */
  readonly otherwise: Summarizer;
  /** How long the provider keeps a prompt that is not used. Milliseconds. @default 300_000 */
  readonly cacheMs?: number | undefined;
}

/** A summarizer that rides on the requests of one session. */
export interface RidingSummarizer extends Summarizer {
  /** Names the session. `contextFetch` calls it. @throws {PalimpsestError} `OPTION_INVALID` when it rides on another */
  rideOn(session: Session): void;
}

/**
 * Creates a summarizer for the option `rides` of `contextFetch`. While the provider's cache is warm, it sends the last
 * request again with one more message, an instruction to summarize, to the same model: nearly all of that prompt is read
 * from the cache. In all other cases, `otherwise` writes the summary.
 *
 * The provider gets the conversation as it has it already, so secrets in it are not masked. What it writes is.
 *
 * @example
 * const rides = ridingSummarizer({ otherwise: openaiSummarizer({ model: 'gpt-5-mini' }) });
 * const session = createSession({ engine: (host) => registry.create(config, { ...host, summarizer: rides }), model });
 * const client = new OpenAI({ fetch: contextFetch(session, { rides }) });
 */
export function ridingSummarizer({ otherwise, cacheMs = 300_000 }: RidingOptions): RidingSummarizer {
  let ridden: Session['internals'] | null = null;
  return {
    id: `riding:${otherwise.id}`,
    rideOn({ internals }) {
      if (ridden && ridden !== internals) {
        const message = 'The summarizer rides on the requests of another session. Create one for each session.';
        throw new PalimpsestError('OPTION_INVALID', `contextFetch: ${message}`, {
          issues: [{ path: 'rides', message }],
        });
      }
      ridden = internals;
      internals.lastRequest.keep();
    },
    async summarize(request) {
      return (await ridden?.ride(request, cacheMs)) ?? otherwise.summarize(request);
    },
  };
}
