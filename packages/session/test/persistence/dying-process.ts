import { open } from 'node:fs/promises';
import type { Message } from '@palimpsest/core';
import { fileStore } from '../../src/file-store.ts';
import { makeSession, turn } from '../make-session.ts';

/** A session in a process that is killed during a write. */
const [base, write, moment] = process.argv.slice(2) as [string, string, 'before' | 'half' | 'after'];
const files = fileStore(base);
let count = 0;
const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
/** Writes half of a file, where `fileStore` writes the whole one. */
async function writeHalf(text: string): Promise<void> {
  const file = await open(`${base}/palimpsest.session.session-under-test.half.tmp`, 'wx');
  await file.writeFile(text.slice(0, text.length / 2));
  await file.sync();
}
const { session } = makeSession({
  store: {
    ...files,
    async save(id, text, before) {
      const now = count++ === Number(write);
      if (now && moment === 'before') die();
      if (now && moment === 'half') {
        await writeHalf(text);
        die();
      }
      const version = await files.save(id, text, before);
      if (now) die();
      return version;
    },
  },
});
const history: Message[] = [];
for (let index = 0; index < 60; index++) {
  history.push(...turn(index));
  const made = await session.beforeRequest(history);
  session.afterResponse({ prompt_tokens: made.info.tokens, completion_tokens: 20 }, made);
  await session.snapshot();
}
