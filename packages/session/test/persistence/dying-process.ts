import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Message } from '@palimpsest/core';
import { createStorage } from 'unstorage';
import filesystem from 'unstorage/drivers/fs';
import { makeSession, turn } from '../make-session.ts';

/** A session in a process that is killed during a write. */
const [base, write, moment] = process.argv.slice(2) as [string, string, 'before' | 'half' | 'after'];
const storage = createStorage({ driver: filesystem({ base }) });
let count = 0;
const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
const { session } = makeSession({
  store: {
    getItem: (key) => storage.getItem(key),
    async setItem(key, value) {
      const now = count++ === Number(write);
      if (now && moment === 'before') die();
      if (now && moment === 'half') {
        const file = join(base, key.replaceAll(':', '/'));
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, value.slice(0, value.length / 2));
        die();
      }
      await storage.setItem(key, value);
      if (now) die();
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
