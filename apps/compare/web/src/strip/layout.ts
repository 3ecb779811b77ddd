/** The pixel edges of the blocks of a strip: one more than there are blocks. */
export function edgesOf(tokens: readonly number[], scale: number, width: number): Float64Array {
  const edges = new Float64Array(tokens.length + 1);
  let sum = 0;
  for (const [index, size] of tokens.entries()) {
    sum += size;
    edges[index + 1] = scale > 0 ? (sum / scale) * width : 0;
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
