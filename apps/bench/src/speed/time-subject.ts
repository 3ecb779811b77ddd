import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { ageNewObjects } from '../age-new-objects.ts';
import { codingSession } from '../engines/coding-session.ts';
import { benchHost, engines, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';
import { writeExtract } from '../extract.ts';
import { longTranscript } from '../growth/long-transcript.ts';
import { answerIfMain, inOwnProcess } from '../own-process.ts';
import { type Round, timedRound } from '../timed-round.ts';

/** Times of one pass over counted messages. */
export interface SubjectTimes {
  readonly tokens: number;
  readonly bytes: number;
  /** The first pass of a process: nothing is cached and no code is compiled. */
  readonly fresh: Round;
  /** New messages, about which nothing is cached, in a process that has made passes before. */
  readonly cold: readonly Round[];
  /** Another pass over the same messages, as after the first compaction of a session. */
  readonly warm: readonly Round[];
  /** One pass of `JSON.stringify` over the same messages. */
  readonly pass: readonly Round[];
  /** Outcomes other than the expected one. */
  readonly broken: readonly string[];
}

interface Subject {
  readonly messages: (size: number) => readonly Message[];
  /** Counts the messages, and returns a pass. It returns what is wrong with its outcome. */
  readonly prepare: (messages: readonly Message[]) => () => string | null | Promise<string | null>;
}

/** What is timed, by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  compressor: compressing(engines.compressor),
  'prune-compact': compressing(engines['prune-compact']),
  pruner: {
    messages: longTranscript,
    prepare: (messages) => {
      const transcript = Transcript.of(messages, createTokenCounter());
      return () => (plan(transcript).length > 0 ? null : 'no edits');
    },
  },
  'extractive writer': {
    messages: codingSession,
    prepare: (messages) => async () => ((await writeExtract(messages, 12_000)) === '' ? 'no text' : null),
  },
};

/** One compression with an instant summarizer, each time by a new engine of the same host. */
function compressing(open: OpenEngine): Subject {
  return {
    messages: codingSession,
    prepare: (messages) => {
      const host = benchHost(createTokenCounter(), forgetfulSummarizer);
      const { totalTokens } = Transcript.of(messages, host.tokens);
      return async () => {
        const engine = open(host, Math.round(totalTokens / 2));
        const { outcome } = await engine.compress(messages, { force: true });
        return outcome === 'compressed' ? null : outcome;
      };
    },
  };
}

/** Number of warm-up rounds. Until then, V8 still compiles: with 4, the next rounds took up to twice as long as later ones. */
const warmingUp = 12;

async function timeSubject({ subject, size, rounds }: Order): Promise<SubjectTimes> {
  const { messages: make, prepare } = subjects[subject]!;
  const text = JSON.stringify(make(size));
  const [first, cold, warm, pass]: [Round[], Round[], Round[], Round[]] = [[], [], [], []];
  const broken: string[] = [];
  for (let round = -warmingUp; round < rounds; round++) {
    // Parse into new objects, so that no cache keyed by object survives from the previous round.
    const messages = JSON.parse(text) as Message[];
    const work = prepare(messages);
    for (const times of round < 0 ? [first, []] : [cold, warm, warm]) {
      ageNewObjects();
      times.push(
        await timedRound(async () => {
          const problem = await work();
          if (problem !== null) broken.push(problem);
        }),
      );
    }
    if (round >= 0) pass.push(await timedRound(() => JSON.stringify(messages)));
  }
  const tokens = Transcript.of(JSON.parse(text) as Message[], createTokenCounter()).totalTokens;
  return { tokens: Math.round(tokens), bytes: text.length, fresh: first[0]!, cold, warm, pass, broken };
}

interface Order {
  readonly subject: string;
  readonly size: number;
  readonly rounds: number;
}

/** Times one subject at one size in a fresh process. */
export const timeInFreshProcess = (order: Order): Promise<SubjectTimes> =>
  inOwnProcess(import.meta.url, order, ['--expose-gc']);

await answerIfMain(import.meta.url, timeSubject);
