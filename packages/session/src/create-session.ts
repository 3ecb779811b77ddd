import { checkMessages } from '@palimpsest/core/authoring';
import { compactManually } from './compaction/manual.ts';
import { hygieneNeeded, isOverWindow, noteHygiene } from './compaction/need.ts';
import { forgetConversation, restoreInto, snapshotOf } from './persistence/session-state.ts';
import { recover, stripContent } from './recovery/recover.ts';
import { runCall } from './run-call.ts';
import type { Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionRuntime } from './session-runtime.ts';

/**
 * Makes the session of one conversation. The engine is made with the first request.
 *
 * @example
 * const session = createSession({ engine: (host) => registry.create({ engine: 'compressor' }, host), model });
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function createSession(options: SessionOptions): Session {
  const runtime = new SessionRuntime(options);
  const { core, background, persistence } = runtime;
  const session: Session = {
    id: core.id,
    beforeRequest: (messages, given) => runtime.prepare(messages, given ?? ({} as NonNullable<typeof given>)),
    afterResponse: (usage, request) => runtime.learn(usage, request),
    run: (messages, call, given = {}) => runCall(session, runtime, messages, call, given),
    async recover(failure, request, maxTokens) {
      const sent = request ? runtime.sentAs.get(request) : core.lastSent;
      if (!sent) return { retry: false, exhausted: null };
      return runtime.inLine(async () => {
        if (failure.action !== 'none')
          await background.cancel('The provider refused the conversation it was made for.');
        const recovery = await recover(core, sent, failure, maxTokens);
        if (recovery.retry) await persistence.save();
        return recovery;
      });
    },
    noteRefusal(failure) {
      if (failure.action === 'compress') core.pendingRefusal = failure;
      const isContent = failure.action === 'strip-reasoning' || failure.action === 'strip-tool-parts';
      if (isContent && core.lastSent) stripContent(core, core.lastSent, failure.action);
    },
    notePassedThrough: (reason) => core.publish({ type: 'request-passed-through', reason }),
    async compact(asked = {}) {
      const given = asked.messages ?? runtime.lastSource;
      checkMessages(given);
      const source = [...given];
      return runtime.inLine(async () => {
        await background.cancel('A compaction was asked for.');
        const work = { ...runtime.workAgain(source), signal: asked.signal };
        const { feedback, preview } = await compactManually(core, work, asked, runtime.shown);
        runtime.shown = preview;
        if (!feedback.noop) core.lastWork = { ...work, signal: undefined };
        await persistence.save();
        return feedback;
      }, asked.signal);
    },
    async tidy(messages = runtime.lastSource) {
      checkMessages(messages);
      const source = [...messages];
      return runtime.inLine(async () => {
        const work = runtime.workAgain(source);
        const trigger = core.options.auto ? hygieneNeeded(core, work, core.view(work)) : null;
        if (!trigger) return null;
        await background.cancel('The chat was due for hygiene.');
        const { feedback } = await compactManually(core, work, {}, null, trigger);
        noteHygiene(core, !feedback.noop);
        await persistence.save();
        return feedback;
      });
    },
    undo: () =>
      runtime.inLine(async () => {
        await background.cancel('The compaction before it was undone.');
        const inEffect = core.lastWork && core.chain.newest(core.lastWork.intake.messages);
        const checkpoint = inEffect ?? core.chain.checkpoints.at(-1);
        if (!checkpoint) return null;
        core.chain.remove(checkpoint);
        if (checkpoint.engineBefore) core.ready.restore(checkpoint.engineBefore);
        core.replaceRecord(checkpoint.number, { undone: true });
        core.held = core.lastWork === null || !isOverWindow(core, core.lastWork, core.view(core.lastWork));
        const message = core.held
          ? 'The compaction was undone. Automatic compression waits until the prompt no longer fits the window.'
          : 'The compaction was undone, but without it the prompt does not fit the window: the next request makes another. Use a model with a larger window to go on without it.';
        core.publish({ type: 'checkpoint-undo', checkpoint: checkpoint.number, holds: core.held, message });
        await persistence.save();
        return checkpoint.number;
      }),
    records: () => core.records,
    updateModel: (model) => core.switchModel(model),
    status: () => ({
      id: core.id,
      model: core.model,
      contextLength: core.window,
      checkpoints: core.chain.checkpoints.map(({ number }) => number),
      held: core.held,
      engine: core.engine?.status() ?? null,
    }),
    on(listener) {
      core.listeners.add(listener);
      return () => {
        core.listeners.delete(listener);
      };
    },
    engine: () => runtime.inLine(async () => core.ready),
    snapshot: () => runtime.inLine(async () => structuredClone(snapshotOf(core))),
    restore: (snapshot) =>
      runtime.inLine(async () => {
        await background.cancel('Another state was restored.');
        forgetConversation(core);
        core.ready.onSessionReset();
        const problem = restoreInto(core, snapshot, false);
        if (problem) core.publish({ type: 'state-discarded', reason: problem });
        await persistence.save();
      }),
    reset: () =>
      runtime.inLine(async () => {
        await background.cancel('The session was reset.');
        forgetConversation(core);
        core.ready.onSessionReset();
        await persistence.save();
      }),
    end: (messages = runtime.lastSource) =>
      runtime.inLine(async () => {
        await background.cancel('The session ended.');
        await core.ready.onSessionEnd(messages);
        await persistence.save();
        await persistence.idle();
      }),
  };
  return session;
}
