import type { Message, MessageOutcome } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecall } from '../src/index.ts';
import { exchange, redact, refsIn, summarized } from './histories.ts';

const counter = createTokenCounter();
/** Inputs of each property. A deep run asks more than 100,000 queries. */
const settings = { numRuns: process.env.PALIMPSEST_DEEP ? 20_000 : 100 };
const word = fc.constantFrom('alpha', 'betaGamma', 'src/x.ts', 'SECRETvalue1', 'error', '漢字', '😀', 'x'.repeat(900));
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(words.length % 2 ? '\n' : ' '));
const part: fc.Arbitrary<Message[]> = fc.oneof(
  text.map((content): Message[] => [{ role: 'user', content }]),
  fc.string({ unit: 'binary', maxLength: 2000 }).map((content): Message[] => [{ role: 'assistant', content }]),
  fc
    .tuple(fc.constantFrom('bash', 'read_file', 'recall'), text, text)
    .map(([tool, input, result]) => exchange(tool, { path: input }, result)),
);
const conversation = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.flat());
const query = fc.oneof(text, fc.string({ unit: 'binary' }), fc.constantFrom('alpha', 'x.ts', 'error', '漢'));
const anyInput = fc.oneof(
  fc.record({ query, limit: fc.anything(), tool: fc.anything(), before: fc.anything() }, { requiredKeys: ['query'] }),
  fc.record(
    { ref: fc.anything(), pattern: fc.anything(), lines: fc.anything(), context: fc.anything() },
    { requiredKeys: [] },
  ),
  fc.anything(),
  fc.json(),
);

/** Lines that an answer quotes, without their numbers. */
function quoted(answer: string): string[] {
  return [...answer.matchAll(/^\d+\| (.*)$/gm)].map((match) => match[1]!);
}

describe('an answer, for any history and any call', () => {
  it('is a text within the limit', async () => {
    const limit = fc.integer({ min: 200, max: 3000 });
    await fc.assert(
      fc.asyncProperty(
        conversation,
        limit,
        fc.constantFrom('recall', 'expand'),
        anyInput,
        async (history, maxTokens, tool, input) => {
          const recall = createRecall({ sessionId: 'one', redact, maxTokens });
          recall.update(history, summarized(history, history.length));
          const refs = history.flatMap((_, at) => recall.refsOf(at)).map(({ ref }) => ref);
          for (const given of [
            input,
            { query: 'alpha', limit: 10 },
            { ref: refs[0], pattern: 'alpha', context: 20 },
            { ref: refs.at(-1) },
          ]) {
            const answer = await recall.callTool(tool, given);
            expect(answer).not.toBe('');
            expect(counter.countText(answer)).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
      settings,
    );
  });

  it('quotes only what is hidden now in this history', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(conversation, { minLength: 2, maxLength: 4 }),
        query,
        fc.nat(20),
        async (histories, words, hidden) => {
          const recall = createRecall({ sessionId: 'one', redact });
          for (const history of histories) {
            recall.update(history, summarized(history, hidden));
            const answer = await recall.callTool('recall', { query: words, limit: 10 });
            const texts = history
              .slice(0, hidden)
              .map((message) => `${JSON.stringify(message.tool_calls ?? '')}\n${String(message.content)}`);
            for (const line of quoted(answer)) expect(texts.some((all) => all.includes(line.trim()))).toBe(true);
            for (const ref of refsIn(answer))
              expect(await recall.callTool('expand', { ref })).toContain(`ref ${ref}: `);
          }
        },
      ),
      settings,
    );
  });

  it('finds every hidden text by its own rarest line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), fc.nat(19), async (texts, chosen) => {
        const history = texts.flatMap((body, at) =>
          exchange('bash', { command: `run ${at}` }, `${body}\nmarker${at}qz`),
        );
        const recall = createRecall({ sessionId: 'one', redact });
        recall.update(history, summarized(history, history.length));
        const at = chosen % texts.length;
        expect(await recall.callTool('recall', { query: `marker${at}qz`, limit: 1 })).toContain(`| marker${at}qz`);
      }),
      settings,
    );
  });

  it('with a ref of another session finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (history) => {
        const [own, other] = ['one', 'two'].map((sessionId) => {
          const recall = createRecall({ sessionId, redact });
          recall.update(history, summarized(history, history.length));
          return recall;
        });
        for (const { ref } of history.flatMap((_, at) => own!.refsOf(at)))
          expect(await other!.callTool('expand', { ref })).toContain('No hidden text of this conversation');
      }),
      settings,
    );
  });

  it('from the archive has no secret, and is found again by another process', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, query, async (history, words) => {
        const items = new Map<string, string>();
        const store = {
          getItem: (key: string) => items.get(key) ?? null,
          setItem: (key: string, value: string) => void items.set(key, value),
          removeItem: (key: string) => void items.delete(key),
          getKeys: (base: string) => [...items.keys()].filter((key) => key.startsWith(base)),
        };
        const events: unknown[] = [];
        const open = () => createRecall({ sessionId: 'one', redact, store, onEvent: (event) => events.push(event) });
        const first = open();
        await first.archive(history);
        const second = open();
        for (const recall of [first, second]) {
          recall.update([]);
          const answer = await recall.callTool('recall', { query: words, limit: 10 });
          expect(answer.split('\n').slice(1).join('\n')).not.toContain('SECRET');
          expect(quoted(answer)).toEqual(quoted(await first.callTool('recall', { query: words, limit: 10 })));
        }
        expect([...items].flat().join()).not.toContain('SECRET');
        expect(events).toEqual([]);
      }),
      settings,
    );
  });
});

describe('the rewritten messages of a history', () => {
  it('are followed through every change of the projection', async () => {
    const kinds = fc.array(fc.constantFrom('kept', 'summarized', 'dropped', 'rewritten'), {
      minLength: 12,
      maxLength: 12,
    });
    const history = Array.from({ length: 6 }, (_, at) =>
      exchange('bash', { command: `run ${at}` }, `result${at}q of it`),
    ).flat();
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 4 }), async (steps) => {
        const recall = createRecall({ sessionId: 'one', redact });
        for (const step of steps) {
          const source = step.map((kind, at) => ({ kind, at, edit: 0, reasons: [] }) as MessageOutcome);
          recall.update(history, {
            messages: history.map((message) => ({ ...message, content: 'short' })),
            provenance: { output: [], source },
          });
          for (let at = 1; at < history.length; at += 2) {
            const answer = await recall.callTool('recall', { query: `result${(at - 1) / 2}q` });
            expect(answer.includes(`1| result${(at - 1) / 2}q`)).toBe(step[at] !== 'kept');
          }
        }
      }),
      settings,
    );
  });
});
