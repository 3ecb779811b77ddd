import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chooseEngines } from '@palimpsest/eval/engines/choose-engines';
import { inputsOf } from '@palimpsest/eval/inputs/find-inputs';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { promptAt } from 'palimpsest/comparison/replay/prompt-at';
import { replayEngine } from 'palimpsest/comparison/replay/replay-engine';
import { outcomeBlocks, outputBlocks } from 'palimpsest/comparison/strip-blocks';

// Makes the pictures of the README: `pnpm --filter @palimpsest/compare run pictures`. `session.svg` is measured here. The
// figures of the charts stand, with their source, in `docs/exam.md` and `docs/choose-an-engine.md`.
const docs = new URL('../../../docs/', import.meta.url);
const windowTokens = 200_000;
const frames = 24;
const seconds = 6;
const wide = 860;

type Look = 'kept' | 'shortened' | 'handoff' | 'freed';

interface Block {
  readonly look: Look;
  readonly tokens: number;
}

const style = `text{font:13px system-ui,sans-serif;fill:#1f2328}.soft{fill:#59636e}.back{fill:#eaeef2}.kept{fill:#2f6feb}.shortened{fill:#bf8700}
.handoff{fill:#a626a4}.freed{fill:#d0d7de}.bar{fill:#2f6feb}.other{fill:#afb8c1}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.soft{fill:#9198a1}.back{fill:#21262d}.kept,.bar{fill:#4493f8}.shortened{fill:#d29922}.handoff{fill:#d670d6}.freed{fill:#3d444d}.other{fill:#656c76}}`;

/** A session as a picture that moves: what it has, and what the model gets, request by request. */
async function movingStrip(sample: Sample): Promise<string> {
  const engines = await chooseEngines(['compressor'], fileURLToPath(docs));
  const run = await replayEngine(engines, 'compressor', sample, { windowTokens });
  const turns = run.figures.sent.length;
  const drawn = Array.from({ length: frames }, (_, at) => {
    const turn = Math.round(((at + 1) / frames) * (turns - 1));
    const prompt = promptAt(sample.messages, run, turn);
    const blocks = outcomeBlocks({ messages: prompt.recorded, tokens: sample.tokens }, prompt);
    const history = blocks.map(({ look, tokens }): Block => ({ tokens, look: looks[look] }));
    const whole = history.reduce((sum, { tokens }) => sum + tokens, 0);
    const model = outputBlocks(sample, prompt).map(({ look, tokens, from }): Block => {
      const kind = prompt.provenance.source[from]?.kind;
      return { tokens, look: look === 'inserted' ? 'handoff' : kind === 'rewritten' ? 'shortened' : 'kept' };
    });
    const sent = model.reduce((sum, { tokens }) => sum + tokens, 0);
    const words = `request ${turn + 1} of ${turns}`;
    return `<g class="f${at === frames - 1 ? ' last' : ''}" style="animation-delay:${((at * seconds) / frames).toFixed(2)}s"><text x="0" y="14">${words}</text>${row(34, 'the session', whole, history)}${row(86, 'what the model gets', sent, model)}</g>`;
  });
  const motion = `.f{opacity:0;animation:show ${seconds}s steps(1) infinite}@keyframes show{0%{opacity:1}${(100 / frames).toFixed(3)}%{opacity:0}}@media(prefers-reduced-motion:reduce){.f{animation:none}.last{opacity:1}}`;
  const legend = [
    ['kept', 'kept'],
    ['shortened', 'shortened'],
    ['handoff', 'handoff'],
    ['freed', 'summarized in the handoff'],
  ]
    .map(([look, words], at) => {
      const x = at * 110;
      return `<rect class="${look}" x="${x}" y="142" width="11" height="11"/><text class="soft" x="${x + 17}" y="152">${words}</text>`;
    })
    .join('');
  return svg(
    160,
    `${style}${motion}`,
    'A session and what the model gets of it, request by request',
    `${drawn.join('\n')}${legend}`,
  );
}

const looks = {
  kept: 'kept',
  rewritten: 'shortened',
  carried: 'freed',
  summarized: 'freed',
  dropped: 'freed',
} as const;

/** A strip with its name and its tokens. Blocks of one look in a row are one. */
function row(y: number, name: string, tokens: number, blocks: readonly Block[]): string {
  let x = 0;
  let from = 0;
  let drawn = '';
  blocks.forEach(({ look, tokens: size }, at) => {
    x += (size / windowTokens) * wide;
    if (blocks[at + 1]?.look === look) return;
    if (x > from)
      drawn += `<rect class="${look}" x="${from.toFixed(1)}" y="${y + 8}" width="${(x - from).toFixed(1)}" height="18"/>`;
    from = x;
  });
  const figure = `${Math.round(tokens).toLocaleString('en-US')} tokens`;
  return `<text class="soft" x="0" y="${y + 2}">${name}: ${figure}</text><rect class="back" x="0" y="${y + 8}" width="${wide}" height="18"/>${drawn}`;
}

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  /** True for one of ours. */
  readonly isOurs: boolean;
}

function barChart(title: string, bars: readonly Bar[]): string {
  const left = 330;
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, text, isOurs }, at) => {
    const [y, width] = [34 + at * 26, (value / most) * (wide - left - 70)];
    return `<text x="0" y="${y + 13}">${name}</text><rect class="${isOurs ? 'bar' : 'other'}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="17"/><text x="${(left + width + 8).toFixed(1)}" y="${y + 13}">${text}</text>`;
  });
  return svg(
    40 + bars.length * 26,
    style,
    title,
    `<text x="0" y="16" style="font-weight:600">${title}</text>${rows.join('')}`,
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
  barChart('What a reader still answers after ten real compactions of Claude Code', [
    percent('the summary that Claude Code wrote', 66, false),
    percent('the same summary in Palimpsest', 74, true),
    percent('Palimpsest by rules, with search', 92, true),
    percent('the same summary in Palimpsest, with search', 95, true),
  ]),
);
write(
  'dollars.svg',
  barChart('Dollars for the same recorded conversations, window of 200,000 tokens', [
    price('never compacted (9 do not fit)', 244, false),
    price('compacted when the window is full', 157, false),
    price('Palimpsest, defaults', 115, true),
  ]),
);
