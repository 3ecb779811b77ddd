import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { searchable } from '../../src/live-sessions/searchable.ts';
import { recallServer } from '../../src/mcp/recall-server.ts';

/** Random text, the same in every run. */
function drawn(length: number, seed: number): string {
  let state = seed;
  const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648);
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () => signs[Math.floor((next() / 2147483648) * signs.length)]).join('');
}

const token = `ghp_${drawn(36, 7)}`;
const keyLines = Array.from({ length: 60 }, (_, at) => drawn(64, at + 1));
const mark = (word: string): string => `-----${word} ${'RSA PRIVATE'} KEY-----`;
const key = [mark('BEGIN'), ...keyLines, mark('END')].join('\n');

function reading(path: string, text: string): Message[] {
  const call = { id: path, type: 'function' as const, function: { name: 'read', arguments: JSON.stringify({ path }) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: path, content: text },
  ];
}

const history: readonly Message[] = [
  { role: 'user', content: 'Where is it?' },
  ...reading('server.key', `needle one\n${key}\nend`),
  // A row has 500 characters at most, so it ends inside the token.
  ...reading('long.txt', `needle two\n${'ab cd '.repeat(80)}${token} end`),
];

async function connected(): Promise<(name: string, input: object) => Promise<string>> {
  const client = new Client({ name: 'test', version: '1' });
  const library = {
    list: async () => ['one'],
    open: () => searchable({ name: 'one', messages: async () => history }),
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await recallServer(library, '1').connect(theirs);
  await client.connect(ours);
  return async (name, input) => {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return (content as { text: string }[])[0]!.text;
  };
}

describe('palimpsest mcp', () => {
  it('shows no part of a secret, however it is cut into pages', async () => {
    const call = await connected();
    const found = await call('recall', { query: 'needle', limit: 10 });
    const refs = [...found.matchAll(/\bref ([0-9a-f]{8})\b/g)].map(([, ref]) => ref!);
    expect(refs).toHaveLength(2);
    const shown = [found];
    for (const ref of refs)
      for (let line = 1; line <= 64; line++) shown.push(await call('expand', { ref, lines: `${line}-${line}` }));
    const read = shown.join('\n');
    for (const line of keyLines) expect(read).not.toContain(line.slice(8, 24));
    for (let at = 4; at < token.length - 12; at++) expect(read).not.toContain(token.slice(at, at + 8));
    expect(read).toContain('needle two');
    expect(read).toContain('| end');
  });

  it('does not find a secret by a part of it', async () => {
    const call = await connected();
    expect(await call('recall', { query: keyLines[30]! })).toContain('Nothing that is hidden matches');
  });
});
