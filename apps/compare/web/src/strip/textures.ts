import type { Colours } from '../use-colours.ts';

/** A texture tells looks apart without colour. The same ones are in the swatches of `results.css`. */
type Texture = 'rising' | 'falling' | 'dots' | 'crossed';

const textures: Readonly<Record<string, Texture>> = {
  system: 'dots',
  assistant: 'rising',
  inserted: 'falling',
  rewritten: 'rising',
  carried: 'dots',
  summarized: 'falling',
  dropped: 'crossed',
};

/** Side of the repeated tile, in device pixels. */
const side = 8;

const known = new WeakMap<Colours, Map<string, CanvasPattern | null>>();

/** The pattern that is drawn over a block's colour; `null` for a plain look. */
export function textureOf(context: CanvasRenderingContext2D, colours: Colours, look: string): CanvasPattern | null {
  const texture = textures[look];
  if (!texture) return null;
  const patterns = known.get(colours) ?? new Map<string, CanvasPattern | null>();
  known.set(colours, patterns);
  let pattern = patterns.get(texture);
  if (pattern === undefined) patterns.set(texture, (pattern = context.createPattern(tile(texture, colours), 'repeat')));
  return pattern;
}

function tile(texture: Texture, colours: Colours): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [side, side];
  const context = canvas.getContext('2d')!;
  context.strokeStyle = context.fillStyle = colours('paper');
  context.globalAlpha = 0.45;
  context.lineWidth = 1.5;
  if (texture === 'dots') {
    context.fillRect(side / 2 - 1, side / 2 - 1, 2, 2);
    return canvas;
  }
  context.beginPath();
  // Drawn beyond the tile, so that the lines meet those of the next one.
  for (const shift of [-side, 0, side]) {
    if (texture !== 'falling') {
      context.moveTo(shift - 1, side + 1);
      context.lineTo(shift + side + 1, -1);
    }
    if (texture !== 'rising') {
      context.moveTo(shift - 1, -1);
      context.lineTo(shift + side + 1, side + 1);
    }
  }
  context.stroke();
  return canvas;
}
