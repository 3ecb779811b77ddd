import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chooseEngines } from '@palimpsest/eval/engines/choose-engines';
import { inputsOf } from '@palimpsest/eval/inputs/find-inputs';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { palette } from '@palimpsest/eval/page/palette';
import { promptAt } from 'palimpsest/replay/prompt-at';
import type { ReplayRun } from 'palimpsest/replay/replay';
import { replayEngine } from 'palimpsest/replay/replay-engine';
import { outcomeBlocks, outputBlocks } from 'palimpsest/strips/strip-blocks';

// Makes the pictures of the README: `pnpm --filter @palimpsest/compare run pictures`. `session.svg` is measured here. The
// figures of the charts stand, with their source, in `docs/exam.md` and `docs/choose-an-engine.md`.
const docs = new URL('../../../docs/', import.meta.url);
const windowTokens = 128_000;
/** The tokens that the whole width stands for: the session does not fit the window. */
const wideTokens = 190_000;
const frames = 18;
/** The frames move for 4.5 seconds, and the last one stays for 1.5 seconds more. */
const slots = 24;
const seconds = 6;
const wide = 860;

interface Block {
  readonly look: (typeof legend)[number][0];
  readonly tokens: number;
}

const legend = [
  ['kept', 'kept'],
  ['rewritten', 'shortened'],
  ['inserted', 'handoff'],
  ['summarized', 'summarized in the handoff'],
] as const;

const style = `${palette}text{font:13px system-ui,sans-serif;fill:var(--ink)}.soft{fill:var(--soft)}.back{fill:var(--pre)}.title{font-weight:600}.window,.threshold{stroke:var(--bad);stroke-width:2}.threshold{stroke-dasharray:4 3}
${legend.map(([look]) => `.${look}{fill:var(--${look})}`).join('')}.bar{fill:var(--first)}.other{fill:var(--recorded)}`;

/** Rounded down, so that two frames are never visible together. */
const percentOfCycle = (count: number): number => Math.floor((100_000 * count) / slots) / 1000;

/** Without animation, and where styles of it are unknown, the last frame stays. */
const motion = `.f{opacity:0;animation:show ${seconds}s steps(1) infinite}.last{opacity:1;animation-name:stay}
@keyframes show{0%{opacity:1}${percentOfCycle(1)}%,100%{opacity:0}}@keyframes stay{0%{opacity:1}${percentOfCycle(slots - frames + 1)}%,100%{opacity:0}}
@media(prefers-reduced-motion:reduce){.f{animation:none}}`;

/** A session as a picture that moves: what it has, and what the model gets, request by request. */
async function movingStrip(sample: Sample): Promise<string> {
  const engines = await chooseEngines(['compressor'], fileURLToPath(docs));
  const run = await replayEngine(engines, 'compressor', sample, { windowTokens });
  const requests = run.figures.sent.map((_, turn) => blocksAt(sample, run, turn));
  const turns = requests.length;
  const drawn = Array.from({ length: frames }, (_, at) => {
    const turn = Math.round(((at + 1) / frames) * (turns - 1));
    const { session, model } = requests[turn]!;
    const fewer = sum(model) < sum(session) ? `, ${saved(session, model)}` : '';
    // A negative delay, so that no frame waits for its first turn at full opacity.
    const delay = (at * seconds) / slots - seconds;
    return `<g class="f${at === frames - 1 ? ' last' : ''}" style="animation-delay:${delay.toFixed(2)}s"><text x="0" y="14" class="title">Request ${turn + 1} of ${turns}</text>${strip(34, `The session: ${count(session)}`, session)}${strip(86, `What the model gets: ${count(model)}${fewer}`, model)}</g>`;
  });
  const all = saved(
    requests.flatMap(({ session }) => session),
    requests.flatMap(({ model }) => model),
  );
  const marks = [
    mark('window', windowTokens, [20, 116], 'context window'),
    mark('threshold', run.figures.thresholdTokens!, [94, 128], 'compaction'),
  ];
  let x = 0;
  const key = legend.map(([look, words]) => {
    const drawn = `<rect class="${look}" x="${x}" y="146" width="11" height="11"/><text class="soft" x="${x + 17}" y="156">${words}</text>`;
    x += 17 + words.length * 7 + 22;
    return drawn;
  });
  const total = `<text x="${wide}" y="156" text-anchor="end">all ${turns} requests together: ${all} tokens</text>`;
  return svg(
    164,
    `${style}${motion}`,
    'A session and what the model gets of it, request by request',
    `${drawn.join('\n')}${marks.join('')}${key.join('')}${total}`,
  );
}

/** A vertical line at a number of tokens, with its name. */
function mark(look: string, tokens: number, [top, bottom]: readonly [number, number], name: string): string {
  const x = (tokens / wideTokens) * wide;
  const y = look === 'window' ? top + 16 : bottom;
  return `<path class="${look}" d="M${x.toFixed(1)} ${top}V${bottom}"/><text class="soft" x="${(x + 8).toFixed(1)}" y="${y}">${name}: ${tokens / 1000}K</text>`;
}

/** What there is at a request, and what is sent. */
function blocksAt(sample: Sample, run: ReplayRun, turn: number): Record<'session' | 'model', readonly Block[]> {
  const prompt = promptAt(sample.messages, run, turn);
  const blocks = outcomeBlocks({ messages: prompt.recorded, tokens: sample.tokens }, prompt);
  const session = blocks.map(({ look, tokens }): Block => ({ tokens, look: looks[look] }));
  const model = outputBlocks(sample, prompt).map(({ look, tokens, from }): Block => {
    const kind = prompt.provenance.source[from]?.kind;
    return { tokens, look: look === 'inserted' ? look : kind === 'rewritten' ? kind : 'kept' };
  });
  return { session, model };
}

const looks = {
  kept: 'kept',
  rewritten: 'rewritten',
  carried: 'summarized',
  summarized: 'summarized',
  dropped: 'summarized',
} as const;

const sum = (blocks: readonly Block[]): number => blocks.reduce((total, { tokens }) => total + tokens, 0);
const count = (blocks: readonly Block[]): string => `${Math.round(sum(blocks)).toLocaleString('en-US')} tokens`;
const saved = (before: readonly Block[], after: readonly Block[]): string =>
  `${Math.round(100 * (1 - sum(after) / sum(before)))} % fewer`;

/** A strip with its name. Blocks of one look in a row are one. */
function strip(y: number, name: string, blocks: readonly Block[]): string {
  let x = 0;
  let from = 0;
  let drawn = '';
  blocks.forEach(({ look, tokens }, at) => {
    x += (tokens / wideTokens) * wide;
    if (blocks[at + 1]?.look === look) return;
    if (x > from)
      drawn += `<rect class="${look}" x="${from.toFixed(1)}" y="${y + 8}" width="${(x - from).toFixed(1)}" height="18"/>`;
    from = x;
  });
  return `<text x="0" y="${y + 2}">${name}</text><rect class="back" x="0" y="${y + 8}" width="${wide}" height="18"/>${drawn}`;
}

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  /** True for one of ours. */
  readonly isOurs: boolean;
}

function barChart(title: string, note: string, bars: readonly Bar[]): string {
  const left = 330;
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, text, isOurs }, at) => {
    const [y, width] = [56 + at * 26, (value / most) * (wide - left - 70)];
    return `<text x="0" y="${y + 13}">${name}</text><rect class="${isOurs ? 'bar' : 'other'}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="17"/><text x="${(left + width + 8).toFixed(1)}" y="${y + 13}">${text}</text>`;
  });
  return svg(
    60 + bars.length * 26,
    style,
    title,
    `<text x="0" y="16" class="title">${title}</text><text x="0" y="38" class="soft">${note}</text>${rows.join('')}`,
  );
}

function svg(height: number, css: string, title: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${height}" role="img"><title>${title}</title><style>${css}</style>${content}</svg>\n`;
}

async function sampleOf(name: string): Promise<Sample> {
  const path = fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
  for await (const input of inputsOf([path], { cwd: fileURLToPath(docs) } as never))
    for await (const found of readTranscripts(input)) return measureSample(found);
  throw new Error(`There is no session in ${name}.`);
}

const write = (name: string, text: string): void => writeFileSync(new URL(name, docs), text);
const percent = (name: string, value: number, isOurs: boolean): Bar => ({ name, value, text: `${value} %`, isOurs });
const price = (name: string, value: number, isOurs: boolean): Bar => ({ name, value, text: `$${value}`, isOurs });

write('session.svg', await movingStrip(await sampleOf('esm-migration.json')));
write(
  'exam.svg',
  barChart(
    'Questions that a model answers correctly after a compaction',
    '80 questions about ten real sessions that Claude Code had compacted. The model has only what is named here.',
    [
      percent('Claude Code’s summary', 66, false),
      percent('the same + what Palimpsest’s rules add', 74, true),
      percent('the same + rules + search', 95, true),
      percent('no summary by a model: rules + search', 92, true),
    ],
  ),
);
write(
  'dollars.svg',
  barChart(
    'What 45 recorded conversations cost',
    'Replayed in a window of 200,000 tokens, at the prices of Claude Sonnet 4. Calls for summaries are included.',
    [
      price('never compacted (9 of the 45 do not fit)', 244, false),
      price('compacted when the window is full', 157, false),
      price('Palimpsest, defaults', 115, true),
    ],
  ),
);
