import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { writeSummary } from '../../src/write-summary.ts';
import { inputFor, recordText, session, setting, summarizerOn, type Wire, wires } from './summarizer-setup.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

interface Row {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly class: string;
  readonly cooldownMs: number | readonly number[];
  /** The wire to which the row does not apply. */
  readonly not?: Wire;
}

const minute = 60_000;
const ladder = [minute, 5 * minute, 15 * minute];
const status = (code: number, word?: string, message?: string): Behaviour => ({
  kind: 'status',
  status: code,
  code: word,
  message,
});
const answer = (text: string): Behaviour => ({ kind: 'answer', text });

/** The cases of the failure policy, as behaviors of a provider. */
const table: readonly Row[] = [
  { name: '401', behaviour: status(401), class: 'access', cooldownMs: 10 * minute },
  { name: '402', behaviour: status(402), class: 'access', cooldownMs: 10 * minute },
  { name: '403', behaviour: status(403), class: 'access', cooldownMs: 10 * minute },
  {
    name: '400 for an invalid key',
    behaviour: status(400, 'invalid_api_key'),
    class: 'access',
    cooldownMs: 10 * minute,
  },
  {
    name: '429 for an exhausted quota',
    behaviour: status(429, 'insufficient_quota'),
    class: 'access',
    cooldownMs: 10 * minute,
  },
  {
    name: 'a connection cut before the answer',
    behaviour: { kind: 'close', at: 'start' },
    class: 'network',
    cooldownMs: minute / 2,
  },
  {
    name: 'a stream cut in the middle',
    behaviour: { kind: 'close', at: 'middle' },
    class: 'network',
    cooldownMs: minute / 2,
  },
  ...[408, 409, 429, 500, 502, 503, 504, 529].map((code) => ({
    name: String(code),
    behaviour: status(code),
    class: 'transient',
    cooldownMs: ladder,
  })),
  {
    name: 'an overload inside a stream',
    behaviour: { kind: 'stream-error', code: 'overloaded_error' },
    class: 'transient',
    cooldownMs: ladder,
    not: 'openai, whole',
  },
  {
    name: 'silence past the timeout',
    behaviour: { kind: 'stall', at: 'start' },
    class: 'transient',
    cooldownMs: ladder,
  },
  { name: 'silence in the middle', behaviour: { kind: 'stall', at: 'middle' }, class: 'transient', cooldownMs: ladder },
  { name: '404', behaviour: status(404), class: 'missing-model', cooldownMs: 10 * minute },
  {
    name: '400 for an unknown model',
    behaviour: status(400, 'model_not_found'),
    class: 'missing-model',
    cooldownMs: 10 * minute,
  },
  { name: 'a web page with status 200', behaviour: { kind: 'html' }, class: 'bad-output', cooldownMs: minute / 2 },
  { name: 'empty content', behaviour: answer('  \n'), class: 'bad-output', cooldownMs: minute / 2 },
  {
    name: 'content that only thinks',
    behaviour: answer('<think>Let me see.</think>\n'),
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'hidden thought and nothing else',
    behaviour: { kind: 'answer', text: '', reasoning: 'Let me see.' },
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'a refusal in words',
    behaviour: answer("I'm sorry, but I can't help with that."),
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'a refusal by the provider',
    behaviour: { kind: 'answer', text: recordText(), finish: 'refusal' },
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'an answer cut off by length',
    behaviour: { kind: 'answer', text: recordText().slice(0, 300), finish: 'length' },
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'an answer ten times too long',
    behaviour: answer(recordText({ Goal: 'More and more of it. '.repeat(4_000) })),
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'an answer to the user instead of a record',
    behaviour: answer('You should change the limit to 7430 and rerun.'),
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  {
    name: 'all headings inside a code fence',
    behaviour: answer(`Here it is:\n\`\`\`markdown\n${recordText()}\n\`\`\`\nDone.`),
    class: 'bad-output',
    cooldownMs: minute / 2,
  },
  { name: 'a status nobody knows', behaviour: status(418, 'teapot'), class: 'unknown', cooldownMs: minute },
  {
    name: '400 without a reason',
    behaviour: status(400, 'invalid_request_error'),
    class: 'unknown',
    cooldownMs: minute,
  },
];

async function run(wire: Wire, decide: (model: string, number: number) => Behaviour, abortOnFailure = false) {
  const { host, clock, events } = setting({
    summarizer: summarizerOn(server, wire, 'aux'),
    fallbackSummarizer: summarizerOn(server, wire, 'main'),
  });
  const started = clock.now();
  server.play((request, number) => {
    const behaviour = decide(request.model, number);
    // The clock advances only while a stalled call is pending; all others end by themselves.
    if (behaviour.kind === 'stall') setImmediate(() => clock.advance(10 * minute));
    return behaviour;
  });
  const result = await writeSummary(inputFor(session(), { abortOnFailure }), host);
  const calls = ['aux', 'main'].map((model) => server.received.filter((one) => one.model === model).length);
  expect(server.received.flatMap((one) => one.problems)).toEqual([]);
  expect(clock.pending).toBe(0);
  return { result, calls, events, elapsedMs: clock.now() - started };
}

describe.each(wires)('the failure table over %s', (wire) => {
  const rows = table.filter((row) => row.not !== wire);

  it.each(rows)('$name: each model is called once, then the class decides', async (row) => {
    const { result, calls, events } = await run(wire, () => row.behaviour);
    expect(result.failure).toMatchObject({ class: row.class, cooldownMs: row.cooldownMs });
    expect(result.failure?.summarizer).toMatch(/:main$/);
    expect(result.auxiliaryFailure?.summarizer).toMatch(/:aux$/);
    expect(calls).toEqual([1, 1]);
    if (result.kind !== 'fallback') throw new Error(`${row.name} gives ${result.kind}`);
    expect(result.body).toContain('No summary could be written: 6 messages');
    expect(events.some((event) => event.type === 'summary-fallback')).toBe(true);
  });

  it.each(rows)(
    '$name on the auxiliary only: the main model writes, and the report names the auxiliary',
    async (row) => {
      const { result, calls } = await run(wire, (model) => (model === 'aux' ? row.behaviour : answer(recordText())));
      expect(result.kind).toBe('written');
      if (result.kind === 'aborted') return;
      expect(result.by).toMatch(/:main$/);
      expect(result.failure).toBeNull();
      expect(result.auxiliaryFailure).toMatchObject({ class: row.class });
      expect(calls[1]).toBe(1);
      expect(result.modelCalls).toBe(2);
    },
  );

  it('a good answer of the auxiliary is used, and no other model is called', async () => {
    const { result, calls } = await run(wire, () => answer(recordText()));
    expect(result).toMatchObject({ kind: 'written', modelCalls: 1, failure: null, auxiliaryFailure: null });
    expect(calls).toEqual([1, 0]);
  });

  it('a slow answer in many chunks is awaited', async () => {
    const { result, elapsedMs } = await run(wire, () => ({ kind: 'answer', text: recordText(), pieces: 300 }));
    expect(result.kind).toBe('written');
    expect(elapsedMs).toBeLessThan(120_000);
  });

  it('inline and hidden reasoning are removed', async () => {
    const text = `<think>The user wants a record.</think>\n${recordText()}`;
    const { result } = await run(wire, () => ({ kind: 'answer', text, reasoning: 'Something private.' }));
    if (result.kind === 'aborted') throw new Error('aborted');
    expect(result.body).not.toMatch(/wants a record|private/);
    expect(result.body.startsWith('## Active Task\n')).toBe(true);
  });

  it('sections that are left out need no second call', async () => {
    const { result, calls } = await run(wire, () => answer('## Goal\nA scheduler test that passes every time.'));
    expect(calls).toEqual([1, 0]);
    expect(result).toMatchObject({ kind: 'written', modelCalls: 1, warnings: [] });
  });

  it('the sections of a repeated heading are joined', async () => {
    const { result } = await run(wire, () => answer(`${recordText()}\n\n## Goal\nAnd a second goal.`));
    if (result.kind === 'aborted') throw new Error('aborted');
    expect(result.body.match(/^## Goal$/gm)).toHaveLength(1);
    expect(result.body).toMatch(/passes every time\.[^\n]*\nAnd a second goal\./);
  });

  it('413 makes the parts smaller until they are accepted', async () => {
    const { host } = setting({ summarizer: summarizerOn(server, wire, 'aux') });
    server.play(({ text }) => (text.length > 12_000 ? status(413) : answer(recordText())));
    expect(await writeSummary(inputFor(session(120)), host)).toMatchObject({ kind: 'written' });
    expect(server.received.length).toBeGreaterThan(2);
  });

  it('an overflow of even the smallest part has its own failure class', async () => {
    const { result } = await run(wire, () => status(413));
    expect(result.failure).toMatchObject({ class: 'overflow', cooldownMs: minute });
  });

  it('Retry-After lengthens the pause', async () => {
    const { result } = await run(wire, () => ({ kind: 'status', status: 429, retryAfterSeconds: 200 }));
    expect(result.failure?.cooldownMs).toEqual([200_000, 300_000, 900_000]);
  });
});

describe('abortOnFailure', () => {
  it.each(table)('leaves the transcript after $name', async (row) => {
    const { result } = await run('openai, streaming', () => row.behaviour, true);
    expect(result.kind).toBe('aborted');
    expect(result.failure?.class).toBe(row.class);
  });
});

describe('an unreachable server', () => {
  it.each(wires)('is a network failure over %s', async (wire) => {
    const gone = await startLoopbackServer();
    const { host } = setting({ summarizer: summarizerOn(gone, wire, 'aux') });
    await gone.close();
    expect(await writeSummary(inputFor(session()), host)).toMatchObject({
      kind: 'fallback',
      failure: { class: 'network', cooldownMs: minute },
    });
  });
});
