import { expect, it } from 'vitest';
import { pageCalls } from '../../src/conversations/page-calls.ts';

/** An upstream whose answers come when the test says so. */
function upstream() {
  const running: (() => void)[] = [];
  const call = pageCalls(() => new Promise((resolve) => running.push(() => resolve(new Response('page')))));
  const ask = (key: string, signal?: AbortSignal, header = 'x-api-key') =>
    call('https://provider.example', 'https://provider.example/v1/messages', {
      method: 'POST',
      headers: { [header]: key },
      ...(signal ? { signal } : {}),
    });
  return { running, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('asks for one page at a time with a credential, also when one that waits is aborted', async () => {
  const { running, ask } = upstream();
  const first = ask('a');
  const abort = new AbortController();
  const second = ask('a', abort.signal);
  const third = ask('a');
  const other = ask('b');
  await settled();
  expect(running.length).toBe(2);
  abort.abort();
  await expect(second).rejects.toThrow();
  await settled();
  expect(running.length).toBe(2);
  const fourth = ask('a');
  await settled();
  expect(running.length).toBe(2);
  for (let page = 0; page < 3; page++) {
    for (const end of running.splice(0)) end();
    for (let turn = 0; turn < 5; turn++) await settled();
    expect(running.length).toBeLessThanOrEqual(1);
  }
  for (const page of [first, third, fourth, other]) expect(await (await page).text()).toBe('page');
});

it('takes requests with different signatures of one access key of AWS for those of one credential', async () => {
  const { running, ask } = upstream();
  const signed = (key: string, signature: string) =>
    ask(
      `AWS4-HMAC-SHA256 Credential=${key}/20261128/eu-west-1/bedrock/aws4_request, SignedHeaders=host, Signature=${signature}`,
      undefined,
      'authorization',
    );
  const pages = [signed('AKIA1', 'a'), signed('AKIA1', 'b'), signed('AKIA2', 'c')];
  await settled();
  expect(running.length).toBe(2);
  for (let page = 0; page < 3; page++) {
    for (const end of running.splice(0)) end();
    for (let turn = 0; turn < 5; turn++) await settled();
  }
  await Promise.all(pages);
});
