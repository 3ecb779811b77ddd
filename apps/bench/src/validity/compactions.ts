import type { CompressRequest, ContextEngine, Dialect, Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { benchHost, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';

/** Target as a share of the tokens, 0 to 1; `null` leaves the target to the engine. */
export type Target = number | null;

export const targets: readonly Target[] = [null, 0.1, 0.2, 0.5];

export const targetName = (target: Target): string => (target === null ? 'no target' : `${target * 100} %`);

/** Summarizers to try, by name for the report. `undefined` selects the extractive writer. */
export const writers: Readonly<Record<string, Summarizer | undefined>> = {
  'the extractive writer': undefined,
  'a model that forgets everything': forgetfulSummarizer,
};

/** Input and output of one compaction. */
export interface Compaction {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** Maps each output message to the input message it came from. Inserted messages have no entry. */
  readonly sources: ReadonlyMap<Message, Message>;
}

/** Compresses once, in a window that the messages exactly fill. @throws what the engine throws */
export async function compactOnce(
  open: OpenEngine,
  messages: readonly Message[],
  target: Target,
  counter: TokenCounter,
  { writer, dialect }: { readonly writer?: Summarizer | undefined; readonly dialect?: Dialect } = {},
): Promise<Compaction> {
  const tokens = tokensOf(messages, counter);
  return compact(open(benchHost(counter, writer, dialect), windowOf(tokens)), messages, targetOf(target, tokens));
}

/**
 * Compresses repeatedly, as a session does: each time the previous output plus the messages that followed.
 * @param target a share of the whole transcript, the same each time
 * @param cuts where to compress, as ascending message counts
 */
export async function* compactRepeatedly(
  open: OpenEngine,
  messages: readonly Message[],
  cuts: readonly number[],
  target: Target,
  counter: TokenCounter,
  writer?: Summarizer,
): AsyncGenerator<Compaction> {
  const engine = open(benchHost(counter, writer), windowOf(tokensOf(messages.slice(0, cuts[0]), counter)));
  const asked = targetOf(target, tokensOf(messages, counter));
  let context: readonly Message[] = [];
  let from = 0;
  for (const to of cuts) {
    context = [...context, ...messages.slice(from, to)];
    from = to;
    const step = await compact(engine, context, asked);
    yield step;
    context = step.output;
  }
}

const tokensOf = (messages: readonly Message[], counter: TokenCounter): number =>
  Transcript.of(messages, counter).totalTokens;
const targetOf = (target: Target, tokens: number): Pick<CompressRequest, 'targetTokens'> =>
  target === null ? {} : { targetTokens: Math.floor(tokens * target) };
const windowOf = (tokens: number): number => Math.max(4_000, Math.round(tokens));

async function compact(
  engine: ContextEngine,
  input: readonly Message[],
  target: Pick<CompressRequest, 'targetTokens'>,
): Promise<Compaction> {
  const { messages, provenance } = await engine.compress(input, { force: true, ...target });
  const output = messages as readonly Message[];
  const sources = new Map<Message, Message>();
  provenance.output.forEach((origin, at) => {
    if (origin.kind !== 'inserted') sources.set(output[at]!, input[origin.from]!);
  });
  return { input, output, sources };
}

/** Converts shares of the tokens into message counts, without duplicates. */
export function cutsAt(messages: readonly Message[], shares: readonly number[], counter: TokenCounter): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (const message of messages) sums.push((sum += counter.countMessage(message)));
  const cuts = shares.map((share) => sums.findIndex((one) => one >= share * sum) + 1);
  return [...new Set(cuts)].filter((cut) => cut > 1);
}
