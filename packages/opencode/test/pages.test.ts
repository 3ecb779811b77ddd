import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OpencodePluginOptions } from '../src/index.ts';
import { type AskedSession, OpencodeHost } from './opencode-host.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const fact = 'Port 4711 is taken.';
// Words cannot be pruned, so a page is worth a call.
const words = 'I read on and note down what I see. '.repeat(25);

async function started(options: OpencodePluginOptions = {}): Promise<OpencodeHost> {
  const state = mkdtempSync(join(tmpdir(), 'palimpsest-opencode-'));
  folders.push(state);
  const engines = { compressor: { minimumThreshold: 0, threshold: 0.3 } };
  const host = await new OpencodeHost().start(state, { engine: { engine: 'compressor', engines }, ...options });
  host.ask('Run the checks.');
  return host;
}

/** Works until the plugin asks for a page. @returns the session in which it asks */
async function asked(host: OpencodeHost): Promise<AskedSession> {
  for (let round = 0; round < 40; round++) {
    await host.work(1, words);
    await settled();
    if (host.children.length > 0) return host.children[0]!;
  }
  throw new Error('No page was asked for.');
}

/** Lets the work in the background go on, which does not wait for time to pass. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function writePage({ prompt, answer }: AskedSession, text = fact): void {
  const headings = [...prompt.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading);
  answer(headings.map((heading) => `## ${heading}\n${text}`).join('\n\n'));
}

describe('pages in opencode', () => {
  it('are asked for in a session of their own, which is deleted, and are in a later request', async () => {
    const host = await started();
    const page = await asked(host);
    expect(page.parentID).toBe('ses_1');
    // The plugin leaves the request of this session as it is.
    expect(page.messages.map(({ parts }) => parts)).toEqual([[{ type: 'text', text: page.prompt }]]);
    const before = host.sent.at(-1)!.messages.length;
    // The agent goes on meanwhile.
    await host.work(2, words);
    expect(host.sent.at(-1)!.messages.length).toBe(before + 2);
    expect(host.children.length).toBe(1);
    writePage(page);
    await settled();
    expect(host.children).toEqual([]);
    expect(host.deleted).toEqual([page.id]);
    const { messages } = await host.send();
    expect(JSON.stringify(messages)).toContain(fact);
    expect(messages.length).toBeLessThan(before);
    expect(host.errors).toEqual([]);
  });

  it('leave the summary to rules if they fail', async () => {
    const host = await started();
    for (let round = 0; round < 35; round++) {
      await host.work(1, words);
      await settled();
      host.children[0]?.answer('', { error: { name: 'APIError' } });
      await settled();
    }
    expect(host.deleted.length).toBeGreaterThan(0);
    expect(host.sent.filter(({ fits }) => !fits)).toEqual([]);
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(host.stored.length / 2);
  });

  it('end with opencode, and leave no session behind', async () => {
    const host = await started();
    await asked(host);
    await host.hooks.dispose();
    expect(host.children).toEqual([]);
  });

  it('remove what an earlier process has left behind', async () => {
    const host = await started();
    const left = { parentID: 'ses_1', prompt: '', messages: [], answer: () => {} };
    host.children.push(
      { ...left, id: 'ses_old', title: 'Palimpsest writes a summary', time: { created: 1 } },
      { ...left, id: 'ses_other', title: 'A task', time: { created: 1 } },
    );
    await host.work(1);
    await settled();
    expect(host.deleted).toEqual(['ses_old']);
  });

  it('are not waited for after opencode itself has compacted', async () => {
    const host = await started();
    writePage(await asked(host));
    await settled();
    await host.work(2, words);
    const refused = host.sent.at(-1)!;
    // The provider has refused the request, and opencode keeps the newest messages, whole.
    await host.hooks['experimental.session.compacting']({ sessionID: 'ses_1' });
    const head = structuredClone(host.stored.slice(0, 1));
    await host.hooks['experimental.chat.messages.transform']({}, { messages: head });
    host.stored.splice(0, 1);
    host.ask('What did we do so far?');
    const { promptTokens, fits } = await host.send();
    expect(fits).toBe(true);
    expect(promptTokens).toBeLessThan(refused.promptTokens);
  });

  it('are not asked for where rules write', async () => {
    const host = await started({ summaries: 'rules' });
    await expect(asked(host)).rejects.toThrow('No page was asked for.');
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(host.stored.length / 2);
  });
});
