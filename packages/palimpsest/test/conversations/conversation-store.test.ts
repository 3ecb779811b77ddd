import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversationStore } from '../../src/conversations/conversation-store.ts';

const now = Date.UTC(2026, 5, 1);
const day = 86_400_000;
const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-state-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file that was last changed some days ago. */
function leave(name: string, text: string, days: number): void {
  writeFileSync(join(folder, name), text);
  const seconds = (now - days * day) / 1_000;
  utimesSync(join(folder, name), seconds, seconds);
}

describe('a folder with conversations', () => {
  it('is read without what is damaged, cannot be read, or is not a conversation', async () => {
    const stored = { id: ids[0], scope: 'openai', key: 'k', chain: ['a'], lastUsed: now };
    const { read, write } = conversationStore(folder, () => now);
    await write(stored);
    leave(`palimpsest.session.conversation-${ids[0]}.1.tmp`, JSON.stringify(stored), 0);
    leave('palimpsest.session.conversation-00000000-0000-4000-8000-000000000003', '{"id":', 0);
    mkdirSync(join(folder, 'palimpsest.session.conversation-00000000-0000-4000-8000-000000000004'));
    expect(await read()).toEqual([stored]);
  });

  it.skipIf(process.platform === 'win32')('is read although it has a pipe in it', async () => {
    const { read, sessions } = conversationStore(folder, () => now);
    const [conversation, session] = ['conversation-', ''].map((kind) =>
      join(folder, `palimpsest.session.${kind}00000000-0000-4000-8000-000000000005`),
    );
    for (const pipe of [conversation!, session!]) execFileSync('mkfifo', [pipe]);
    expect((await read()).map(({ id }) => id)).toEqual([ids[0]]);
    await expect(sessions.load('00000000-0000-4000-8000-000000000005')).rejects.toThrow(
      'is not a regular file; remove it',
    );
    for (const pipe of [conversation!, session!]) rmSync(pipe);
  });

  it('loses the files of unused conversations, and no others', async () => {
    for (const name of [`palimpsest.session.conversation-${ids[1]}`, `palimpsest.session.${ids[1]}`])
      leave(name, '{}', 31);
    leave('palimpsest.session.conversation-', '{}', 31);
    leave('notes.md', 'Keep this.', 31);
    const before = readdirSync(folder);
    await conversationStore(folder, () => now).read();
    expect(before.filter((name) => !readdirSync(folder).includes(name)).sort()).toEqual([
      `palimpsest.session.${ids[1]}`,
      `palimpsest.session.conversation-${ids[1]}`,
    ]);
  });
});
