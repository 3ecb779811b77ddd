import { expect, it } from 'vitest';
import { enqueueShards } from '../src/queue.ts';
import { scratchFolder } from './scratch.ts';

const scratch = scratchFolder();

it('rejects invalid options, all at once, before it opens a connection', async () => {
  await expect(
    enqueueShards([scratch.write('in.jsonl', '')], {
      out: scratch.path,
      summarizer: 'openai:m',
      attempts: 0,
      redis: 'http://x',
    }),
  ).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    message:
      '2 options of enqueueShards are not valid:\n' +
      '  redis: expected an address such as redis://127.0.0.1:6379; given: a string of 8 characters\n' +
      '  attempts: expected a whole number of 1 or more; given: 0',
  });
});
