import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  contentText,
  type EngineHost,
  type Message,
  PalimpsestError,
  type SummarizeRequest,
  validateTranscript,
} from '@palimpsest/core';
import { assistant, createScriptedSummarizer, user, writeShortSummary } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyValueStore } from '../src/persistence/key-value-store.ts';
import { compressorOn, makeSession, turn, turns } from './make-session.ts';
import { memoryStore } from './persistence/memory-store.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;

type Operation = 'request' | 'aborted' | 'append' | 'compact' | 'preview' | 'undo' | 'answer' | 'tidy' | 'snapshot';

const operation = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Operation>('request') },
  { weight: 4, arbitrary: fc.constant<Operation>('append') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Operation>('aborted', 'compact', 'preview', 'undo', 'answer', 'tidy', 'snapshot'),
  },
);

/** A request with pending tool calls, which the model has to see unchanged. */
const work = (index: number, tokens: number): Message[] => turn(index, tokens).slice(0, 3);

describe('concurrent operations on one session', () => {
  it('lose no message and leave an undamaged state, in any order', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(operation, { minLength: 100, maxLength: 100 }),
        fc.boolean(),
        async (scheduler, operations, background) => {
          const summarizer = {
            ...createScriptedSummarizer([]),
            summarize: async (request: SummarizeRequest) => {
              await scheduler.schedule(Promise.resolve('summary'));
              request.signal?.throwIfAborted();
              return { text: writeShortSummary(request) };
            },
          };
          const values = new Map<string, string>();
          const { session, events } = makeSession({
            summarizer,
            limits: { attempts: 20, rapid: { compactions: 1_000, requests: 1, withinMs: 1 } },
            ...(background
              ? {
                  summaries: summarizer,
                  engine: (host: EngineHost) =>
                    compressorOn(host, host.summarizer as never, { threshold: 0.5, minimumThreshold: 0 }),
                }
              : {}),
            store: keyValueStore({
              getItem: async (key) => values.get(key) ?? null,
              async setItem(key, value) {
                await scheduler.schedule(Promise.resolve('write'));
                values.set(key, value);
              },
            }),
          });
          const history: Message[] = work(0, 100);
          const running: Promise<unknown>[] = [];
          const request = (given?: AbortSignal): Promise<void> => {
            const asked = [...history];
            return session.beforeRequest(history, { signal: given }).then(({ messages, info }) => {
              // Messages appended after the call are not in it; all earlier ones are accounted for.
              expect(info.provenance.source.length).toBe(asked.length);
              info.provenance.source.forEach((outcome, at) => {
                if (outcome.kind === 'kept') expect(messages[outcome.at]).toBe(asked[at]);
              });
              expect(messages.at(-1)).toEqual(asked.at(-1));
              expect(validateTranscript(messages as Message[])).toEqual([]);
            });
          };
          const perform = async (name: Operation, at: number): Promise<unknown> => {
            switch (name) {
              case 'request':
                return request();
              case 'aborted': {
                const stop = new AbortController();
                const asked = request(stop.signal);
                await scheduler.schedule(Promise.resolve('abort'));
                stop.abort();
                return asked;
              }
              case 'append':
                return history.push(assistant('Done.'), ...work(at + 1, 150));
              case 'compact':
                return session.compact();
              case 'preview':
                return session.compact({ preview: true });
              case 'undo':
                return session.undo();
              case 'tidy':
                return session.tidy(history);
              case 'snapshot':
                return session.snapshot();
              default:
                return session.afterResponse({ prompt_tokens: 3_000, completion_tokens: 10 });
            }
          };
          operations.forEach((name, at) => {
            running.push(
              scheduler
                .schedule(Promise.resolve(name))
                .then(() => perform(name, at))
                .catch((error: unknown) => {
                  if (!PalimpsestError.is(error) || error.code !== 'ABORTED') throw error;
                }),
            );
          });
          await scheduler.waitFor(Promise.all(running));
          await scheduler.waitFor(session.end(history));

          history.push(assistant('Done.'), user('And now?'));
          const last = await scheduler.waitFor(session.beforeRequest(history));
          expect(contentText((last.messages.at(-1) as Message).content).endsWith('And now?')).toBe(true);
          expect(last.info.provenance.source.length).toBe(history.length);
          const numbers = session.records().map(({ number }) => number);
          expect(numbers).toEqual([...new Set(numbers)]);
          for (const checkpoint of session.status().checkpoints) expect(numbers).toContain(checkpoint);
          expect(events.filter(({ type }) => /compaction-failed|store-failed|passed-through/.test(type))).toEqual([]);
          // The stored state is the current state.
          await scheduler.waitFor(session.end(history));
          const again = makeSession({ store: memoryStore(values) });
          const resumed = await again.session.beforeRequest(history);
          expect(JSON.stringify(resumed.messages)).toBe(JSON.stringify(last.messages));
        },
      ),
      { numRuns: deep ? 300 : 4 },
    );
  });

  it('summarize nothing twice', async () => {
    let all = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom<'request' | 'append'>('request', 'append'), { minLength: 100, maxLength: 100 }),
        async (scheduler, operations) => {
          const summarized: string[] = [];
          const summarizer = {
            ...createScriptedSummarizer([]),
            summarize: async (request: SummarizeRequest) => {
              for (const { tool_call_id: id } of request.material.messages) if (id) summarized.push(id);
              await scheduler.schedule(Promise.resolve('summary'));
              return { text: writeShortSummary(request) };
            },
          };
          const { session } = makeSession({
            summarizer,
            limits: { attempts: 20, rapid: { compactions: 1_000, requests: 1, withinMs: 1 } },
          });
          const history: Message[] = turn(0, 100);
          const running = operations.map((name, at) =>
            scheduler.schedule(Promise.resolve(name)).then(async () => {
              if (name === 'append') history.push(...turn(at + 1, 250));
              else await session.beforeRequest(history);
            }),
          );
          await scheduler.waitFor(Promise.all(running));
          all += summarized.length;
          expect(summarized).toEqual([...new Set(summarized)]);
        },
      ),
      { numRuns: deep ? 300 : 4 },
    );
    expect(all).toBeGreaterThan(0);
  });

  it('are answered in the order of the calls', async () => {
    const { session } = makeSession();
    const done: number[] = [];
    const history = turns(30);
    await Promise.all(
      Array.from({ length: 20 }, (_, number) => session.beforeRequest(history).then(() => done.push(number))),
    );
    expect(done).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(session.records().length).toBe(1);
  });
});

/** A thousand take ten seconds. */
const many = deep ? 1_000 : 200;

describe(`${many} sessions in one process`, () => {
  it('use little memory in addition to their conversations', { timeout: 300_000 }, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const conversation = (seed: number): Message[] =>
      Array.from({ length: 8 }, (_, index) => turn(seed * 100 + index, deep ? 800 : 100)).flat();
    const size = JSON.stringify(conversation(1)).length;
    // It does not keep the prompts, because they would count as memory of the session.
    const summarizer = {
      ...createScriptedSummarizer([]),
      summarize: async (request: SummarizeRequest) => ({ text: writeShortSummary(request) }),
    };
    const keep: { readonly session: ReturnType<typeof makeSession>['session']; readonly history: Message[] }[] = [];
    const open = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        const { session } = makeSession({ id: `session-${index}`, window: deep ? 8_000 : 2_000, summarizer });
        const history = conversation(index);
        await session.beforeRequest(history);
        expect(session.records().length).toBe(1);
        keep.push({ session, history });
      }
    };
    // The first ones load code that all of them share.
    await open(50);
    keep.length = 0;
    const before = heap();
    await open(many);
    const each = (heap() - before) / many;
    // The handoff, its plan, and what the work record remembers of each message.
    expect(each).toBeLessThan(size * 4 + 90_000);
    // A released session leaves nothing behind.
    keep.length = 0;
    expect((heap() - before) / many).toBeLessThan(each / 10);
  });
});
