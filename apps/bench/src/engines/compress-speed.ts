import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects } from '../age-new-objects.ts';
import { answerIfMain, inOwnProcess } from '../own-process.ts';
import { type Round, timedRound } from '../timed-round.ts';
import { codingSession } from './coding-session.ts';
import { benchHost, engines, forgetfulSummarizer } from './open-engine.ts';

/** Times of one compression with an instant summarizer and counted tokens. */
export interface CompressSpeed {
  readonly tokens: number;
  /** The first compression of a process: nothing is cached and no code is compiled. */
  readonly fresh: Round;
  /** New messages, about which nothing is cached, in a process that has compressed before. */
  readonly cold: readonly Round[];
  /** The same messages on another engine of the same host, as after the first compaction of a session. */
  readonly warm: readonly Round[];
  /** One pass of `JSON.stringify` over the same messages. */
  readonly pass: readonly Round[];
  /** Outcomes other than `compressed`. */
  readonly broken: readonly string[];
}

/** Number of warm-up rounds. Until then, V8 still compiles: with 4, the next rounds took up to twice as long as later ones. */
const warmingUp = 12;

/** Times one engine at one size in this process. */
async function timeCompression({ engine, size, rounds }: Order): Promise<CompressSpeed> {
  const text = JSON.stringify(codingSession(size));
  const [first, cold, warm, pass]: [Round[], Round[], Round[], Round[]] = [[], [], [], []];
  const broken: string[] = [];
  let tokens = 0;
  for (let round = -warmingUp; round < rounds; round++) {
    // Parse into new objects, so that no cache keyed by object survives from the previous round.
    const messages = JSON.parse(text) as Message[];
    const host = benchHost(createTokenCounter(), forgetfulSummarizer);
    tokens = messages.reduce((sum, message) => sum + host.tokens.countMessage(message), 0);
    for (const times of round < 0 ? [first, []] : [cold, warm, warm]) {
      ageNewObjects();
      const opened = engines[engine](host, Math.round(tokens / 2));
      times.push(
        await timedRound(async () => {
          const { outcome } = await opened.compress(messages, { force: true });
          if (outcome !== 'compressed') broken.push(outcome);
        }),
      );
    }
    if (round >= 0) pass.push(await timedRound(() => JSON.stringify(messages)));
  }
  return { tokens: Math.round(tokens), fresh: first[0]!, cold, warm, pass, broken };
}

interface Order {
  readonly engine: keyof typeof engines;
  readonly size: number;
  readonly rounds: number;
}

/** Times one engine at one size in a fresh process. */
export const timeInFreshProcess = (order: Order): Promise<CompressSpeed> =>
  inOwnProcess(import.meta.url, order, ['--expose-gc']);

await answerIfMain(import.meta.url, timeCompression);
