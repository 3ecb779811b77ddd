import type { Message } from '@palimpsest/core';
import type { CompactionRecord } from '../compaction-record.ts';
import { withinDeadline } from '../deadline.ts';
import type { SessionCore, View, Work } from '../session-core.ts';
import type { CompactionTrigger } from '../session-event.ts';
import type { AfterCompressAnswer, RemovedResult } from '../session-hooks.ts';

/** Asks the host what has to be remembered; `null` when there is nothing, or the hook failed. */
export async function memoryBefore(
  core: SessionCore,
  work: Work,
  view: View,
  trigger: CompactionTrigger,
): Promise<string | null> {
  const { hooks } = core.given;
  const text = await guarded(core, 'beforeCompress', () =>
    hooks?.beforeCompress?.({
      sessionId: core.id,
      trigger,
      messages: view.assembled.messages,
      tokens: view.size.tokens,
      signal: work.signal,
    }),
  );
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** Tells the host what was compressed; what it adds is checked, because hosts are written in JavaScript, too. */
export async function answerAfter(
  core: SessionCore,
  record: CompactionRecord,
  messages: readonly Message[],
  removedResults: readonly RemovedResult[],
  system: string | null,
): Promise<AfterCompressAnswer> {
  const { hooks } = core.given;
  const answer = await guarded(core, 'afterCompress', () =>
    hooks?.afterCompress?.({ sessionId: core.id, record, messages, removedResults, system }),
  );
  if (typeof answer !== 'object' || answer === null) return {};
  const { todo, system: rebuilt } = answer;
  return {
    ...(typeof todo === 'string' && todo.trim() !== '' ? { todo } : {}),
    ...(typeof rebuilt === 'string' && rebuilt.trim() !== '' ? { system: rebuilt } : {}),
  };
}

/** A hook of the host's: at most so long, and without the power to stop anything. */
export async function guarded<T>(core: SessionCore, hook: string, work: () => T | Promise<T>): Promise<T | null> {
  core.inHook = true;
  try {
    return await withinDeadline(work, core.options.hookTimeoutMs, core.clock);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it threw a value that is not an Error';
    core.publish({ type: 'hook-failed', hook, reason });
    return null;
  } finally {
    core.inHook = false;
  }
}
