import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyValueStore } from '@palimpsest/session';
import { afterAll, describe, expect, it } from 'vitest';
import { createPiExtension, type PiExtensionOptions } from '../src/index.ts';
import { type OwnRequest, PiHost } from './pi-host.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const fact = 'Port 4711 is taken.';
// Words cannot be pruned, so a page is worth a call.
const words = 'I read on and note down what I see. '.repeat(25);

async function started(options: PiExtensionOptions = {}): Promise<PiHost> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
  folders.push(folder);
  const engines = { compressor: { minimumThreshold: 0, threshold: 0.3 } };
  // In memory, so that no work in the background waits for a disk.
  const stored = new Map<string, string>();
  const store = keyValueStore({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
  });
  const engine = { engine: 'compressor', engines };
  const host = new PiHost(folder, createPiExtension({ engine, store, ...options }));
  await host.start();
  host.add({ role: 'user', content: 'Run the checks.' });
  return host;
}

/** Works until the extension asks for a page. @returns its request */
async function asked(host: PiHost): Promise<OwnRequest> {
  for (let round = 0; round < 40; round++) {
    await host.work(1, words);
    await settled();
    if (host.own.length > 0) return host.own[0]!;
  }
  throw new Error('No page was asked for.');
}

/** Lets the work in the background continue, which does not wait for time to pass. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function writePage({ body, answer }: OwnRequest, text = fact): void {
  const instruction = JSON.stringify(body.messages.at(-1));
  const headings = [...instruction.matchAll(/## ([^\\]+)\\n\(/g)].map(([, heading]) => heading);
  answer(headings.map((heading) => `## ${heading}\n${text}`).join('\n\n'));
}

describe('pages in pi', () => {
  it('are asked for behind the last request and its answer, and are in a later request', async () => {
    const host = await started();
    const page = await asked(host);
    const last = host.sent.at(-1)!.messages;
    const { body } = page;
    expect(JSON.stringify(body.messages.slice(0, last.length))).toBe(JSON.stringify(last));
    expect(body.messages.slice(last.length).map(({ role }) => role)).toEqual(['assistant', 'toolResult', 'user']);
    expect(JSON.stringify(body.tools)).toBe(JSON.stringify(host.tools));
    // The agent continues meanwhile.
    await host.work(2, words);
    expect(host.sent.at(-1)!.messages.length).toBe(last.length + 4);
    expect(host.own.length).toBe(1);
    writePage(page);
    await settled();
    const { messages } = await host.send();
    expect(JSON.stringify(messages)).toContain(fact);
    expect(messages.length).toBeLessThan(last.length);
  });

  it('leave the summary to rules if they fail', async () => {
    const host = await started();
    (await asked(host)).answer('', { stopReason: 'error', errorMessage: '500 It is overloaded.' });
    await settled();
    for (let round = 0; round < 30; round++) {
      await host.work(1, words);
      await settled();
      host.own.at(-1)!.answer('', { stopReason: 'error', errorMessage: '500 It is overloaded.' });
    }
    expect(host.sent.filter(({ fits }) => !fits)).toEqual([]);
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(host.messages.length / 2);
  });

  it('have their secrets masked', async () => {
    const host = await started();
    const token = `ghp_${'k8Zt2QwLm5Xr'.repeat(3)}`;
    writePage(await asked(host), `The token is ${token}.`);
    await settled();
    const { messages } = await host.send();
    expect(JSON.stringify(messages)).toContain('The token is');
    expect(JSON.stringify(messages)).not.toContain(token);
  });

  it('are not asked for where rules write', async () => {
    const host = await started({ summaries: 'rules' });
    await expect(asked(host)).rejects.toThrow('No page was asked for.');
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(host.messages.length / 2);
  });

  it('are not asked for while the rate limit of the provider leaves no room', async () => {
    const host = await started();
    host.headers = { 'anthropic-ratelimit-requests-remaining': '1' };
    await expect(asked(host)).rejects.toThrow('No page was asked for.');
  });

  it('are waited for by a person who compacts, and not by the agent', async () => {
    for (const reason of [undefined, 'manual'] as const) {
      const host = await started({
        engine: { engine: 'compressor', engines: { compressor: { minimumThreshold: 0 } } },
      });
      await host.work(8, words);
      host.answer([{ type: 'text', text: 'All is well.' }], { stopReason: 'stop' });
      const compacting = host.compact(undefined, reason);
      await settled();
      expect(host.own.length).toBe(reason ? 1 : 0);
      for (const own of host.own) writePage(own);
      expect((await compacting)!.compaction.summary.includes(fact)).toBe(reason !== undefined);
    }
  });
});
