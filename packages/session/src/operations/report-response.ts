import type { Usage } from '@palimpsest/core';
import type { SentRequest } from '../conversation/sent-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionServices } from './session-services.ts';

type ResponseReporter = (sent: SentRequest, usage: Usage | null) => void;

/**
 * Passes each answered request to the engine once, for engines that ingest as they go. The messages are the caller's
 * untouched history; the answer itself is in the messages of the next turn, or in those of `onSessionEnd`.
 */
export function responseReporter({ engine, events, queue }: SessionServices): ResponseReporter {
  const reported = new WeakSet<SentRequest>();
  return (sent, usage) => {
    if (reported.has(sent)) return;
    reported.add(sent);
    // In the queue, so that the next compaction works on what was ingested.
    queue
      .runIfOpen(() => engine.ready.onResponse(sent.input.intake.source, usage))
      .catch((error: unknown) =>
        events.publish({ type: 'hook-failed', hook: 'engine.onResponse', reason: errorReason(error) }),
      );
  };
}
