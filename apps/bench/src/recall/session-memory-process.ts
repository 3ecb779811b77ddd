import type { Message } from '@palimpsest/core';
import { createSession } from '@palimpsest/session';
import { engines } from '../engines/open-engine.ts';
import { answerIfMain } from '../own-process.ts';
import { longTranscript } from '../speed/long-transcript.ts';
import { collectedMemory } from './collected-memory.ts';

/** Memory of one of many sessions in one process, on average, in bytes. */
export interface SessionMemory {
  /** Of its history, which the host has anyway. */
  readonly history: number;
  /** Beyond its history, after a request that compacted it. */
  readonly session: number;
  /** What one search adds. The indexes of all sessions are bounded together. */
  readonly search: number;
  /** What is left when it has ended, as long as the host has its messages. */
  readonly left: number;
}

const contextLength = 100_000;
/** Messages that the request of each session hides at least. */
const hidden = 4_000;
const historyOf = (number: number): Message[] =>
  longTranscript(hidden + 400, { from: number * (hidden + 400), scale: 0.2 });
const query = 'src/part170.ts depth';

async function open(id: number, messages: readonly Message[]) {
  const session = createSession({
    id: `session ${id}`,
    engine: (host) => engines.compressor(host, contextLength),
    model: { id: 'bench', contextLength },
    recall: true,
  });
  const { messages: shown } = await session.beforeRequest(messages);
  if (messages.length - shown.length < hidden) throw new Error(`Only ${messages.length - shown.length} are hidden.`);
  return session;
}

await answerIfMain(import.meta.url, async (count: number): Promise<SessionMemory> => {
  // Loads and compiles everything.
  const warm = historyOf(0);
  const first = await open(0, warm);
  await first.callTool('recall', { query }, { messages: warm });
  await first.end();

  const empty = await collectedMemory();
  const histories = Array.from({ length: count }, (_, at) => historyOf(at + 1));
  const started = await collectedMemory();
  const sessions = [];
  for (const [at, history] of histories.entries()) sessions.push(await open(at, history));
  const opened = await collectedMemory();
  for (const [at, session] of sessions.entries())
    await session.callTool('recall', { query }, { messages: histories[at]! });
  const searched = await collectedMemory();
  for (const session of sessions) await session.end();
  sessions.length = 0;
  const ended = await collectedMemory();
  // Reading the histories here keeps them in memory until now.
  const each = (bytes: number): number => bytes / histories.length;
  return {
    history: each(started - empty),
    session: each(opened - started),
    search: each(searched - opened),
    left: each(ended - started),
  };
});
