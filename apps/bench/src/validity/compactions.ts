import type { Dialect, Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { benchHost, type OpenEngine } from '../engines/open-engine.ts';

/** Target as a share of the tokens, 0 to 1; `null` leaves the target to the engine. */
export type Target = number | null;

export const targets: readonly Target[] = [null, 0.1, 0.2, 0.5];

export const targetName = (target: Target): string => (target === null ? 'no target' : `${target * 100} %`);

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
  dialect?: Dialect,
): Promise<Compaction> {
  const tokens = Transcript.of(messages, counter).totalTokens;
  const engine = open(benchHost(counter, undefined, dialect), Math.max(4_000, Math.round(tokens)));
  const asked = target === null ? {} : { targetTokens: Math.floor(tokens * target) };
  const { messages: output, provenance } = await engine.compress(messages, { force: true, ...asked });
  const sources = new Map<Message, Message>();
  provenance.output.forEach((origin, at) => {
    if (origin.kind !== 'inserted') sources.set(output[at] as Message, messages[origin.from]!);
  });
  return { input: messages, output: output as readonly Message[], sources };
}

/** Converts shares of the tokens into message counts, without duplicates. */
export function cutsAt(messages: readonly Message[], shares: readonly number[], counter: TokenCounter): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (const message of messages) sums.push((sum += counter.countMessage(message)));
  const cuts = shares.map((share) => sums.findIndex((one) => one >= share * sum) + 1);
  return [...new Set(cuts)].filter((cut) => cut > 1);
}
