/** Bytes in use after a collection. The process needs `--expose-gc`. */
export async function collectedMemory(): Promise<number> {
  // What the running function still has on its stack is only freed after a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  (gc as NonNullable<typeof gc>)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
