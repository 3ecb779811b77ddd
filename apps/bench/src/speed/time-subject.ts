import { contentText, type Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { plan } from '@palimpsest/pruner';
import { createRecall } from '@palimpsest/recall';
import { redact } from '@palimpsest/redactor';
import { extractive, handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, engines, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';
import { answerIfMain, inOwnProcess } from '../own-process.ts';
import { type Round, timeRound } from '../time-round.ts';
import { longTranscript } from './long-transcript.ts';

/** Times of one pass over a transcript. */
export interface SubjectTimes {
  readonly tokens: number;
  readonly megabytes: number;
  /** The first pass of a process: nothing is cached and no code is compiled. */
  readonly fresh: Round;
  /** New messages, about which nothing is cached, in a process that has made passes before. */
  readonly cold: readonly Round[];
  /** Another pass over the same messages, as after the first compaction of a session. */
  readonly warm: readonly Round[];
  /** Passes without the expected outcome. */
  readonly failed: number;
}

/** Prepares messages, and returns a pass. Its result is falsy if it did not do its work. */
type Subject = (messages: readonly Message[]) => () => unknown;

/** What is timed, by name. The cost of each must grow at most linearly with the transcript. */
export const subjects: Readonly<Record<string, Subject>> = {
  'counting tokens': (messages) => () => createTokenCounter().countMessages(messages),
  redaction: (messages) => () => messages.map(({ content }) => redact(contentText(content)).length),
  pruner: (messages) => {
    const transcript = Transcript.of(messages, createTokenCounter());
    return () => plan(transcript).length;
  },
  compressor: compacting(engines.compressor),
  'prune-compact': compacting(engines['prune-compact']),
  recall: (messages) => () => {
    const recall = createRecall({ sessionId: 'speed', redact: (text) => text });
    const source = messages.map(() => ({ kind: 'dropped' as const, edit: 0, reasons: [] }));
    recall.update(messages, { provenance: { output: [], source } });
    return recall.callTool('recall', { query: 'error src/index.ts' });
  },
  'extractive writer': (messages) => {
    const tokens = createTokenCounter();
    const material = {
      messages: messages.filter(({ role }) => role !== 'system'),
      previousSummary: null,
      template: handoffTemplate,
      focusTopic: null,
    };
    const writer = extractive({ countText: (text) => tokens.countText(text) });
    return async () => (await writer.summarize({ prompt: '', budgetTokens: 12_000, material })).text;
  },
};

/** One compaction with an instant summarizer, each time by a new engine of the same host. Tokens are counted before. */
function compacting(open: OpenEngine): Subject {
  return (messages) => {
    const host = benchHost(createTokenCounter(), forgetfulSummarizer);
    const { totalTokens } = Transcript.of(messages, host.tokens);
    return async () => {
      const engine = open(host, Math.round(totalTokens / 2));
      return (await engine.compress(messages, { force: true })).outcome === 'compacted';
    };
  };
}

interface Order {
  readonly subject: string;
  readonly size: number;
  /** Rounds before the timed ones. Until about 12, V8 still compiles, and rounds take up to twice as long as later ones. */
  readonly warmingUp: number;
  readonly rounds: number;
}

async function timeSubject({ subject, size, warmingUp, rounds }: Order): Promise<SubjectTimes> {
  const prepare = subjects[subject]!;
  const text = JSON.stringify(longTranscript(size));
  const [first, cold, warm]: [Round[], Round[], Round[]] = [[], [], []];
  let failed = 0;
  for (let round = -warmingUp; round < rounds; round++) {
    // Parse into new objects, so that no cache keyed by object survives from the previous round.
    const work = prepare(JSON.parse(text) as Message[]);
    for (const times of round < 0 ? [first, []] : [cold, warm, warm]) {
      ageNewObjects();
      times.push(
        await timeRound(async () => {
          if (!(await work())) failed++;
        }),
      );
    }
  }
  const { totalTokens } = Transcript.of(JSON.parse(text) as Message[], createTokenCounter());
  return { tokens: Math.round(totalTokens), megabytes: text.length / 1e6, fresh: first[0]!, cold, warm, failed };
}

/**
 * Promotes newly parsed objects to V8's old generation, where the messages of a long session are. Otherwise the garbage
 * collector would copy them during the next measurement. Two minor collections do this and discard no compiled code.
 */
function ageNewObjects(): void {
  // `gc` exists only with `--expose-gc`; the processes that time such work are started with it.
  const collect = globalThis.gc as ((options: { readonly type: 'minor' }) => void) | undefined;
  collect?.({ type: 'minor' });
  collect?.({ type: 'minor' });
}

/** Times one subject at one size in a fresh process. */
export const timeInFreshProcess = (order: Order): Promise<SubjectTimes> =>
  inOwnProcess(import.meta.url, order, ['--expose-gc']);

await answerIfMain(import.meta.url, timeSubject);
