import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PeerProcess, startPeer } from '../src/peers/peer-process.ts';

const past: Message[] = [
  { role: 'user', content: 'Which port does the gateway listen on?' },
  { role: 'assistant', content: 'It listens on 8443.' },
  { role: 'user', content: 'Change it to 9443.' },
];
const counter = createTokenCounter();
const running: PeerProcess[] = [];
let folder = '';

async function start(program: string): Promise<PeerProcess> {
  const path = join(folder, `${running.length}.mjs`);
  await writeFile(path, program);
  const peer = startPeer(path);
  running.push(peer);
  return peer;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-peer-'));
  await copyFile(fileURLToPath(new URL('../peers/serve.mjs', import.meta.url)), join(folder, 'serve.mjs'));
});
afterAll(async () => {
  for (const peer of running) peer.stop();
  await rm(folder, { recursive: true });
});

test('messages that a peer keeps stay the same objects, changed ones are new, and it receives budget and token counts', async () => {
  const peer = await start(`
    import { serve } from './serve.mjs';
    console.log('advice on standard output');
    serve((messages, budgetTokens, tokens) => [{ ...messages[0], content: budgetTokens + ':' + tokens.length }, 2]);
  `);
  const kept = await peer.keep(past, 40, counter);
  expect(kept).toEqual([{ role: 'user', content: '40:3' }, past[2]]);
  expect(kept[1]).toBe(past[2]);
  expect(await peer.keep(past, 41, counter)).toHaveLength(2);
});

test('a peer is asked for what it hid', async () => {
  const peer = await start(`
    import { serve } from './serve.mjs';
    let hidden = [];
    serve((messages) => { hidden = messages; return []; }, (names) => names.map((name) => hidden[Number(name)].content));
  `);
  await peer.keep(past, 40, counter);
  expect(await peer.search(['1', '0'])).toEqual([past[1]!.content, past[0]!.content]);
});

test('a peer that throws reports why and can be called again', async () => {
  const peer = await start(`
    import { serve } from './serve.mjs';
    serve((messages, budgetTokens) => {
      if (budgetTokens < 10) throw new RangeError('too small');
      return [0];
    });
  `);
  await expect(peer.keep(past, 5, counter)).rejects.toThrow('RangeError: too small');
  expect(await peer.keep(past, 10, counter)).toEqual([past[0]]);
});

test('a peer whose program cannot start, or exits, reports that error on every call', async () => {
  const missing = await start(`import 'a-package-that-is-not-there';`);
  await expect(missing.keep(past, 40, counter)).rejects.toThrow(/ended with 1: Error.*a-package-that-is-not-there/);
  await expect(missing.keep(past, 40, counter)).rejects.toThrow(/ended with 1/);
  const leaving = await start(`process.on('message', () => process.exit(3));`);
  await expect(leaving.keep(past, 40, counter)).rejects.toThrow('its process ended with 3');
});
