import type { Page } from 'playwright-core';

/** The longest task of the page's main thread. */
export interface LongestTask {
  /** Time from its start to its end. On a loaded machine, most of it is waiting for a processor. */
  readonly ms: number;
  /** Processor time, which does not depend on what else the machine does. */
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Duration, and processor time, in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Traces the browser while `use` runs. Tabs that do nothing have only short tasks. */
export async function longestTask(page: Page, use: () => Promise<void>): Promise<LongestTask> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await use();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread),
  );
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && mains.has(thread(event)));
  if (tasks.length === 0) throw new Error('the trace holds no task of a main thread');
  const most = (key: 'dur' | 'tdur'): number => tasks.reduce((longest, task) => Math.max(longest, task[key] ?? 0), 0);
  return { ms: most('dur') / 1_000, cpuMs: most('tdur') / 1_000 };
}
