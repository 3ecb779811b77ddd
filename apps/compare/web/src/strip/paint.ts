import type { Colours } from '../use-colours.ts';

/** A block to paint. */
export interface Painted {
  readonly tokens: number;
  /** A colour of the palette, by name. */
  readonly look: string;
  /** The fraction drawn solid, from the bottom; the rest is translucent. @default 1 */
  readonly left?: number;
}

/** Opacity of removed parts; the same as in the legend's swatches in `results.css`. */
const ghost = 0.5;
/** Opacity of messages after the request shown. */
const faint = 0.2;

/** Size of a canvas in CSS pixels. Passed in, because reading it here would force a layout. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** What a strip shows. */
interface Strip {
  readonly blocks: readonly Painted[];
  readonly edges: Float64Array;
  readonly selected: number | null;
  /** Blocks from here on are not part of the request shown. */
  readonly sent: number;
}

/** Paints a strip on a canvas, for any pixel density. */
export function paintStrip(
  canvas: HTMLCanvasElement,
  { width, height }: CanvasSize,
  colours: Colours,
  { blocks, edges, selected, sent }: Strip,
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const density = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  context.scale(density, density);
  // Edges are snapped to device pixels, or else the background would show through the seams of thousands of blocks.
  const snap = (edge: number): number => Math.round(edge * density) / density;
  for (const [index, { look, left = 1 }] of blocks.entries()) {
    const from = snap(edges[index]!);
    const wide = snap(edges[index + 1]!) - from;
    if (wide === 0 || from + wide < 0 || from > width) continue;
    // Leave a hairline between blocks if there is room.
    const drawn = wide > 3 ? wide - 1 : wide;
    context.fillStyle = colours(look);
    context.globalAlpha = index < sent ? ghost : faint;
    if (left < 1) context.fillRect(from, 0, drawn, height);
    context.globalAlpha = index < sent ? 1 : faint;
    context.fillRect(from, height * (1 - left), drawn, height * left);
  }
  context.globalAlpha = 1;
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
