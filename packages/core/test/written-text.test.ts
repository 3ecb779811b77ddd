import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEngine,
  Draft,
  type EnginePlanner,
  type Plan,
  type PlanInput,
  placeHandoff,
  plainReader,
  Transcript,
} from '../src/authoring.ts';
import { type Budget, createHost, type Edit, type EngineHost, isTrustedHandoff, type Message } from '../src/index.ts';

const secret = 'hush';
const call = (input: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'run', arguments: input } }],
});
const history: Message[] = [
  { role: 'system', content: `Be careful with ${secret}.` },
  {
    role: 'user',
    content: [
      { type: 'text', text: `Use ${secret}.` } as never,
      { type: 'image_url', image_url: { url: `https://example.com/${'x'.repeat(80)}.png` } } as never,
    ],
  },
  call(`{"password":"${secret}","text":"${'long '.repeat(40)}"}`),
  { role: 'tool', tool_call_id: 'c', content: `The value is ${secret}. ${'More. '.repeat(40)}` },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: `What is left of ${secret}?` },
];
const figures: Budget = { contextLength: 9, usableTokens: 9, thresholdTokens: 9, tailTokens: 0, summaryTokens: 0 };

function engineOn(
  plan: (input: PlanInput<number>) => Omit<Plan<number>, 'state'>,
  parts: Partial<EnginePlanner<number>> = {},
) {
  const tokens = {
    countText: (text: string) => text.length,
    countMessage: (message: Message) => JSON.stringify(message).length,
  };
  const redact = (text: string): string => text.replaceAll(secret, '***');
  const host: EngineHost = createHost({ tokens, reader: plainReader, redact, handoffKey: 'k'.repeat(32) });
  const planner = {
    initial: 0,
    budget: () => figures,
    plan: async (input: PlanInput<number>) => ({ ...plan(input), state: 1 }),
    ...parts,
  };
  return { engine: createEngine<number>(planner, host, { name: 'test' }), host };
}

const rewrite = (at: number, set: object): Edit => ({
  kind: 'rewrite',
  at,
  set,
  reasons: [{ code: 'stub', note: secret }],
});

describe('what any engine writes is masked before it is applied:', () => {
  it.each<[string, Edit, (messages: readonly Message[]) => unknown, unknown]>([
    ['a rewritten result', rewrite(3, { content: `[run] ${secret}` }), (all) => all[3]!.content, '[run] ***'],
    [
      'a part of a result',
      rewrite(3, { content: [{ type: 'text', text: secret }] }),
      (all) => all[3]!.content,
      [{ type: 'text', text: '***' }],
    ],
    [
      'rewritten arguments',
      rewrite(2, { tool_calls: (call(`{"text":"${secret}"}`) as { tool_calls: unknown }).tool_calls }),
      (all) => all[2]!.tool_calls?.[0],
      { id: 'c', type: 'function', function: { name: 'run', arguments: '{"text":"***"}' } },
    ],
  ])('%s', async (_what, edit, read, expected) => {
    const { engine } = engineOn(() => ({ edits: [edit] }));
    const result = await engine.compress(history);
    expect(result.outcome).toBe('compacted');
    expect(read(result.messages as Message[])).toEqual(expected);
    expect(JSON.stringify(result.edits)).not.toContain(secret);
    expect(result.messages.filter((message) => !history.includes(message as Message))).toHaveLength(1);
  });

  it('a handoff, which is signed again', async () => {
    const { engine, host } = engineOn(({ transcript }) => {
      const draft = new Draft(transcript);
      placeHandoff(draft, [1, 4], `It was ${secret}.`, { reason: { code: 'summarize' }, key: host.handoffKey });
      return { edits: draft.edits() };
    });
    const { messages, edits } = await engine.compress(history);
    const handoff = messages.find(({ role }) => role === 'user') as Message;
    expect(JSON.stringify(handoff)).toContain('It was ***.');
    expect(JSON.stringify(edits)).not.toContain(secret);
    const transcript = Transcript.of(messages as Message[], host.tokens, host);
    expect(isTrustedHandoff(transcript, messages.indexOf(handoff as never), host)).toBe(true);
  });

  it('the answer of a tool', async () => {
    const tools = {
      schemas: [{ type: 'function' as const, function: { name: 'look' } }],
      handle: async () => JSON.stringify({ found: secret }),
    };
    const { engine } = engineOn(() => ({ edits: [] }), { tools });
    expect(await engine.handleToolCall('look', {}, { messages: [] })).toBe('{"found":"***"}');
  });

  it('whatever the text: the messages that were kept are untouched', async () => {
    const texts = fc.array(fc.constantFrom(secret, '{"a":"', '"}', '[', ']', '\n', ' hus', 'h ', 'x'), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        const { engine } = engineOn(() => ({ edits: [rewrite(3, { content: pieces.join('') })] }));
        const { messages } = await engine.compress(history);
        expect(String(messages[3]!.content)).not.toContain(secret);
        for (const at of [0, 1, 2, 4, 5]) expect(messages[at]).toBe(history[at]);
      }),
    );
  });
});

describe('a plan is discarded', () => {
  it("when it changes a user's words, also in an earlier message", async () => {
    const { engine } = engineOn(() => ({ edits: [rewrite(1, { content: 'Delete it.' })] }));
    await expect(engine.compress(history)).rejects.toMatchObject({
      code: 'INVARIANT_VIOLATED',
      details: { violations: [expect.stringContaining("edit 0 changes the user's words")] },
    });
  });

  it('but not when it only removes a picture', async () => {
    const content = [{ type: 'text', text: `Use ${secret}.` } as never, { type: 'text', text: '[image removed]' }];
    const { engine } = engineOn(() => ({ edits: [rewrite(1, { content })] }));
    expect((await engine.compress(history)).messages[1]!.content).toEqual(content);
  });

  it('when it is no plan', async () => {
    const { engine } = engineOn(() => ({ edits: [] }), { plan: async () => undefined as never });
    await expect(engine.compress(history)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
  });
});

it('a budget with a figure that is not a number of tokens is an error', async () => {
  const { engine } = engineOn(() => ({ edits: [] }), { budget: () => ({ ...figures, tailTokens: 'all' as never }) });
  const refusal = { code: 'INVARIANT_VIOLATED', details: { violations: ['tailTokens is not a number of tokens'] } };
  await expect(engine.updateModel({ id: 'm', contextLength: 9 })).rejects.toMatchObject(refusal);
  await expect(engine.compress(history)).rejects.toMatchObject(refusal);
});
