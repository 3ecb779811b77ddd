import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { benchHost, emptySummarizer, type OpenEngine, engines as ours } from '../engines/open-engine.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { median, type Spread, spreadOf, withRange } from '../spread.ts';
import { atMost, inUnit } from '../target.ts';

/** What is measured at each size: the prompt of a long session, tokens counted already, a summarizer that answers at once. */
interface Row {
  readonly engine: string;
  readonly messages: number;
  readonly tokens: number;
  /** Milliseconds of processor time: medians. Cold: nothing but the token counts is known. */
  readonly coldMs: number;
  readonly cold: Spread;
  readonly warm: Spread;
  /** The same messages on another engine of the same host, as after the first compaction of a session. */
  readonly warmMs: number;
  /** Cold time in units of one pass of `JSON.stringify` over the same messages: comparable between machines. */
  readonly coldPasses: number;
}

const tokensPerMessage = 500;

/** How long a compression takes beside the model call, and whether that grows in line with the transcript. */
export const engines: Section = {
  name: 'engines',
  title: 'Engines: the time of a compression',
  async run({ quick }: BenchOptions): Promise<SectionResult> {
    const sizes = quick ? [500, 2_000] : [4_000, 16_000];
    const rows: Row[] = [];
    const broken: string[] = [];
    for (const [name, open] of Object.entries(ours))
      for (const size of sizes) rows.push(await measure(name, open, size, quick, broken));
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

async function measure(name: string, open: OpenEngine, size: number, quick: boolean, broken: string[]): Promise<Row> {
  const cold: number[] = [];
  const warm: number[] = [];
  const passes: number[] = [];
  let tokens = 0;
  for (let round = 0; round < (quick ? 2 : 3); round++) {
    // Parsed anew, so that nothing that is remembered by object survives from the round before.
    const messages = JSON.parse(JSON.stringify(session(size))) as Message[];
    const host = benchHost(createTokenCounter(), emptySummarizer);
    tokens = messages.reduce((sum, message) => sum + host.tokens.countMessage(message), 0);
    passes.push(await timed(async () => void JSON.stringify(messages)));
    for (const times of [cold, warm, warm]) {
      const engine = open(host, Math.round(tokens / 2));
      let outcome = '';
      times.push(
        await timed(async () => {
          outcome = (await engine.compress(messages, { force: true })).outcome;
        }),
      );
      if (outcome !== 'compressed') broken.push(`${name} on ${size} messages: ${outcome}`);
    }
  }
  return {
    engine: name,
    messages: size,
    tokens: Math.round(tokens),
    coldMs: median(cold),
    warmMs: median(warm),
    cold: spreadOf(cold),
    warm: spreadOf(warm),
    coldPasses: median(cold) / median(passes),
  };
}

/** Processor time, which other programs on the machine lengthen less than the clock on the wall. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const vocabulary =
  'const value return the parser range accepts open function import from test passes module server upload file path line result output build index array token string number window session every other request'.split(
    ' ',
  );

/** A coding session of turns: a request, four reads of files with numbers and paths in them, a reply. */
function session(size: number): Message[] {
  let state = 42;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const text = (tokens: number): string => {
    const words: string[] = [];
    for (let length = 0; length < tokens * 4; length += words.at(-1)!.length + 1)
      words.push(
        next(12) === 0
          ? `src/area-${next(40)}/file-${next(900)}.ts:${next(400)}`
          : vocabulary[next(vocabulary.length)]!,
        ...(next(12) === 0 ? ['\n'] : []),
      );
    return words.join(' ');
  };
  const messages: Message[] = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let call = 0; messages.length < size; ) {
    messages.push({ role: 'user', content: text(60) });
    for (let read = 0; read < 4; read++) {
      const id = `call_${++call}`;
      const path = `/repo/src/area-${call % 40}/file-${call}.ts`;
      messages.push(
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
        },
        { role: 'tool', tool_call_id: id, content: text((tokensPerMessage * 10) / 4 - 40) },
      );
    }
    messages.push({ role: 'assistant', content: text(60) });
  }
  return messages.slice(0, size);
}

function report(rows: readonly Row[], growth: Readonly<Record<string, number>>): string {
  const lines = rows.map(
    ({ engine, messages, tokens, cold, warm, coldPasses }) =>
      `| ${engine} | ${messages.toLocaleString('en-US')} | ${tokens.toLocaleString('en-US')} | ${coldPasses.toFixed(1)} | ${withRange(cold, 0)} | ${withRange(warm, 0)} |`,
  );
  return [
    'One `compress()` with a summarizer that answers at once, the tokens counted before; processor time, medians, with the least and the most.',
    'Cold: no message was masked or searched before. Warm: another compression of the same messages.',
    '',
    '| engine | messages | tokens | cold, in passes of `JSON.stringify` | cold, ms | warm, ms |',
    '|---|--:|--:|--:|--:|--:|',
    ...lines,
    '',
    `Growth from the smaller to the larger, where 1 is linear: ${Object.entries(growth)
      .map(([engine, factor]) => `${engine} ${factor.toFixed(2)}`)
      .join(', ')}.`,
  ].join('\n');
}
