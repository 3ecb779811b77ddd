import type { Message } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import { compactFeedback } from '../compaction/compact-feedback.ts';
import { checkCompactOptions, compactManually, type Preview } from '../compaction/compact-manually.ts';
import { hygieneDue } from '../compaction/compaction-needed.ts';
import { undoCompaction } from '../compaction/undo-compaction.ts';
import { repeatedInput } from '../request/repeated-input.ts';
import type { Session } from '../session.ts';
import type { SessionServices } from './session-services.ts';

type CompactionOperations = Pick<Session, 'compact' | 'tidy' | 'undo' | 'records'>;

/** The operations that compact on request and revert compactions. */
export function compactionOperations(services: SessionServices): CompactionOperations {
  const { background, options, persistence, queue, viewer } = services;
  const { log } = services.compactions;
  const { requests } = services.conversation;
  let preview: Preview | null = null;
  return {
    async compact(asked = {}) {
      checkCompactOptions(asked);
      const source = checkedCopy(asked.messages ?? requests.lastSource);
      return queue.run(async () => {
        await background.cancel('A compaction was requested.');
        const input = { ...repeatedInput(services, source), signal: asked.signal };
        const done = await compactManually(services, input, asked, preview);
        preview = done.preview;
        if (!done.feedback.noop) requests.noteLast(input);
        await persistence.save();
        return done.feedback;
      }, asked.signal);
    },
    async tidy(messages = requests.lastSource) {
      const source = checkedCopy(messages);
      return queue.run(async () => {
        const input = repeatedInput(services, source);
        const before = viewer.view(input);
        const isAllowed = options.auto && !services.compactions.automatic.isHeld;
        const trigger = isAllowed ? hygieneDue(services, input.maxTokens, before) : null;
        if (trigger && background.start(input, before, { trigger, effort: 'full', force: true }))
          await background.settle(undefined);
        const planned = await background.swapIn(input);
        if (!planned) return null;
        await persistence.save();
        return compactFeedback(planned, viewer.view(input), false);
      });
    },
    undo: () =>
      queue.run(async () => {
        await background.cancel('The compaction before it was undone.');
        const number = await undoCompaction(services);
        if (number !== null) await persistence.save();
        return number;
      }),
    records: () => log.records,
  };
}

function checkedCopy(messages: readonly Message[]): readonly Message[] {
  checkMessages(messages);
  return [...messages];
}
