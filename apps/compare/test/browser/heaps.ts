import type { CDPSession, Page } from 'playwright-core';

/** Bytes that are in use on the heap of the page or of one of its workers, after a garbage collection. */
export interface Heap {
  readonly name: string;
  readonly usedBytes: number;
}

/** Measures the heaps of a page and of all its workers through the DevTools protocol. */
export async function measureHeaps(page: Page): Promise<readonly Heap[]> {
  const client = await page.context().newCDPSession(page);
  const workers = new Map<string, string>();
  client.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    workers.set(sessionId, targetInfo.title || targetInfo.url);
  });
  await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const heaps = [{ name: 'page', usedBytes: await usedBytes((method) => client.send(method)) }];
  for (const [sessionId, name] of workers)
    heaps.push({ name, usedBytes: await usedBytes((method) => sendTo(client, sessionId, method)) });
  await client.detach();
  return heaps;
}

type HeapMethod = 'HeapProfiler.collectGarbage' | 'Runtime.getHeapUsage';

async function usedBytes(send: (method: HeapMethod) => Promise<unknown>): Promise<number> {
  // The first collection leaves what finalizers release.
  for (let times = 0; times < 3; times++) await send('HeapProfiler.collectGarbage');
  return ((await send('Runtime.getHeapUsage')) as { readonly usedSize: number }).usedSize;
}

let messages = 0;

/** Sends a command to a worker and returns its answer. */
function sendTo(client: CDPSession, sessionId: string, method: HeapMethod): Promise<unknown> {
  const id = ++messages;
  return new Promise((resolve) => {
    const receive = (event: { readonly sessionId: string; readonly message: string }): void => {
      const answer = JSON.parse(event.message);
      if (event.sessionId !== sessionId || answer.id !== id) return;
      client.off('Target.receivedMessageFromTarget', receive);
      resolve(answer.result);
    };
    client.on('Target.receivedMessageFromTarget', receive);
    void client.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params: {} }) });
  });
}
