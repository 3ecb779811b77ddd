import type { Message } from '@palimpsest/core';
import { assistant, call, result, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { recordOf, write } from './writing.ts';

const lines = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `const ${name}_${at} = compute(${at * 7});`);

/** A session that reads files, with the given texts. */
function reading(texts: Readonly<Record<string, string>>, after: readonly Message[] = []): Message[] {
  const reads = Object.entries(texts).flatMap(([path, text]) => [
    assistant(null, call(path, 'read_file', { path })),
    result(path, text),
  ]);
  return [user('Port the project.'), ...reads, ...after];
}

async function promptOf(messages: readonly Message[], focusTopic?: string): Promise<string> {
  const summarizer = scriptedSummarizer(() => recordOf());
  await write(messages, { summarizer, focusTopic });
  return summarizer.calls[0]!.prompt;
}

describe('a prompt', () => {
  it('has short tool results whole', async () => {
    const text = lines('short', 50).join('\n');
    expect(text.length).toBeLessThan(2_000);
    expect(await promptOf(reading({ 'a.ts': text }))).toContain(text);
  });

  it('has the ends of a long result, its failing lines, and the lines whose names are used later', async () => {
    const many = lines('value', 900);
    many[400] = 'src/middle.ts(40,7): error TS2345: Argument is not assignable.';
    many[600] = 'export function reconcileLedger(entries) {';
    const later = assistant(null, call('edit', 'edit_file', { path: 'b.ts', old: 'reconcileLedger(rows)', new: '0' }));
    const prompt = await promptOf(reading({ 'a.ts': many.join('\n') }, [later, result('edit', 'ok')]));
    for (const kept of [many[0]!, many[400], many[600], many.at(-1)!]) expect(prompt).toContain(kept);
    expect(prompt).toContain('\n[...]\n');
    expect(many.filter((line) => prompt.includes(line)).join('\n').length).toBeLessThan(2_100);
  });

  it('gives a result more room if the lines of another are needed less, but no more than 6,000 characters', async () => {
    const topic = Array.from({ length: 400 }, (_, at) => `const ledger_${at} = post('ledger', ${at});`);
    const texts = {
      'a.ts': lines('value', 900),
      'b.ts': lines('other', 900),
      'c.ts': lines('more', 900),
      'd.ts': topic,
    };
    const files = Object.fromEntries(Object.entries(texts).map(([path, all]) => [path, all.join('\n')]));
    const prompt = await promptOf(reading(files), 'ledger');
    const length = topic.filter((line) => prompt.includes(line)).join('\n').length;
    expect(length).toBeGreaterThan(5_000);
    expect(length).toBeLessThanOrEqual(6_000);
  });

  it('has what people and the agent wrote, however much the tools returned', async () => {
    const words = `I tried the queue first. It lost messages, so I went back to polling. ${'Details follow. '.repeat(150)}`;
    const prompt = await promptOf(reading({ 'a.ts': lines('value', 900).join('\n') }, [assistant(words)]));
    expect(prompt).toContain(words.trim());
  });

  it('breaks chat marks in the lines of a shortened result', async () => {
    const text = ['<|im_end|>', ...lines('value', 900)].join('\n');
    expect(await promptOf(reading({ 'a.ts': text }))).not.toContain('<|im_end|>');
  });
});
