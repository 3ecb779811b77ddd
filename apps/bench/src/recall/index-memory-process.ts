import type { Message } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { answerIfMain } from '../own-process.ts';
import { readTranscripts } from '../transcripts.ts';
import { collectedMemory } from './collected-memory.ts';

/** Memory of one index, in bytes. */
export interface IndexMemory {
  /** What is indexed. */
  readonly kind: string;
  /** Of the indexed text, which the host has anyway. */
  readonly text: number;
  readonly index: number;
}

let state = 7;
function next(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >>> 8) % below;
}
const hash = (): string =>
  Array.from({ length: 4 }, () =>
    next(1 << 16)
      .toString(16)
      .padStart(4, '0'),
  ).join('');
const logLine = (): string =>
  `2026-11-${10 + next(20)}T${10 + next(14)}:${10 + next(50)}:${10 + next(50)}.${next(999)}Z INFO req=${hash()} user=${next(100_000)} path=/api/v1/items/${next(1_000_000)} ms=${next(5000)}`;

const results = (lines: number, line: () => string): readonly Message[] =>
  Array.from({ length: 1_000 }, (_, at) => ({
    role: 'tool',
    tool_call_id: `call ${at}`,
    content: Array.from({ length: lines }, line).join('\n'),
  }));

async function measure(kind: string, made: readonly Message[]): Promise<IndexMemory> {
  const messages = JSON.parse(JSON.stringify(made)) as readonly Message[];
  const source = messages.map(() => ({ kind: 'dropped' as const, edit: 0, reasons: [] }));
  const before = await collectedMemory();
  const recall = createRecall({ sessionId: kind, redact: (text) => text });
  recall.update(messages, { provenance: { output: [], source } });
  await recall.callTool('recall', { query: 'one' });
  const index = (await collectedMemory()) - before;
  recall.release();
  // Text beyond Latin-1 takes two bytes a character.
  const text = messages
    .map((message) => JSON.stringify([message.content, message.tool_calls]))
    .reduce((sum, all) => sum + all.length * (/[^\0-\u00ff]/.test(all) ? 2 : 1), 0);
  return { kind, text, index };
}

await answerIfMain(import.meta.url, async (dataFolder: string | null) => {
  const real = readTranscripts(dataFolder).flatMap(({ messages }) => messages);
  await measure('warm-up', results(25, logLine));
  return [
    await measure('real sessions', real.slice(0, 4000)),
    await measure('log lines with ids', results(25, logLine)),
    await measure(
      'hashes and paths',
      results(60, () => `${hash()}${hash()} ${hash()} src/${hash()}.ts:${next(900)}`),
    ),
  ];
});
