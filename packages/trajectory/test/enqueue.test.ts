import { expect, it } from 'vitest';
import { enqueueShards } from '../src/queue.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
// Put together here so that no scanner takes this file for a leak.
const password = ['Zk3v9QpT7wXn', '2LbR5yHd8MfC'].join('');

// Nobody listens at this address: the refusal comes before anything is sent.
const options = { redis: 'redis://127.0.0.1:9', out: scratch.path, summarizer: 'openai:m' };

it.each([
  ['a password', `https://ada:${password}@models.example/v1`],
  ['a name alone', `https://${password}@models.example/v1`],
  ['a key in the query', `https://models.example/v1?api_key=${password}`],
])('refuses to store %s of a base URL in Redis, without printing it', async (_what, baseUrl) => {
  const error = await enqueueShards([scratch.write('in.jsonl', '')], { ...options, baseUrl }).then(
    () => null,
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringContaining('OPENAI_BASE_URL') });
  expect(`${error?.message}${JSON.stringify(error)}`).not.toContain(password);
});

it('refuses a base URL that is no URL', async () => {
  await expect(
    enqueueShards([scratch.write('in.jsonl', '')], { ...options, baseUrl: 'models.example' }),
  ).rejects.toMatchObject({ code: 'OPTION_INVALID', message: 'baseUrl: expected an absolute URL.' });
});
