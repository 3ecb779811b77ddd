import { type Message, validateTranscript } from '@palimpsest/core';
import { type Canaries, findLostFacts, findLostRules, plantCanaries } from '../canaries/plant-canaries.ts';
import { runChain } from '../chains/run-chain.ts';
import { countKept, type Probes, probeNames, probesOf } from '../continuation/probes.ts';
import { compactorPolicy } from '../cost/compactor-policy.ts';
import { type Conversation, conversationOf } from '../cost/conversations.ts';
import { costOf, totalOf } from '../cost/costs.ts';
import type { Policy } from '../cost/policy.ts';
import { replay } from '../cost/replay.ts';
import { recallOf } from '../future/future-recall.ts';
import { searchAlong } from '../search/searching-agent.ts';
import { type Cut, sizesOf } from '../transcripts/cuts.ts';
import type { NamedTranscript } from '../transcripts/named-transcript.ts';
import { currentTask, isTaskKept } from '../validity/current-task.ts';
import type { ResolvedOptions } from './evaluate-options.ts';
import { type Losses, lossesOf } from './losses.ts';
import { type CompactorOutput, type NamedCompactor, runCompactor } from './run-compactor.ts';
import { Tally } from './tally.ts';

/** The dialects in which {@link evaluate} reports validity. */
const dialectKeys = ['openai', 'anthropic', 'strict'] as const;

type Dialects = Readonly<Record<(typeof dialectKeys)[number], boolean>>;

/** A transcript with everything that is read from it once, for all compactors. */
export interface Subject {
  readonly name: string;
  readonly cuts: readonly CutSubject[];
  /** The past of the last cut with planted rules and facts. */
  readonly canaries: Canaries;
  /** For the costs; `null` if there are fewer than two requests, or costs are not wanted. */
  readonly conversation: Conversation | null;
}

interface CutSubject extends Cut {
  readonly probes: Probes;
  /** The texts of the current task. */
  readonly task: readonly string[];
  readonly validBefore: Dialects;
}

/** What one compactor did with one transcript at one budget. */
export interface MeasuredTranscript {
  readonly tally: Tally;
  /** At the last cut; `null` if the budget was too small at every cut. */
  readonly losses: Losses | null;
}

/** Reads a transcript. @param turn its number @returns `null` if it has no cut */
export function readSubject(
  transcript: NamedTranscript,
  cuts: readonly Cut[],
  turn: number,
  { counter, window }: ResolvedOptions,
): Subject {
  const conversation = window === null ? null : conversationOf(transcript, 0, counter);
  return {
    name: transcript.name,
    cuts: cuts.map((cut) => ({
      ...cut,
      probes: probesOf(cut.past),
      task: currentTask(cut.past, counter),
      validBefore: validDialects(cut.past),
    })),
    canaries: plantCanaries(cuts.at(-1)!.past, turn),
    conversation: conversation && conversation.requests.length > 1 ? conversation : null,
  };
}

/** Measures one compactor on one transcript at one budget. @throws {PalimpsestError} `COMPACTOR_FAILED` */
export async function measureTranscript(
  subject: Subject,
  compactor: NamedCompactor,
  budget: number,
  options: ResolvedOptions,
): Promise<MeasuredTranscript> {
  const { counter, chainSteps, window } = options;
  const tally = new Tally();
  let last: { readonly cut: CutSubject; readonly output: CompactorOutput } | null = null;
  for (const cut of subject.cuts) {
    options.signal?.throwIfAborted();
    const budgetTokens = Math.floor(cut.tokens * budget);
    if (cut.mustTokens > budgetTokens) continue;
    const output = await runCompactor(compactor, cut.past, budgetTokens, { counter, transcript: cut.name });
    tally.add('used', output.tokens / budgetTokens);
    tallyOutput(tally, cut, output);
    await tallySearches(tally, cut, output, compactor);
    last = { cut, output };
  }
  if (last === null) return { tally, losses: null };
  if (chainSteps > 0) {
    const left = await runChain(compactor, last.cut, { share: budget, count: chainSteps }, counter);
    tally.add('chain', recallOf(last.cut.needs, left).facts.recall);
    tally.add('once', recallOf(last.cut.needs, last.output.fair).facts.recall);
  }
  const planted = await compactCanaries(subject, compactor, budget, options);
  if (planted) tallyCanaries(tally, planted);
  if (subject.conversation && window !== null)
    tally.add(
      'dollars',
      await dollarsOf(subject.conversation, compactorPolicy(compactor, budget, subject.name, counter), options),
    );
  const losses = lossesOf(last.cut, last.cut.probes, last.output.fair, planted);
  return { tally, losses };
}

function tallyOutput(tally: Tally, cut: CutSubject, { output, fair }: CompactorOutput): void {
  const { facts, verbatim } = recallOf(cut.needs, fair);
  tally.add('facts', facts.recall);
  tally.add('verbatim', verbatim.recall);
  const told = countKept(cut.probes, fair);
  for (const probe of probeNames) tally.add(probe, told[probe], cut.probes[probe].length);
  const after = validDialects(output);
  for (const dialect of dialectKeys)
    if (cut.validBefore[dialect]) tally.add(dialect, output.length > 0 && after[dialect] ? 1 : 0);
  if (cut.task.length > 0) tally.add('task', isTaskKept(cut.task, fair) ? 1 : 0);
}

/** Recall counts for a compactor that can search. */
async function tallySearches(
  tally: Tally,
  cut: CutSubject,
  { fair }: CompactorOutput,
  { search }: NamedCompactor,
): Promise<void> {
  if (!search || cut.needs.facts.items.size === 0) return;
  const { answers } = await searchAlong(search, cut.needs, fair, cut.future);
  const told = answers.map((content) => ({ role: 'tool' as const, tool_call_id: 'recall', content }));
  tally.add('recall', recallOf(cut.needs, [...fair, ...told]).facts.recall);
}

/** The output for a transcript with planted rules and facts; `null` if the current task does not fit the budget. */
async function compactCanaries(
  { name, canaries }: Subject,
  compactor: NamedCompactor,
  budget: number,
  { counter }: ResolvedOptions,
) {
  const { tokens, mustTokens } = sizesOf(canaries.messages, counter);
  const budgetTokens = Math.floor(tokens * budget);
  if (mustTokens > budgetTokens) return null;
  const { fair: output } = await runCompactor(compactor, canaries.messages, budgetTokens, {
    counter,
    transcript: name,
  });
  return { canaries, output };
}

type PlantedOutput = NonNullable<Awaited<ReturnType<typeof compactCanaries>>>;

function tallyCanaries(tally: Tally, { canaries, output }: PlantedOutput): void {
  const { rules, facts } = canaries;
  tally.add('canaryRules', rules.length - findLostRules(canaries, output).length, rules.length);
  tally.add('canaryFacts', facts.length - findLostFacts(canaries, output).length, facts.length);
}

/** Dollars of a whole conversation under a policy, at Anthropic's prices. */
export async function dollarsOf(
  conversation: Conversation,
  policy: Policy,
  { window, counter }: Pick<ResolvedOptions, 'window' | 'counter'>,
): Promise<number> {
  const replayed = await replay(conversation, policy, window!, counter, new Map());
  return totalOf(costOf(replayed, 'Anthropic'));
}

/** In which dialects a prompt is valid. */
function validDialects(messages: readonly Message[]): Dialects {
  const [openai, anthropic, strict] = dialectKeys.map(
    (dialect) => validateTranscript(messages, { dialect }).length === 0,
  );
  return { openai: openai!, anthropic: anthropic!, strict: strict! };
}
