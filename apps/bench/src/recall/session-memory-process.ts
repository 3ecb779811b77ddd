import type { Message } from '@palimpsest/core';
import { createSession } from '@palimpsest/session';
import { codingSession } from '../engines/coding-session.ts';
import { engines } from '../engines/open-engine.ts';
import { collectedMemory } from './collected-memory.ts';
import type { MemoryOrder, SessionMemory } from './measure-memory.ts';

// Measures one order, given as JSON. Says how far it is, because a thousand sessions take long.
const { sessions: count, hidden } = JSON.parse(process.argv[2]!) as MemoryOrder;
const tokensPerMessage = 100;
const contextLength = 100_000;

const say = (stage: string): void =>
  console.error(
    `${Math.round(performance.now() / 1000)} s: ${stage}, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  );

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

// Loads and compiles everything.
const warm = codingSession(hidden + 400, -1, tokensPerMessage);
const first = await open(-1, warm);
await first.callTool('recall', { query: 'src/area-1/file-1.ts' }, { messages: warm });
await first.end();

const empty = await collectedMemory();
const one = codingSession(hidden + 400, 0, tokensPerMessage);
const histories = Array.from({ length: count }, (_, at) => codingSession(hidden + 400, at + 1, tokensPerMessage));
const started = await collectedMemory();
const sessions = [];
for (const [at, history] of histories.entries()) {
  sessions.push(await open(at, history));
  if (sessions.length % 100 === 0) say(`${sessions.length} sessions are open`);
}
const opened = await collectedMemory();
for (const [at, session] of sessions.entries()) {
  await session.callTool('recall', { query: 'src/area-17/file-170.ts parser' }, { messages: histories[at]! });
  if ((at + 1) % 100 === 0) say(`${at + 1} sessions have searched`);
}
const searched = await collectedMemory();
for (const session of sessions) await session.end();
sessions.length = 0;
const ended = await collectedMemory();
const result: SessionMemory = {
  sessions: count,
  messages: one.length,
  characters: one.reduce((sum, { content }) => sum + String(content).length, 0),
  history: (started - empty) / count,
  session: (opened - started) / count,
  search: (searched - opened) / count,
  left: (ended - started) / count,
  residentSet: process.memoryUsage().rss,
};
process.stdout.write(JSON.stringify(result));
// The histories stay in memory until here.
if (histories.length !== count) throw new Error('unreachable');
