import { type CompressResult, type ContextEngine, type Message, type Origin, PalimpsestError } from '@palimpsest/core';
import { groupMessages } from '@palimpsest/core/authoring';
import { type Attempt, attempt, compactAgain } from '../attempt.ts';
import { type CaseContext, type CaseDefinition, ensure, fail } from '../case-definition.ts';
import { deepFrozen } from '../deep-frozen.ts';
import { arbitraryScenario, promptTokens, type Scenario } from '../scenario.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';
import { inputUnchanged } from './input-unchanged.ts';
import { messageOutcomes } from './message-outcomes.ts';
import { noNewViolations } from './no-new-violations.ts';
import { pendingCallsKept } from './pending-calls-kept.ts';
import { systemMessagesKept } from './system-messages-kept.ts';
import { taskKept } from './task-kept.ts';

/** Cases that must also hold between the source and the output. */
const laws: readonly CaseDefinition[] = [
  inputUnchanged,
  noNewViolations,
  taskKept,
  systemMessagesKept,
  pendingCallsKept,
  messageOutcomes,
];

/** Fraction of a transcript that is compacted first. */
const firstShare = 2 / 3;

interface Replanned {
  /** The output of the first compaction, and what was appended. */
  readonly projection: readonly Message[];
  readonly tried: Attempt;
  readonly result: CompressResult<Message>;
}

/**
 * Compacts the beginning of a transcript, then the projection with the rest appended and the transcript as its source.
 * Engines that ignore the source pass.
 */
export const plannedFromSource: CaseDefinition = {
  name: 'a plan over the source keeps the contract with the source, and is smaller than the projection',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(given, context) {
    const scenario: Scenario = { ...given, messages: deepFrozen(structuredClone(given.messages)) };
    const replanned = await compactTwice(scenario, context);
    if (!replanned) return;
    const { projection, tried, result } = replanned;
    const [before, after] = [promptTokens(projection), promptTokens(result.messages as readonly Message[])];
    ensure(after < before, () => `the projection grew from ${before} to ${after} tokens`);
    const replay: ContextEngine = Object.create(tried.engine, { compress: { value: async () => result } });
    for (const law of laws) await law.check(scenario, { ...context, create: () => replay });
    await expectSettled(scenario, replanned);
  },
};

/** `null` when there is no plan over the source to check. */
async function compactTwice(scenario: Scenario, { create, hostParts }: CaseContext): Promise<Replanned | null> {
  const { messages, asked } = scenario;
  const cut = groupMessages(messages).find(({ to }) => to >= messages.length * firstShare)?.to ?? 0;
  const beginning = { ...scenario, messages: messages.slice(0, cut), asked: { ...asked, force: true } };
  const first = await attempt(create, beginning, hostParts);
  if (!first.result || first.result.messages === beginning.messages) return null;
  const appended = messages.slice(cut);
  const projection = [...(first.result.messages as readonly Message[]), ...appended];
  const later = appended.map((_, index): Origin => ({ kind: 'original', from: cut + index }));
  const origins = [...first.result.provenance.output, ...later];
  const bare: Scenario = { ...scenario, messages: projection };
  const withSource: Scenario = { ...bare, asked: { ...asked, source: { messages, origins } } };
  const tried = await compactAgain(first.engine, first.host, withSource);
  const { result, error } = tried;
  // Other cases cover transcripts that the engine cannot compact without the source either.
  if (PalimpsestError.is(error) && (await compactAgain(first.engine, first.host, bare)).result)
    fail(`core rejected the plan: ${error.message}`);
  return result?.basis === 'source' ? { projection, tried, result } : null;
}

/** Compacting the output again, as a projection of the same source, is a no-op. */
async function expectSettled({ messages }: Scenario, { tried, result }: Replanned): Promise<void> {
  const source = { messages, origins: result.provenance.output };
  const again = await compactAgain(tried.engine, tried.host, {
    ...tried.scenario,
    messages: JSON.parse(JSON.stringify(result.messages)),
    asked: { ...tried.scenario.asked, source },
  });
  ensure(
    again.result?.outcome === 'unchanged' && again.result.messages === again.scenario.messages,
    () => `on already compacted output with its source, the engine returns "${again.result?.outcome}"`,
  );
}
