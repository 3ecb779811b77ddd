import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession } from './make-session.ts';

/** A window of 10,000 tokens, of which prompts may use 7,000: the shape of gpt-5's 400,000 and 272,000. */
const model = { id: 'm', contextLength: 10_000, maxInputTokens: 7_000 };
/** About `tokens` tokens in five turns. */
const conversation = (tokens: number) => [
  ...Array.from({ length: 5 }, (_, at) => [
    user(`Question ${at}`),
    assistant(`Answer ${at}: ${'word '.repeat(tokens / 5)}`),
  ]).flat(),
  user('Next.'),
];

describe('an engine', () => {
  it('has its budget for the limit of prompts', async () => {
    const { session } = makeSession();
    const engine = await session.engine();
    await engine.updateModel({ ...model, reserveOutputTokens: 4_000 });
    const limited = engine.explain(6_000);
    await engine.updateModel({ id: 'm', contextLength: 7_000, reserveOutputTokens: 1_000 });
    expect(engine.explain(6_000)).toEqual(limited);
    expect(engine.status().contextLength).toBe(7_000);
  });
});

describe('a model that takes prompts of less than its window', () => {
  const compactions = async (tokens: number, maxTokens: number): Promise<number> => {
    const { session } = makeSession({ model });
    expect(session.status().contextLength).toBe(7_000);
    const { info } = await session.beforeRequest(conversation(tokens), { maxTokens });
    expect(info.tokens).toBeLessThan(7_000);
    return info.compactions.length;
  };

  it('compacts for the limit of prompts, not for the window', async () => {
    expect(await compactions(6_500, 100)).toBe(1);
  });

  it('gives the answer the rest of the window first', async () => {
    expect(await compactions(4_500, 3_000)).toBe(0);
    expect(await compactions(4_500, 9_000)).toBe(1);
  });

  it('changes the model when only that limit differs', () => {
    const { session, events } = makeSession({ model });
    session.updateModel({ ...model, maxInputTokens: 6_000 });
    expect(session.status().contextLength).toBe(6_000);
    expect(events.filter(({ type }) => type === 'model-switch')).toHaveLength(1);
  });

  it('is refused with a limit that is no number', () => {
    expect(() => makeSession({ model: { ...model, maxInputTokens: 0 } })).toThrow(/model\.maxInputTokens/);
  });
});
