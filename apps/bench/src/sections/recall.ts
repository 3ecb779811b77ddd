import { isSystem, type Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { cutShares, cutsOf } from '../fidelity/index.ts';
import { measureRecall, type RecallPoint, recallBudgets } from '../recall/measure-recall.ts';
import { measureRecallSpeed, type RecallSpeed } from '../recall/measure-speed.ts';
import { queryPlans } from '../recall/searching-agent.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Required share of facts at each of {@link recallBudgets}, for the agent that asks once with up to six names. */
const leastFacts = [0.8, 0.86] as const;
const mostSearches = 25;
const largestAnswer = 2000;

/** Measures what a compressed context and searches in what is hidden keep together, and how fast recall is. */
export const recall: Section = {
  name: 'recall',
  title: 'Recall: searching what is hidden',
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const transcripts = readTranscripts(dataFolder);
    const points: RecallPoint[] = [];
    let cuts = 0;
    for (const transcript of transcripts) {
      const spoken = transcript.messages.filter((message: Message) => !isSystem(message));
      for (const cut of cutsOf(transcript, counter, quick ? [0.55] : cutShares)) {
        if (cut.half !== half) continue;
        cuts++;
        points.push(...(await measureRecall(cut, spoken.slice(cut.past.length), counter)));
      }
      if (quick && cuts >= 4) break;
    }
    const pool = transcripts.flatMap(({ messages }) => messages);
    const speed = await measureRecallSpeed(pool, quick ? 1000 : 4000, quick ? 3 : 7);
    const rows = rowsOf(points);
    const tooLarge = points.filter((point) => point.largestAnswer > largestAnswer);
    return {
      markdown: [factsTable(rows, cuts, half, transcriptSource(dataFolder)), speedTable(speed)].join('\n\n'),
      figures: { half, cuts, rows, speed },
      broken: tooLarge.map(({ plan }) => `recall (${plan}): an answer had more than ${largestAnswer} tokens`),
      targets: [...(points.length > 0 ? factTargets(rows) : []), ...speedTargets(speed)],
    };
  },
};

/** Means of one simulated agent at one size. */
interface Row {
  readonly plan: string;
  readonly budget: number;
  readonly without: number;
  readonly with: number;
  readonly searches: number;
  readonly answerTokens: number;
  readonly messages: number;
}

function rowsOf(points: readonly RecallPoint[]): Row[] {
  return recallBudgets.flatMap((budget) =>
    Object.keys(queryPlans).map((plan) => {
      const own = points.filter((point) => point.budget === budget && point.plan === plan);
      const mean = (value: (point: RecallPoint) => number): number =>
        own.reduce((sum, point) => sum + value(point), 0) / own.length;
      return {
        plan,
        budget,
        without: mean((point) => point.without),
        with: mean((point) => point.with),
        searches: mean(({ searches }) => searches),
        answerTokens: mean(({ answerTokens }) => answerTokens),
        messages: mean(({ messages }) => messages),
      };
    }),
  );
}

function factTargets(rows: readonly Row[]): Target[] {
  return recallBudgets.flatMap((budget, at) => {
    const row = rows.find(({ plan, budget: own }) => own === budget && plan === 'up to six names')!;
    const size = `${budget * 100} %`;
    return [
      atLeast('recall', `facts at ${size}, with searches`, leastFacts[at]!, row.with, inPercent),
      atMost('recall', `searches at ${size}, a session`, mostSearches, row.searches, inUnit(1)),
    ];
  });
}

function speedTargets({ index, append, search }: RecallSpeed): Target[] {
  return [
    atMost('recall', 'index of 4,000 messages', 300, index, inUnit(0, 'ms')),
    atMost('recall', 'update for one more message', 2, append, inUnit(2, 'ms')),
    atMost('recall', 'one search in 4,000 messages', 10, search, inUnit(2, 'ms')),
  ];
}

function factsTable(rows: readonly Row[], cuts: number, half: string, source: string): string {
  if (cuts === 0) return 'No available transcript is long enough: facts were not measured.';
  return [
    `A simulated agent goes on after each of ${cuts} cuts (${half} half of ${source}). Before a message that uses facts it no longer has, it searches, once in a step with up to six names of these facts, or with one name each of two facts and then with one name. It knows which facts it lost, which a model may not notice. Means over the cuts.`,
    '',
    '| size | queries | facts kept | with searches | searches | tokens of answers | later messages |',
    '|--:|---|--:|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.budget * 100} % | ${row.plan} | ${inPercent(row.without)} | ${inPercent(row.with)} | ${row.searches.toFixed(1)} | ${row.answerTokens.toFixed(0)} | ${row.messages.toFixed(0)} |`,
    ),
  ].join('\n');
}

function speedTable({ messages, megabytes, index, append, search }: RecallSpeed): string {
  return [
    `Processor time on ${messages} hidden messages (${megabytes.toFixed(1)} MB): index ${index.toFixed(0)} ms, update for one more message ${append.toFixed(2)} ms, search ${search.toFixed(2)} ms (medians).`,
  ].join('\n');
}
