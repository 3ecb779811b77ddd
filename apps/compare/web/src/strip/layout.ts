import { wholeStrip, type Zoom } from './zoom.ts';

/** The pixel edges of the blocks of a strip: one more than there are blocks. Those that are not visible are outside. */
export function edgesOf(
  tokens: readonly number[],
  scale: number,
  width: number,
  { from, to }: Zoom = wholeStrip,
): Float64Array {
  const edges = new Float64Array(tokens.length + 1);
  const edge = (sum: number): number => (scale > 0 ? ((sum / scale - from) / (to - from)) * width : 0);
  edges[0] = edge(0);
  let sum = 0;
  for (const [index, size] of tokens.entries()) {
    sum += size;
    edges[index + 1] = edge(sum);
  }
  return edges;
}

/** The index of the block at `x`, clamped to the first and last block; -1 if there are no blocks. */
export function blockAt(edges: Float64Array, x: number): number {
  let low = 0;
  let high = edges.length - 2;
  if (high < 0) return -1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle + 1]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
