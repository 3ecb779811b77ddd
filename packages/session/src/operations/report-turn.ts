import type { Usage } from '@palimpsest/core';
import type { SentRequest } from '../conversation/sent-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionServices } from './session-services.ts';

type TurnReporter = (sent: SentRequest, usage: Usage | null) => void;

/**
 * Passes each answered request to the engine once, for engines that ingest as they go. The messages are the caller's
 * untouched history; the answer itself is in the messages of the next turn, or in those of `onSessionEnd`.
 */
export function turnReporter({ engine, events, queue }: SessionServices): TurnReporter {
  const reported = new WeakSet<SentRequest>();
  return (sent, usage) => {
    if (reported.has(sent)) return;
    reported.add(sent);
    // In the queue, so that the next compaction works on what was ingested.
    queue
      .run(() => engine.ready.onTurn(sent.input.intake.source, usage))
      .catch((error: unknown) =>
        events.publish({ type: 'hook-failed', hook: 'engine.onTurn', reason: errorReason(error) }),
      );
  };
}
