/** Bytes in use after a collection. The process needs `--expose-gc`. */
export async function collectedMemory(): Promise<number> {
  const collect = gc as NonNullable<typeof gc>;
  // What the running function still has on its stack is only freed after a turn of the event loop.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
