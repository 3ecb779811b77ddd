import type { Message } from '@palimpsest/core';
import { cutSizes, halfOf, type NamedTranscript, needsOf, recallOf } from '@palimpsest/eval/measures';
import { extractive, handoffTemplate } from '@palimpsest/summary';
import { createTokenCounter } from '@palimpsest/tokens';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { type Spread, spreadOf, withRange } from '../spread.ts';
import { atLeast, atMost, inPercent, inUnit } from '../target.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';
import { readTranscripts } from '../transcripts.ts';

const budgets = [0.1, 0.2, 0.35, 0.5] as const;
/** Target time, in milliseconds of processor time per megabyte. */
const mostPerMegabyte = 150;

interface Recalls {
  readonly facts: number[][];
  readonly verbatim: number[][];
}

/** Measures the extractive writer, which needs no model: its time, and what it keeps compared with the newest messages at the same budget. */
export const extractiveWriter: Section = {
  name: 'extractive',
  title: 'The extractive writer',
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const transcripts = longOnes(dataFolder);
    const broken: string[] = [];
    const speed = await measureSpeed(
      transcripts.map(({ messages }) => messages),
      quick,
    );
    const ours: Recalls = { facts: budgets.map(() => []), verbatim: budgets.map(() => []) };
    const newest: Recalls = { facts: budgets.map(() => []), verbatim: budgets.map(() => []) };
    const held = transcripts.filter(({ name }) => halfOf(name) === half).slice(0, quick ? 3 : undefined);
    for (const { messages } of held)
      for (const share of quick ? [0.55] : [0.4, 0.55, 0.7]) await measureCut(messages, share, ours, newest, broken);
    const rows = (recalls: number[][]): number[] => recalls.map(mean);
    const figures = {
      speed,
      cuts: ours.facts[0]!.length,
      budgets,
      facts: { extractive: rows(ours.facts), newest: rows(newest.facts) },
      verbatim: { extractive: rows(ours.verbatim), newest: rows(newest.verbatim) },
    };
    const megabyte = speed.find(({ megabytes }) => megabytes > 0.9 && megabytes < 1.2);
    const area = 'extractive writer';
    return {
      markdown: report(figures, held.length, half),
      figures,
      broken,
      targets: [
        ...(megabyte
          ? [atMost(area, 'time per megabyte', mostPerMegabyte, megabyte.perMegabyte, inUnit(0, 'ms'))]
          : []),
        ...budgets.flatMap((budget, row) =>
          (['facts', 'verbatim'] as const).map((measure) => {
            const { extractive: own, newest: other } = figures[measure];
            return atLeast(
              area,
              `${measure} at ${budget * 100} %, compared with the newest messages`,
              other[row]!,
              own[row]!,
              inPercent,
            );
          }),
        ),
      ],
    };
  },
};

const counter = createTokenCounter();

async function measureCut(
  messages: readonly Message[],
  share: number,
  ours: Recalls,
  newest: Recalls,
  broken: string[],
): Promise<void> {
  const sizes = messages.map((message) => counter.countMessage(message));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let at = 0;
  let tokens = 0;
  while (at < messages.length && tokens < total * share) tokens += sizes[at++]!;
  const past = messages.slice(0, at);
  const needs = needsOf(past, messages.slice(at));
  if (needs.facts.items.size === 0) return;
  for (const [row, part] of budgets.entries()) {
    const budget = tokens * part;
    const text = await write(past, budget);
    if (counter.countText(text) > budget)
      broken.push(`a record has ${counter.countText(text)} tokens, over its budget of ${Math.floor(budget)}`);
    add(ours, row, recallOf(needs, [{ role: 'user', content: text }]));
    let from = past.length;
    for (let left = budget; from > 0 && sizes[from - 1]! <= left; from--) left -= sizes[from - 1]!;
    add(newest, row, recallOf(needs, past.slice(from)));
  }
}

function add(recalls: Recalls, row: number, recall: ReturnType<typeof recallOf>): void {
  if (!Number.isNaN(recall.facts.recall)) recalls.facts[row]!.push(recall.facts.recall);
  if (!Number.isNaN(recall.verbatim.recall)) recalls.verbatim[row]!.push(recall.verbatim.recall);
}

async function write(messages: readonly Message[], budgetTokens: number): Promise<string> {
  const material = {
    messages: messages.filter(({ role }) => role !== 'system'),
    previousSummary: null,
    template: handoffTemplate,
    focusTopic: null,
  };
  const writer = extractive({ countText: (text) => counter.countText(text) });
  return (await writer.summarize({ prompt: '', budgetTokens, material })).text;
}

interface Speed {
  readonly megabytes: number;
  readonly milliseconds: number;
  readonly spread: Spread;
  readonly perMegabyte: number;
}

/** Measures processor milliseconds per megabyte of message text: sessions of 0.5 to 4 MB, 1 MB in a quick run. */
async function measureSpeed(transcripts: readonly (readonly Message[])[], quick: boolean): Promise<Speed[]> {
  const pool = transcripts.flat();
  const results: Speed[] = [];
  for (const wanted of quick ? [1] : [0.5, 1, 2, 4]) {
    const messages: Message[] = [];
    let bytes = 0;
    for (const message of pool) {
      if (bytes >= wanted * 1e6) break;
      messages.push(message);
      bytes += textSize(message);
    }
    const rounds: Round[] = [];
    for (let run = 0; run < (quick ? 3 : 9); run++) rounds.push(await timedRound(() => write(messages, 12_000)));
    const spread = spreadOf(calmest(rounds));
    const milliseconds = spread.median;
    results.push({ megabytes: bytes / 1e6, milliseconds, spread, perMegabyte: milliseconds / (bytes / 1e6) });
  }
  return results;
}

function textSize(message: Message): number {
  const content = typeof message.content === 'string' ? message.content.length : 0;
  return content + (message.tool_calls ? JSON.stringify(message.tool_calls).length : 0);
}

/** Reads the transcripts within {@link cutSizes}. Smaller ones never fill a window. */
function longOnes(dataFolder: string | null): NamedTranscript[] {
  return readTranscripts(dataFolder).filter(({ messages }) => {
    const tokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
    return tokens >= cutSizes.smallest && tokens <= cutSizes.largest;
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : `${(value * 100).toFixed(0)} %`);

interface Figures {
  readonly speed: readonly Speed[];
  readonly cuts: number;
  readonly facts: { readonly extractive: readonly number[]; readonly newest: readonly number[] };
  readonly verbatim: { readonly extractive: readonly number[]; readonly newest: readonly number[] };
}

function report({ speed, cuts, facts, verbatim }: Figures, transcripts: number, half: string): string {
  const row = (name: string, values: readonly number[]): string => `| ${name} | ${values.map(percent).join(' | ')} |`;
  return [
    '| text | processor time, ms: median (min to max) | per MB |',
    '|---|---|---|',
    ...speed.map(
      ({ megabytes, spread, perMegabyte }) =>
        `| ${megabytes.toFixed(1)} MB | ${withRange(spread, 0)} | ${perMegabyte.toFixed(0)} ms |`,
    ),
    '',
    transcripts === 0
      ? 'No transcripts available: recall was not measured.'
      : [
          `Share of what the agent needed later that is kept, compared with the newest messages at the same number of tokens (${cuts} cuts of ${transcripts} transcripts, ${half} half):`,
          '',
          '| | 10 % | 20 % | 35 % | 50 % |',
          '|---|---|---|---|---|',
          row('facts, extractive', facts.extractive),
          row('facts, newest', facts.newest),
          row('verbatim, extractive', verbatim.extractive),
          row('verbatim, newest', verbatim.newest),
        ].join('\n'),
  ].join('\n');
}
