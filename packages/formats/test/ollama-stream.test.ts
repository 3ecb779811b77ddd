import { describe, expect, it } from 'vitest';
import { answerReader, StreamReader, wholeAnswer, wireNamed } from '../src/wire.ts';

const wire = wireNamed('ollama');
const framing = wire.answers.framingOf('application/x-ndjson', true)!;
const isOwn = (name: unknown) => name === 'recall';
const about = { model: 'qwen3', created_at: '2025-10-26T17:15:24.097767Z' };

type Json = Readonly<Record<string, unknown>>;

function line(message: Json, rest: Json = { done: false }): Json {
  return { ...about, message: { role: 'assistant', content: '', ...message }, ...rest };
}

const ending = (prompt: number, written: number, reason = 'stop'): Json =>
  line({}, { done: true, done_reason: reason, total_duration: 9, prompt_eval_count: prompt, eval_count: written });

function bytesOf(lines: readonly Json[]): Uint8Array {
  return new TextEncoder().encode(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

function call(name: string, input: Json = {}): Json {
  return { function: { name, arguments: input } };
}

/** Reads streams that become one, in chunks of this many bytes. */
function merged(streams: readonly (readonly Json[])[], size = 7) {
  const reader = new StreamReader(wire, framing, isOwn);
  const written: Uint8Array[] = [];
  const answers = streams.map((lines, at) => {
    if (at > 0) reader.next();
    const bytes = bytesOf(lines);
    for (let from = 0; from < bytes.length; from += size)
      written.push(reader.write(reader.read(bytes.slice(from, from + size))));
    return reader.end().answer;
  });
  written.push(reader.write(reader.finish()));
  const text = Buffer.concat(written).toString('utf8');
  return {
    answers,
    lines: text
      .split('\n')
      .slice(0, -1)
      .map((one) => JSON.parse(one) as Json),
  };
}

describe('a stream of Ollama', () => {
  it('is read in chunks that end anywhere', () => {
    const lines = [
      line({ thinking: 'Grüße' }),
      line({ content: 'Gu' }),
      line({ content: 'ten Tag. 👋' }),
      ending(26, 4),
    ];
    const reader = answerReader(wire, 'application/x-ndjson', true)!;
    for (const byte of bytesOf(lines)) reader.read(Uint8Array.of(byte));
    expect(reader.end()).toMatchObject({
      text: 'Guten Tag. 👋',
      items: [{ role: 'assistant', content: 'Guten Tag. 👋', thinking: 'Grüße' }],
      isComplete: true,
      usage: { promptTokens: 26, completionTokens: 4 },
      error: null,
    });
  });

  it('is read without a line break at its end', () => {
    const reader = answerReader(wire, 'application/x-ndjson')!;
    reader.read(new TextEncoder().encode(JSON.stringify(ending(3, 1))));
    expect(reader.end()).toMatchObject({ isComplete: true, usage: { promptTokens: 3 } });
  });

  it('is not complete when it was cut off, or ends with an error', () => {
    const read = (lines: readonly Json[]) => {
      const reader = answerReader(wire, 'application/x-ndjson')!;
      reader.read(bytesOf(lines));
      return reader.end();
    };
    expect(read([line({ content: 'A' }), ending(5, 5, 'length')]).isComplete).toBe(false);
    expect(read([line({ content: 'A' })]).isComplete).toBe(false);
    expect(read([line({ content: 'A' }), { error: 'the runner stopped' }])).toMatchObject({
      isComplete: false,
      error: { message: 'the runner stopped' },
    });
  });

  it('gives up after a line that is far too long', () => {
    const reader = answerReader(wire, 'application/x-ndjson')!;
    for (let at = 0; at < 20; at++) reader.read(new TextEncoder().encode('x'.repeat(1024 * 1024)));
    reader.read(bytesOf([{}, ending(1, 1)]));
    expect(reader.end()).toMatchObject({ text: '', isComplete: false });
  });

  it('becomes one with the next, without calls of ours, and with the counts of both', () => {
    const { answers, lines } = merged([
      [line({ content: 'Looking.' }), line({ tool_calls: [call('recall', { query: 'a' })] }), ending(100, 7)],
      [line({ content: 'Found.' }), line({ tool_calls: [call('read', { path: 'a' })] }), ending(150, 5)],
    ]);
    expect(answers[0]).toMatchObject({ calls: [{ name: 'recall', input: { query: 'a' } }], hasHostCalls: false });
    expect(answers[1]).toMatchObject({ calls: [], hasHostCalls: true });
    expect(lines).toEqual([
      line({ content: 'Looking.' }),
      line({ content: '\n\nFound.' }),
      line({ tool_calls: [call('read', { path: 'a' })] }),
      { ...ending(150, 12) },
    ]);
  });

  it('shows what is on its last line, and ends only once', () => {
    const last = line({ content: 'All.', tool_calls: [call('recall')] }, { done: true, prompt_eval_count: 9 });
    const { lines } = merged([[last], [ending(10, 2)]]);
    expect(lines.map(({ done }) => done)).toEqual([false, true]);
    expect(lines[0]).toEqual(line({ content: 'All.' }));
  });
});

describe('an answer of Ollama that is no stream', () => {
  it('becomes one with the next', () => {
    const answers = [
      { ...ending(100, 7), message: { role: 'assistant', content: 'Looking.', tool_calls: [call('recall')] } },
      { ...ending(150, 5), message: { role: 'assistant', content: 'Found.', thinking: 'Good.' } },
    ];
    const read = answers.map((one) => wholeAnswer(wire, one, isOwn));
    expect(wire.answers.mergeWhole(answers, read)).toEqual({
      ...ending(150, 12),
      message: { role: 'assistant', content: 'Looking.\n\nFound.', thinking: 'Good.' },
    });
  });

  it('is known again by its words and what its calls ask for, also with ids that an SDK made', () => {
    const { keyOf } = wire.answers;
    const items = [{ role: 'assistant', content: 'Reading.', tool_calls: [call('read', { path: 'a' })] }];
    const again = [
      { role: 'assistant', content: ' Reading. ', tool_calls: [{ id: 'x', ...call('read', { path: 'a' }) }] },
    ];
    const other = [{ role: 'assistant', content: 'Reading.', tool_calls: [call('read', { path: 'b' })] }];
    expect(keyOf(again)).toBe(keyOf(items));
    expect(keyOf(other)).not.toBe(keyOf(items));
  });
});
