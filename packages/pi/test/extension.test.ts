import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PiMessage } from '@palimpsest/formats';
import { afterAll, describe, expect, it } from 'vitest';
import { createPiExtension } from '../src/index.ts';
import { PiHost, violations } from './pi-host.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An agent that has worked for some rounds on one request. */
async function worked(rounds: number): Promise<{ readonly host: PiHost; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
  folders.push(folder);
  const host = await new PiHost(folder, createPiExtension({ summaries: 'rules' })).start();
  host.add({ role: 'user', content: 'Run the checks.' });
  await host.work(rounds);
  return { host, folder };
}

const summary = { role: 'compactionSummary', summary: 'pi has compacted.', tokensBefore: 9_000, timestamp: 1 };

describe('the extension for pi', () => {
  it('keeps every request of a long task in the window, legal, and the same until the next compaction', async () => {
    const { host } = await worked(60);
    expect(host.sent.filter(({ fits }) => !fits)).toEqual([]);
    expect(host.sent.flatMap(violations)).toEqual([]);
    const cold = host.sent.filter(({ cachedTokens }, at) => at > 0 && cachedTokens < host.sent[at - 1]!.promptTokens);
    expect(cold.length).toBeGreaterThan(1);
    expect(cold.length).toBeLessThan(20);
    // What is sent is no longer the history, which is whole.
    expect(host.messages).toHaveLength(121);
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(60);
  });

  it('answers recall and expand', async () => {
    const { host } = await worked(40);
    expect(host.tools.map(({ name }) => name)).toEqual(['recall', 'expand']);
    const found = await host.tools[0]!.execute('a', { query: 'check_3' }, undefined);
    expect(found.content[0]!.text).toContain('of check_3: all is well');
  });

  it('sends the same messages after pi itself has compacted', async () => {
    const { host } = await worked(40);
    const { messages } = await host.send();
    host.entries.push({ type: 'compaction', id: 'compaction', firstKeptEntryId: 'entry_61' } as never);
    const kept = host.messages.slice(61);
    const again = await host.send([summary as PiMessage, ...kept]);
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(messages));
  });

  it('writes the summary when pi compacts, up to the first message that is kept', async () => {
    const { host } = await worked(40);
    host.answer([{ type: 'text', text: 'All is well.' }], { stopReason: 'stop' });
    const { compaction } = (await host.compact('the third check'))!;
    expect(compaction).toMatchObject({ tokensBefore: 9_000, summary: expect.stringContaining('Run the checks.') });
    const first = host.entries.findIndex(({ id }) => id === compaction.firstKeptEntryId);
    // Not a result without its call.
    expect(host.messages[first]!.role).not.toBe('toolResult');
    const { messages } = await host.send();
    expect(messages.slice(-5)).toEqual(host.messages.slice(-5));
  });

  it('leaves a compaction to pi when there is nothing to summarize', async () => {
    const { host } = await worked(1);
    expect(await host.compact()).toBeUndefined();
  });

  it('undoes a compaction by a command', async () => {
    const { host } = await worked(12);
    await host.command('undo-compaction');
    host.answer([{ type: 'text', text: 'All is well.' }], { stopReason: 'stop' });
    await host.compact();
    const compacted = await host.send();
    await host.command('undo-compaction');
    const { messages } = await host.send();
    expect(host.notified).toEqual(['There is no compaction to undo.', 'Compaction 1 is undone.']);
    expect(JSON.stringify(compacted.messages).length).toBeLessThan(JSON.stringify(host.messages).length);
    expect(messages).toEqual(host.messages);
  });

  it('continues with the same bytes in another process', async () => {
    const { host, folder } = await worked(40);
    const { messages } = await host.send();
    await host.end();
    const stored = JSON.parse(JSON.stringify(host.entries)) as typeof host.entries;
    const next = await new PiHost(folder, createPiExtension({ summaries: 'rules' }), stored).start();
    expect(JSON.stringify((await next.send()).messages)).toBe(JSON.stringify(messages));
  });

  it('names its own function in an error about its options', () => {
    expect(() => createPiExtension({ keepCheckpoints: 0 })).toThrow(
      /^One option of createPiExtension is not valid:\n {2}keepCheckpoints: /,
    );
  });

  it('sends less after a refusal for size', async () => {
    const { host } = await worked(12);
    const before = await host.send();
    const errorMessage = '400 prompt is too long: 16500 tokens > 16000 maximum';
    host.answer([], { stopReason: 'error', errorMessage });
    const after = await host.send();
    expect(after.promptTokens).toBeLessThan(before.promptTokens);
    expect(violations(after)).toEqual([]);
  });
});
