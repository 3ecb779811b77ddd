import { expect, it } from 'vitest';
import { awsRequestHandler } from '../../src/fetch.ts';

const request = { method: 'POST', protocol: 'https:', hostname: 'bedrock.example', path: '/', headers: {}, body: '{}' };

/** The signal of AWS's own package `@smithy/abort-controller`: no events, but one function. */
const smithySignal = (aborted: boolean) => ({ aborted, onabort: null as (() => void) | null });

it.each([
  ['of the platform', true],
  ["of AWS's own class", false],
])('ends a request by a signal %s, before it is sent or later', async (_, isGlobal) => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const handler = awsRequestHandler(async (_input, init) => {
    signals.push(init?.signal);
    return new Response('{}');
  });
  const abort = new AbortController();
  const own = smithySignal(false);
  await handler.handle(request, { abortSignal: isGlobal ? abort.signal : own });
  expect(signals[0]?.aborted).toBe(false);
  abort.abort();
  own.onabort?.();
  expect(signals[0]?.aborted).toBe(true);
  await handler.handle(request, { abortSignal: isGlobal ? abort.signal : smithySignal(true) });
  expect(signals[1]?.aborted).toBe(true);
  await handler.handle(request);
  expect(signals[2]).toBeNull();
});
