import type { ContextEngine, Message } from '@palimpsest/core';
import { type Compact, chainSteps, engineTarget } from '@palimpsest/eval/measures';
import { createSession } from '@palimpsest/session';
import { benchHost, engines } from '../engines/open-engine.ts';
import { tokensOf } from './at-defaults.ts';

/** Number of compactions in a row. */
const stepCount = 10;
/** Target of each compaction, as a share of the tokens so far. */
const stepTarget = 0.2;

/** The compressor, in a session whose history grows in equal steps: its budget is ignored. */
const repeated: Compact = async (past, _, counter) => {
  let targetTokens = 0;
  const session = createSession({
    engine: (host) => withTarget(engines.compressor(host, 200_000), () => targetTokens),
    model: { id: 'bench', contextLength: 2_000_000 },
    auto: false,
    hygiene: { at: false, messages: false },
  });
  let output: readonly Message[] = [];
  for (const to of chainSteps(past, stepCount, counter)) {
    const messages = past.slice(0, to);
    targetTokens = Math.floor(tokensOf(messages, counter) * stepTarget);
    await session.compact({ messages });
    output = (await session.beforeRequest(messages)).messages;
  }
  await session.end();
  return output;
};

/** The compressor, once, to as many tokens as {@link repeated} has left. */
const once: Compact = async (past, budgetTokens, counter) => {
  const tokens = tokensOf(await repeated(past, budgetTokens, counter), counter);
  const { messages } = await engines
    .compressor(benchHost(counter), 200_000)
    .compress(past, { force: true, targetTokens: engineTarget(past, tokens, counter) });
  return messages as readonly Message[];
};

export const manyCompactions = `compressor, ${stepCount} compactions, each to ${stepTarget * 100} % of the tokens so far`;
export const oneCompaction = 'compressor, one compaction to the same tokens';
export const repetitions: Readonly<Record<string, Compact>> = { [manyCompactions]: repeated, [oneCompaction]: once };

/** Sessions compact to sizes of their own; here every compaction gets the bench's target. */
function withTarget(engine: ContextEngine, targetTokens: () => number): ContextEngine {
  return new Proxy(engine, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key === 'compress')
        return (messages: readonly Message[], request: object) =>
          target.compress(messages, { ...request, targetTokens: targetTokens(), force: true });
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
