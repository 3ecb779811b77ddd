/**
 * Bytes in use after two collections: what weak maps hold, and the arrays of what the first one finds, are only freed by
 * the second. The process needs `--expose-gc`.
 */
export async function collectedMemory(): Promise<number> {
  for (let collections = 0; collections < 2; collections++) {
    // What the running function still has on its stack is only freed after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    (gc as NonNullable<typeof gc>)();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
