import type { AfterCompaction, AfterCompactionAnswer, BeforeCompaction } from '../options/session-hooks.ts';
import type { HookRunner } from './hook-runner.ts';

/** Calls `beforeCompaction`. @returns what the summarizer should remember; `null` when there is nothing */
export async function memoryBefore(
  runner: HookRunner,
  info: BeforeCompaction,
  compaction: number,
): Promise<string | null> {
  const text = await runner.run('beforeCompaction', () => runner.hooks.beforeCompaction?.(info), compaction);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** Calls `afterCompaction` and checks its answer, because hosts are also written in JavaScript. */
export async function answerAfter(runner: HookRunner, info: AfterCompaction): Promise<AfterCompactionAnswer> {
  const answer = await runner.run('afterCompaction', () => runner.hooks.afterCompaction?.(info));
  if (typeof answer !== 'object' || answer === null) return {};
  const { todo, system } = answer;
  return {
    ...(typeof todo === 'string' && todo.trim() !== '' ? { todo } : {}),
    ...(typeof system === 'string' && system.trim() !== '' ? { system } : {}),
  };
}
