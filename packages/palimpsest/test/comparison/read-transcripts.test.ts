import type { Input } from '@palimpsest/eval/inputs/input';
import { jsonValues } from '@palimpsest/eval/inputs/json-values';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { session } from './session.ts';

const input = (open: () => AsyncIterable<Uint8Array>, isLines = false): Input => ({
  label: 'given',
  stem: 'given',
  isLines,
  path: null,
  named: true,
  open,
});

/** The bytes of a text, split into pieces of the given sizes. */
async function* pieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
};

const record = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('reading JSON', () => {
  it('yields the same values however the bytes are split, as lines or as one document', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 5 }),
        sizes,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        async (values, cuts, newline) => {
          const plain = JSON.parse(JSON.stringify(values)) as unknown[];
          const text = values.map((value) => JSON.stringify(value)).join(newline);
          const lines = await all(jsonValues(input(() => pieces(text, cuts))));
          expect(lines.map(({ value }) => value)).toEqual(plain);
          expect(new Set(lines.map(({ layout }) => layout))).toEqual(
            new Set([values.length > 1 ? 'lines' : 'document']),
          );
          const [document, ...more] = await all(
            jsonValues(input(() => pieces(`\ufeff${JSON.stringify(values, null, 2)}\n`, cuts))),
          );
          expect(document).toMatchObject({ value: plain, layout: 'document' });
          expect(more).toEqual([]);
        },
      ),
    );
  });

  it('reads no further in a long file than the line it yields', async () => {
    let produced = 0;
    const endless = input(async function* () {
      for (;;) {
        produced++;
        yield Buffer.from(`${JSON.stringify({ line: produced, filler: 'x'.repeat(100_000) })}\n`);
      }
    });
    let taken = 0;
    for await (const { value } of jsonValues(endless)) {
      taken++;
      expect((value as { line: number }).line).toBe(taken);
      expect(produced).toBeLessThanOrEqual(taken + 1);
      if (taken === 800) break;
    }
    expect(taken).toBe(800);
  });

  it('stops reading a line once it is too large', async () => {
    let produced = 0;
    const endless = input(async function* () {
      for (;;) {
        produced++;
        yield Buffer.alloc(2 ** 20, 'a');
      }
    });
    await expect(all(jsonValues(endless))).rejects.toThrow(/line 1: .*64 MB/);
    expect(produced).toBeLessThan(70);
  });
});

describe('reading transcripts', () => {
  const messages = session(2);
  const read = (text: string, isLines = false) => all(readTranscripts(input(() => pieces(text, [1000]), isLines)));

  it.each([
    ['an array', JSON.stringify(messages), 'document'],
    ['an array of many lines', JSON.stringify(messages, null, 2), 'document'],
    ['an object', JSON.stringify({ messages }), 'document'],
    ['one message a line', messages.map((message) => JSON.stringify(message)).join('\n'), 'lines'],
  ] as const)('reads %s', async (_what, text, layout) => {
    const [found, ...more] = await read(text);
    expect(found).toMatchObject({ id: 'given', messages, layout });
    expect(more).toEqual([]);
  });

  const defaultSettings = { output: [], source: [] };
  it('encodes what it decoded', async () => {
    for (const values of [[messages], [{ id: 'a', messages, more: 1 }], messages]) {
      const [found] = await read(values.map((value) => JSON.stringify(value)).join('\n'));
      expect(found!.encode(found!.messages, defaultSettings)).toEqual(values);
    }
  });

  it('treats a .jsonl file with one value as lines', async () => {
    const [found] = await read(JSON.stringify(messages), true);
    expect(found).toMatchObject({ id: 'given#1', layout: 'lines' });
  });

  it('names transcripts by their id, or by file and line', async () => {
    const found = await read(`${JSON.stringify(messages)}\n\n${JSON.stringify({ id: 'mine', messages })}\n`);
    expect(found.map(({ id, line }) => [id, line])).toEqual([
      ['given#1', 1],
      ['mine', 3],
    ]);
  });

  it('throws only CliError, for any JSON', async () => {
    const role = fc.constantFrom('user', 'assistant', 'tool', 'system', 'robot');
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.record({ role, content: fc.jsonValue(), tool_calls: fc.jsonValue() }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(odd, fc.array(odd), fc.record({ messages: fc.array(odd) })), async (value) => {
        const outcome = await read(JSON.stringify(value)).catch((error: Error) => error);
        if (outcome instanceof Error) expect(outcome.name).toBe('CliError');
        else expect(outcome).toHaveLength(1);
      }),
    );
  });
});
