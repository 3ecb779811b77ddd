import type { Colours } from '../palette-colours.ts';

/** What is drawn of a block. */
export interface Painted {
  readonly tokens: number;
  /** A colour of the palette, by name. */
  readonly look: string;
  /** The share of it drawn solid, from the bottom; the rest is a ghost. @default 1 */
  readonly left?: number;
}

/** How much is seen of what is gone; the legend's swatches have the same, in `results.css`. */
const ghost = 0.5;

/** How large a canvas is in CSS pixels: known to the caller, since asking a page that just changed makes it lay itself out. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Paints a strip on a canvas of any density. */
export function paintStrip(
  canvas: HTMLCanvasElement,
  { width, height }: CanvasSize,
  colours: Colours,
  blocks: readonly Painted[],
  edges: Float64Array,
  selected: number | null,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const density = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  context.scale(density, density);
  // Blocks begin and end with whole pixels: thousands of them would let the ground shine through their seams.
  const snapped = (edge: number): number => Math.round(edge * density) / density;
  for (const [index, { look, left = 1 }] of blocks.entries()) {
    const from = snapped(edges[index]!);
    const wide = snapped(edges[index + 1]!) - from;
    if (wide === 0) continue;
    // A hairline between blocks, where there is room for one.
    const drawn = wide > 3 ? wide - 1 : wide;
    context.fillStyle = colours(look);
    if (left < 1) {
      context.globalAlpha = ghost;
      context.fillRect(from, 0, drawn, height);
      context.globalAlpha = 1;
    }
    context.fillRect(from, height * (1 - left), drawn, height * left);
  }
  if (selected === null || selected < 0 || selected >= blocks.length) return;
  const from = edges[selected]!;
  const wide = Math.max(edges[selected + 1]! - from, 3);
  const left = Math.min(from, width - wide);
  context.strokeStyle = colours('ink');
  context.lineWidth = 2;
  context.strokeRect(left + 1, 1, Math.max(wide - 2, 1), height - 2);
  if (wide < 8) return;
  // A light line inside, for blocks nearly as dark as the outline.
  context.strokeStyle = colours('paper');
  context.lineWidth = 1;
  context.strokeRect(left + 2.5, 2.5, wide - 5, height - 5);
}
