import { texturePath, textureSide } from '@palimpsest/eval/page/textures';
import type { Colours } from '../use-colours.ts';

const known = new WeakMap<Colours, Map<string, CanvasPattern | null>>();

/** The pattern that is drawn over a block's colour; `null` for a plain look. */
export function textureOf(context: CanvasRenderingContext2D, colours: Colours, look: string): CanvasPattern | null {
  const path = texturePath(look);
  if (path === null) return null;
  const patterns = known.get(colours) ?? new Map<string, CanvasPattern | null>();
  known.set(colours, patterns);
  let pattern = patterns.get(path);
  if (pattern === undefined) patterns.set(path, (pattern = context.createPattern(tile(path, colours), 'repeat')));
  return pattern;
}

function tile(path: string, colours: Colours): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [textureSide, textureSide];
  const context = canvas.getContext('2d')!;
  context.strokeStyle = colours('texture');
  context.lineWidth = 1.5;
  context.stroke(new Path2D(path));
  return canvas;
}
