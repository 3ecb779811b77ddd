import { timeInFreshProcess } from '../engines/compress-speed.ts';
import { engines as ours } from '../engines/open-engine.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { median, type Spread, spreadOf, withRange } from '../spread.ts';
import { atMost, inUnit } from '../target.ts';
import { calmest } from '../timed-round.ts';

/** Compression times of one engine at one transcript length, with counted tokens and an instant summarizer. */
interface Row {
  readonly engine: string;
  readonly messages: number;
  readonly tokens: number;
  /** Milliseconds of processor time. */
  readonly freshMs: number;
  readonly coldMs: number;
  readonly cold: Spread;
  readonly warmMs: number;
  readonly warm: Spread;
  /** Cold time in units of one pass of `JSON.stringify` over the same messages: comparable between machines. */
  readonly coldPasses: number;
}

/** Measures the time of a compression without the model call, and its growth with the length of the transcript. */
export const engines: Section = {
  name: 'engines',
  title: 'Engines: compression time',
  async run({ quick }: BenchOptions): Promise<SectionResult> {
    const sizes = quick ? [500, 2_000] : [4_000, 16_000];
    const rows: Row[] = [];
    const broken: string[] = [];
    for (const name of Object.keys(ours) as (keyof typeof ours)[])
      for (const size of sizes) rows.push(await measure(name, size, quick ? 2 : 10, broken));
    const linear = (engine: string): number => {
      const [small, large] = rows.filter((row) => row.engine === engine) as [Row, Row];
      return large.coldMs / small.coldMs / (large.messages / small.messages);
    };
    const growth = { compressor: linear('compressor'), 'prune-compact': linear('prune-compact') };
    const targets = rows
      .filter(({ messages }) => messages === 4_000)
      .flatMap(({ engine, coldMs, warmMs }) => [
        atMost(engine, 'compress() of 4,000 messages, cold', 120, coldMs, inUnit(0, 'ms')),
        atMost(engine, 'compress() of 4,000 messages, warm', 40, warmMs, inUnit(0, 'ms')),
      ]);
    return { markdown: report(rows, growth), figures: { rows, growth }, broken, targets };
  },
};

async function measure(engine: keyof typeof ours, size: number, rounds: number, broken: string[]): Promise<Row> {
  const speed = await timeInFreshProcess({ engine, size, rounds });
  broken.push(...speed.broken.map((outcome) => `${engine} on ${size} messages: ${outcome}`));
  const [cold, warm] = [spreadOf(calmest(speed.cold)), spreadOf(calmest(speed.warm))];
  return {
    engine,
    messages: size,
    tokens: speed.tokens,
    freshMs: speed.fresh.milliseconds,
    coldMs: cold.median,
    cold,
    warmMs: warm.median,
    warm,
    coldPasses: cold.median / median(calmest(speed.pass)),
  };
}

function report(rows: readonly Row[], growth: Readonly<Record<string, number>>): string {
  const lines = rows.map(
    ({ engine, messages, tokens, freshMs, cold, warm, coldPasses }) =>
      `| ${engine} | ${messages.toLocaleString('en-US')} | ${tokens.toLocaleString('en-US')} | ${coldPasses.toFixed(1)} | ${freshMs.toFixed(0)} | ${withRange(cold, 0)} | ${withRange(warm, 0)} |`,
  );
  return [
    'One `compress()` with an instant summarizer; tokens are counted beforehand. Processor time: median of the calm rounds (minimum to maximum).',
    'Fresh: the first compression in a new process. Cold: new messages in a process that has compressed other messages before, like an agent that has run for a while. The messages are newly parsed, so nothing about them is cached, and moved to the old generation, so the garbage collector does not copy them during the measurement. Warm: another compression of the same messages.',
    '',
    '| engine | messages | tokens | cold, in passes of `JSON.stringify` | fresh, ms | cold, ms | warm, ms |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...lines,
    '',
    `Growth from the shorter to the longer transcript (1 is linear): ${Object.entries(growth)
      .map(([engine, factor]) => `${engine} ${factor.toFixed(2)}`)
      .join(', ')}.`,
  ].join('\n');
}
