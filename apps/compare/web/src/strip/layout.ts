/** Where the blocks of a strip begin and end, in pixels: one more edge than there are blocks. */
export function edgesOf(tokens: readonly number[], scale: number, width: number): Float64Array {
  const edges = new Float64Array(tokens.length + 1);
  let sum = 0;
  for (const [index, size] of tokens.entries()) {
    sum += size;
    edges[index + 1] = scale > 0 ? (sum / scale) * width : 0;
  }
  return edges;
}

/** The block under a place, the nearest one beyond either end; -1 when there is none at all. */
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
