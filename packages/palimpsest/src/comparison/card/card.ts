import { count, formatCount } from '@palimpsest/command-line/count';
import { lightColours } from '@palimpsest/eval/page/palette';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { dollars } from '../../printing/dollars.ts';
import { tokenAmount } from '../../printing/token-amount.ts';
import type { CardFigures } from './card-figures.ts';

/** The size of previews of links. */
const [width, height] = [1200, 630];
const [left, right, top, bottom] = [64, width - 132, 220, 442];
const { ink, soft, paper, line, recorded, bad, second: good } = lightColours;

/** Attributes of texts. */
const looks = {
  brand: `font-size="26" font-weight="700" fill="${ink}"`,
  large: `font-size="38" font-weight="700" fill="${ink}"`,
  label: `font-size="21" fill="${soft}"`,
  small: `font-size="16" fill="${soft}"`,
} as const;

/** The result of a comparison as one picture, for a pull request or a post: an SVG with a light background. */
export function comparisonCard(figures: CardFigures): string {
  const { before, after, requests, samples } = figures;
  const { prices } = samples[0]!;
  const title = headline(figures);
  const boxes = [
    before.overWindow === 0
      ? [`all ${count(requests.length)}`, 'requests fit the window']
      : [`${count(before.overWindow - after.overWindow)} of ${count(requests.length)}`, 'requests rescued'],
    [`${short.format(before.sentTokens)} → ${short.format(after.sentTokens)}`, 'prompt tokens sent'],
    [`${dollars(before.dollars)} → ${dollars(after.dollars)}`, 'for input and handoffs'],
  ] as const;
  const [input, output, read, written] = [prices.input, prices.output, prices.cacheRead, prices.cacheWrite].map(
    (price) => price.toFixed(2),
  );
  const pages = after.pages > 0 ? ` Handoffs by a model at $${output}.` : '';
  const cost = `A replay. Input at $${input} per million tokens, $${read} cached, $${written} written to the cache.${pages}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" font-family="Inter, Helvetica Neue, Arial, DejaVu Sans, sans-serif">
<rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="16" fill="${paper}" stroke="${line}" stroke-width="2"/>
${text(left, 76, 'Palimpsest', looks.brand)}
${text(left, 134, title, `${looks.large}${narrow(title, 44, width - 2 * left)}`)}
${text(left, 174, describe(figures), looks.label)}
${chart(requests)}
${legend(figures)}
${boxes.map(([value, label], at) => text(left + at * 372, 538, value, `${looks.large}${narrow(value, 14, 328)}`) + text(left + at * 372, 570, label, looks.label)).join('\n')}
${text(left, 606, cost, looks.small)}
</svg>
`;
}

/** The attributes of words that would be too long in a wide font: they are narrowed. */
function narrow(words: string, maxLength: number, room: number): string {
  return words.length > maxLength ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';
}

function headline({ before, after, requests }: CardFigures): string {
  const all = formatCount(requests.length, 'request');
  if (before.overWindow > 0) {
    const left = after.overWindow === 0 ? 'Now all do.' : `Now all but ${count(after.overWindow)} do.`;
    return `${count(before.overWindow)} of ${all} did not fit. ${left}`;
  }
  const saved = Math.floor((1 - after.dollars / before.dollars) * 100);
  return saved > 0 ? `${saved} % less for the input of ${all}` : `All of ${all} fit the window`;
}

function describe({ samples }: CardFigures): string {
  const messages = samples.reduce((sum, sample) => sum + sample.messages, 0);
  const windows = new Set(samples.map(({ window }) => window.tokens));
  const sizes = [...windows].sort((a, b) => a - b).map(tokenAmount);
  const window = sizes.length === 1 ? `a window of ${sizes[0]}` : `windows of ${sizes.join(', ')}`;
  return `${formatCount(samples.length, 'recorded session')}, ${formatCount(messages, 'message')}, ${window}`;
}

/** The prompt of each request, without an engine and with it. The dashed line is the window. */
function chart(requests: CardFigures['requests']): string {
  const highest = Math.max(1.1, ...requests.map(({ before }) => before));
  const x = (at: number): string => (left + (at / requests.length) * (right - left)).toFixed(1);
  const y = (share: number): number => Math.round(bottom - (share / highest) * (bottom - top));
  const area = (name: 'before' | 'after', look: string): string => {
    const steps = requests.map((size, at) => `V${y(size[name])}H${x(at + 1)}`).join('');
    return `<path d="M${left} ${bottom}${steps}V${bottom}Z" ${look}/>`;
  };
  const limit = y(1);
  return [
    `<clipPath id="over"><rect width="${width}" height="${limit}"/></clipPath>`,
    area('before', `fill="${recorded}" opacity=".45"`),
    area('before', `fill="${bad}" clip-path="url(#over)"`),
    area('after', `fill="${good}"`),
    `<path d="M${left} ${limit}H${right}" stroke="${ink}" stroke-width="2" stroke-dasharray="7 6"/>`,
    text(right + 10, limit + 6, 'window', looks.small),
  ].join('\n');
}

function legend({ engine }: CardFigures): string {
  const entries = [
    [`fill="${recorded}" opacity=".45"`, 'without compaction'],
    [`fill="${bad}"`, 'over the window'],
    [`fill="${good}"`, `with ${shareableText(engine.slice(0, 40))}`],
  ] as const;
  return entries
    .map(([look, words], at) => {
      const from = left + at * 270;
      const swatch = `<rect x="${from}" y="${bottom + 17}" width="14" height="14" rx="2" ${look}/>`;
      return swatch + text(from + 24, bottom + 30, words, looks.label);
    })
    .join('\n');
}

function text(x: number, y: number, words: string, look: string): string {
  return `<text x="${x}" y="${y}" ${look}>${words}</text>`;
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
