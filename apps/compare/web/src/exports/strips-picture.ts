import { outcomeWords } from 'palimpsest/comparison/strip-blocks';
import { textureOf } from '../strip/textures.ts';
import type { Colours } from '../use-colours.ts';
import { roleWords } from '../words.ts';

const margin = 24;
const gap = 8;
const lineHeight = 24;
const font = '14px "Inter Variable", system-ui, sans-serif';

/** The strips of the page as a PNG, with their headings and a legend. */
export async function stripsPicture(page: ParentNode, title: string, colours: Colours): Promise<Blob> {
  const parts = [...page.querySelectorAll('article.engine')].map((article) => ({
    heading: textsOf(article.querySelector('header')),
    strips: [...article.querySelectorAll<HTMLCanvasElement>('canvas.strip')],
  }));
  const width = Math.max(...parts.flatMap(({ strips }) => strips.map((strip) => strip.clientWidth)), 600);
  const heights = parts.flatMap(({ strips }) => [lineHeight, ...strips.map((strip) => strip.clientHeight + gap)]);
  const height = heights.reduce((sum, one) => sum + one, 0) + 4 * lineHeight;
  const density = globalThis.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * margin) * density;
  canvas.height = (height + 2 * margin) * density;
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  context.fillStyle = colours('paper');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = font;
  context.textBaseline = 'top';
  let top = margin;
  const write = (text: string): void => {
    context.fillStyle = colours('ink');
    context.fillText(text, margin, top, width);
    top += lineHeight;
  };
  write(title);
  for (const { heading, strips } of parts) {
    write(heading);
    for (const strip of strips) {
      context.fillStyle = colours('pre');
      context.fillRect(margin, top, strip.clientWidth, strip.clientHeight);
      context.drawImage(strip, margin, top, strip.clientWidth, strip.clientHeight);
      top += strip.clientHeight + gap;
    }
  }
  top += gap;
  drawLegend(context, colours, top, Object.entries(roleWords));
  drawLegend(context, colours, top + lineHeight, Object.entries(outcomeWords));
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'),
  );
}

function drawLegend(
  context: CanvasRenderingContext2D,
  colours: Colours,
  top: number,
  entries: readonly (readonly [look: string, words: string])[],
): void {
  let left = margin;
  for (const [look, words] of entries) {
    for (const fill of [colours(look), textureOf(context, colours, look)]) {
      if (!fill) continue;
      context.fillStyle = fill;
      context.fillRect(left, top + 2, 12, 12);
    }
    context.fillStyle = colours('soft');
    context.fillText(words, left + 18, top);
    left += context.measureText(words).width + 40;
  }
}

function textsOf(header: Element | null): string {
  const texts = [...(header?.querySelectorAll('h2, h3, p') ?? [])].map((element) => element.textContent ?? '');
  return texts.join('   ');
}
