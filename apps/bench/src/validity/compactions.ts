import type { CompressRequest, ContextEngine, Dialect, Message, Summarizer, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { benchHost, forgetfulSummarizer, type OpenEngine } from '../engines/open-engine.ts';

/** What may stay, as a share of the tokens: by a target, or where the engine lands by itself. */
export type Target = number | null;

export const targets: readonly Target[] = [null, 0.1, 0.2, 0.5];

export const targetName = (target: Target): string => (target === null ? 'no target' : `${target * 100} %`);

/** Who writes the summaries. */
export const writers: Readonly<Record<string, Summarizer | undefined>> = {
  'the extractive writer': undefined,
  'a model that forgets everything': forgetfulSummarizer,
};

/** One compaction: what went in, and what came out. */
export interface Compaction {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** By message of the output, the message of the input that it is or was; none for what was inserted. */
  readonly sources: ReadonlyMap<Message, Message>;
}

/** Compresses once, in a window that the messages just fill. @throws what the engine throws */
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
 * Compresses as a session does, again and again: what came out, with the messages that followed, to the same target.
 * @param target a share of the whole transcript
 * @param cuts where it is compressed, as numbers of messages, rising
 */
export async function* compactInARow(
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

/** The numbers of messages that hold these shares of the tokens, each once. */
export function cutsAt(messages: readonly Message[], shares: readonly number[], counter: TokenCounter): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (const message of messages) sums.push((sum += counter.countMessage(message)));
  const cuts = shares.map((share) => sums.findIndex((one) => one >= share * sum) + 1);
  return [...new Set(cuts)].filter((cut) => cut > 1);
}
