import type { AfterCompress, AfterCompressAnswer, BeforeCompress } from '../options/session-hooks.ts';
import type { HookRunner } from './hook-runner.ts';

/** Calls `beforeCompress`. @returns what the summarizer should remember; `null` when there is nothing */
export async function memoryBefore(
  runner: HookRunner,
  info: BeforeCompress,
  compaction: number,
): Promise<string | null> {
  const text = await runner.run('beforeCompress', () => runner.hooks.beforeCompress?.(info), compaction);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** Calls `afterCompress` and checks its answer, because hosts are also written in JavaScript. */
export async function answerAfter(runner: HookRunner, info: AfterCompress): Promise<AfterCompressAnswer> {
  const answer = await runner.run('afterCompress', () => runner.hooks.afterCompress?.(info));
  if (typeof answer !== 'object' || answer === null) return {};
  const { todo, system } = answer;
  return {
    ...(typeof todo === 'string' && todo.trim() !== '' ? { todo } : {}),
    ...(typeof system === 'string' && system.trim() !== '' ? { system } : {}),
  };
}
