import type { Message } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { readTranscripts } from '../transcripts.ts';
import { collectedMemory } from './collected-memory.ts';
import type { IndexMemory } from './measure-memory.ts';

// Measures the index of each kind of text. Given as JSON: the folder with transcripts.
const dataFolder = JSON.parse(process.argv[2]!) as string | null;
const results = 1000;

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

const kinds: Readonly<Record<string, () => readonly Message[]>> = {
  'real sessions': () =>
    readTranscripts(dataFolder)
      .flatMap(({ messages }) => messages)
      .slice(0, 4000),
  'log lines with ids': () =>
    output(
      25,
      () =>
        `2026-11-${10 + next(20)}T${10 + next(14)}:${10 + next(50)}:${10 + next(50)}.${next(999)}Z INFO req=${hash()} user=${next(100_000)} path=/api/v1/items/${next(1_000_000)} ms=${next(5000)}`,
    ),
  'hashes and paths': () => output(60, () => `${hash()}${hash()} ${hash()} src/${hash()}.ts:${next(900)}`),
  'random short words': () => output(60, () => Array.from({ length: 12 }, () => next(36 ** 3).toString(36)).join(' ')),
};

function output(lines: number, line: () => string): readonly Message[] {
  return Array.from(
    { length: results },
    (_, at): Message => ({
      role: 'tool',
      tool_call_id: `call ${at}`,
      content: Buffer.from(Array.from({ length: lines }, line).join('\n')).toString(),
    }),
  );
}

async function measure(kind: string, make: () => readonly Message[]): Promise<IndexMemory> {
  const messages = JSON.parse(JSON.stringify(make())) as readonly Message[];
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

const measured: IndexMemory[] = [];
await measure('warm-up', kinds['log lines with ids']!);
for (const [kind, make] of Object.entries(kinds)) measured.push(await measure(kind, make));
process.stdout.write(JSON.stringify(measured));
