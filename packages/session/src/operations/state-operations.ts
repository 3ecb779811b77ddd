import { noteAftermath } from '../compaction/compaction-aftermath.ts';
import { publishAftermath } from '../compaction/record-compaction.ts';
import { beginAnew, forgetConversation, restoreReported, snapshotOf } from '../persistence/session-state.ts';
import type { Session } from '../session.ts';
import type { SessionServices } from './session-services.ts';
import { untilCommitted } from './until-committed.ts';

type StateOperations = Pick<Session, 'snapshot' | 'restore' | 'reset' | 'delete' | 'end'>;

/** The operations on the whole state of a session. */
export function stateOperations(services: SessionServices): StateOperations {
  const { planner, engine, persistence, queue, recall } = services;
  const { requests } = services.conversation;
  return {
    snapshot: () => queue.run(async () => structuredClone(snapshotOf(services))),
    restore: (snapshot) =>
      queue.run(async () => {
        await planner.cancel('Another state was restored.');
        await untilCommitted(persistence, async () => {
          forgetConversation(services);
          persistence.noteReplaced();
          engine.ready.onSessionReset();
          await restoreReported(services, snapshot, false);
          return true;
        });
      }),
    reset: () =>
      queue.run(async () => {
        await planner.cancel('The session was reset.');
        await recall.clear();
        await untilCommitted(persistence, async () => {
          forgetConversation(services);
          persistence.noteReplaced();
          engine.ready.onSessionReset();
          return true;
        });
      }),
    delete: () =>
      queue.run(async () => {
        planner.end();
        await planner.cancel('The session was deleted.');
        beginAnew(services);
        persistence.noteReplaced();
        await recall.clear();
        await persistence.delete();
        recall.release();
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
