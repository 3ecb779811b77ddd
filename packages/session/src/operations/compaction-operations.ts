import type { Message } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import { type CompactFeedback, compactFeedback } from '../compaction/compact-feedback.ts';
import { checkCompactOptions, compactManually, type Preview } from '../compaction/compact-manually.ts';
import { hygieneDue } from '../compaction/compaction-needed.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { repeatInput } from '../request/repeat-input.ts';
import type { Session } from '../session.ts';
import type { SessionServices } from './session-services.ts';
import { untilCommitted } from './until-committed.ts';

const held = 'The compaction was undone. Automatic compaction waits until the prompt no longer fits the window.';

const notHeld =
  'The compaction was undone, but without it the prompt does not fit the window, so the next request is compacted again. To continue without compaction, use a model with a larger window.';

type CompactionOperations = Pick<Session, 'compact' | 'tidy' | 'undo' | 'hold' | 'records'>;

/** The operations that compact on request and revert compactions. */
export function compactionOperations(services: SessionServices): CompactionOperations {
  const { planner, options, persistence, queue, viewer } = services;
  const { log } = services.compactions;
  const { requests } = services.conversation;
  let preview: Preview | null = null;
  return {
    async compact(asked = {}) {
      checkCompactOptions(asked);
      const source = copyMessages(asked.messages ?? requests.lastSource);
      return queue.run(async () => {
        await planner.cancel('A compaction was requested.');
        const input = { ...repeatInput(services, source), signal: asked.signal };
        let feedback!: CompactFeedback;
        await untilCommitted(persistence, async () => {
          const done = await compactManually(services, input, asked, preview);
          ({ feedback, preview } = done);
          if (!feedback.noop) requests.noteLast(input);
          return true;
        });
        return feedback;
      }, asked.signal);
    },
    async tidy(messages = requests.lastSource) {
      const source = copyMessages(messages);
      return queue.run(async () => {
        const input = repeatInput(services, source);
        const before = viewer.view(input);
        const isAllowed = options.auto === true && !services.compactions.automatic.isHeld;
        const trigger = isAllowed ? hygieneDue(services, input.maxTokens, before) : null;
        if (trigger && planner.start(input, before, { trigger, effort: 'full', force: true }))
          await planner.settle(undefined);
        const planned = await planner.swapIn(input);
        if (!planned || !(await persistence.commit())) return null;
        return compactFeedback(planned, viewer.view(input), false);
      });
    },
    undo: () =>
      queue.run(async () => {
        await planner.cancel('The compaction before it was undone.');
        let number: number | null = null;
        const isCommitted = await untilCommitted(persistence, async () => {
          number = await undoCompaction(services);
          return number !== null;
        });
        return isCommitted ? number : null;
      }),
    hold: (isHeld) =>
      queue.run(async () => {
        if (isHeld) await planner.cancel('Automatic compaction was paused.');
        await untilCommitted(persistence, async () => {
          services.compactions.automatic.isHeld = isHeld;
          return true;
        });
      }),
    records: () => log.records,
  };
}

function copyMessages(messages: readonly Message[]): readonly Message[] {
  checkMessages(messages);
  return [...messages];
}

/**
 * Drops the checkpoint in effect, and pauses automatic compaction if the prompt fits the window without it.
 * @returns the number of the dropped checkpoint, or `null`
 */
async function undoCompaction(parts: SessionParts): Promise<number | null> {
  const { engine, events, viewer } = parts;
  const { automatic, chain, log } = parts.compactions;
  const { lastRequest, requests } = parts.conversation;
  const { model } = parts.provider;
  const input = requests.isOld ? null : requests.lastInput;
  const checkpoint = (input && chain.newest(input.intake.messages)) ?? chain.checkpoints.at(-1);
  if (!checkpoint) return null;
  const { number, engineBefore } = checkpoint;
  chain.remove(checkpoint);
  // The last request has the handoff that is gone now.
  lastRequest.forget();
  if (engineBefore) await engine.ready.restore(engineBefore);
  log.change(number, { undone: true });
  automatic.isHeld = input === null || !model.isExceeded(viewer.view(input).size, input.maxTokens);
  const holds = automatic.isHeld;
  events.publish({ type: 'checkpoint-undo', checkpoint: number, holds, message: holds ? held : notHeld });
  return number;
}
