import { noteAftermath } from '../compaction/compaction-aftermath.ts';
import { publishAftermath } from '../compaction/record-compaction.ts';
import { forgetConversation, restoreInto, snapshotOf } from '../persistence/session-state.ts';
import type { Session } from '../session.ts';
import type { SessionServices } from './session-services.ts';

type StateOperations = Pick<Session, 'snapshot' | 'restore' | 'reset' | 'end'>;

/** The operations on the whole state of a session. */
export function stateOperations(services: SessionServices): StateOperations {
  const { planner, engine, events, persistence, queue, recall } = services;
  const { requests } = services.conversation;
  return {
    snapshot: () => queue.run(async () => structuredClone(snapshotOf(services))),
    restore: (snapshot) =>
      queue.run(async () => {
        await planner.cancel('Another state was restored.');
        forgetConversation(services);
        persistence.noteReplaced();
        engine.ready.onSessionReset();
        const problem = await restoreInto(services, snapshot, false);
        if (problem) events.publish({ type: 'state-discarded', reason: problem });
        await persistence.save();
      }),
    reset: () =>
      queue.run(async () => {
        await planner.cancel('The session was reset.');
        forgetConversation(services);
        persistence.noteReplaced();
        await recall.clear();
        engine.ready.onSessionReset();
        await persistence.save();
      }),
    end: (messages = requests.lastSource) =>
      queue.runIfOpen(async () => {
        planner.end();
        await planner.cancel('The session ended.');
        const checkpoint = requests.lastSent?.checkpoint ?? null;
        noteAftermath(services, checkpoint, messages);
        publishAftermath(services, checkpoint);
        await engine.ready.onSessionEnd(messages);
        await persistence.save();
        await persistence.idle();
        recall.release();
        services.conversation.lastRequest.forget();
      }),
  };
}
