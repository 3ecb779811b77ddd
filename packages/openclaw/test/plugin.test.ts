import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PiMessage } from '@palimpsest/formats';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { Conversation } from '../src/conversation.ts';
import plugin from '../src/index.ts';
import { endProcess, OpenclawHost, violations } from './openclaw-host.ts';

const folders: string[] = [];
afterEach(endProcess);
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** An agent that has worked on some requests, ten rounds on each. */
async function worked(
  turns: number,
  config?: Record<string, unknown>,
): Promise<{ readonly host: OpenclawHost; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-openclaw-'));
  folders.push(folder);
  const host = new OpenclawHost(folder, config);
  for (let turn = 1; turn <= turns; turn++) await host.turn(`Run part ${turn}.`, 10);
  return { host, folder };
}

/** What the model got before the last turn. */
const before = ({ sent }: OpenclawHost): string => JSON.stringify(sent.at(-1)!.messages.slice(0, -2));

describe('the plugin for OpenClaw', () => {
  it('keeps every request of a long conversation in the window, legal, and the same until the next compaction', async () => {
    const { host } = await worked(8);
    expect(host.sent.filter(({ fits }) => !fits)).toEqual([]);
    expect(host.sent.flatMap(violations)).toEqual([]);
    const cold = host.sent.filter(({ cachedTokens }, at) => at > 0 && cachedTokens < host.sent[at - 1]!.promptTokens);
    expect(cold.length).toBeGreaterThan(2);
    expect(cold.length).toBeLessThan(20);
    // What is sent is no longer the history, which is whole.
    expect(host.stored).toHaveLength(8 * 22);
    expect(host.sent.at(-1)!.messages.length).toBeLessThan(80);
  });

  it('makes room for a turn that grows', async () => {
    const { host } = await worked(1);
    await host.turn('Run part 2.', 22);
    const [first, last] = [host.sent[11]!, host.sent.at(-1)!];
    expect(JSON.stringify(first.messages).includes('line 9 of check_Runpart1_5:')).toBe(true);
    expect(JSON.stringify(last.messages).match(/line 9 of check_Runpart2_\d+/g)).toHaveLength(22);
    expect(last.fits).toBe(true);
    expect(JSON.stringify(last.messages).includes('line 9 of check_Runpart1_5:')).toBe(false);
  });

  it('answers recall and expand', async () => {
    const { host } = await worked(4);
    expect(host.tools.map(({ name }) => name)).toEqual(['recall', 'expand']);
    const found = await host.tools[0]!.execute('a', { query: 'check_Runpart1_3' });
    expect(found.content[0]!.text).toContain('of check_Runpart1_3: all is well');
  });

  it('answers recall in another process', async () => {
    const { host, folder } = await worked(4);
    endProcess();
    const next = new OpenclawHost(folder);
    next.stored.push(...structuredClone(host.stored));
    await next.turn('Go on.', 1);
    expect(before(next).includes('line 9 of check_Runpart1_3:')).toBe(false);
    const found = await next.tools[0]!.execute('a', { query: 'check_Runpart1_3' });
    expect(found.content[0]!.text).toContain('of check_Runpart1_3: all is well');
    const left = await next.tools[0]!.execute('b', { query: 'check_left' });
    expect(left.content[0]!.text).not.toContain('A branch that was left');
  });

  it('answers recall with a result that OpenClaw no longer passes', async () => {
    const { host } = await worked(8);
    for (const shown of ['Run part 9.', 'Run part 10.']) {
      await host.turn(shown, 12);
      const found = await host.tools[0]!.execute('a', { query: 'check_Runpart1_3' });
      expect(found.content[0]!.text).toContain('of check_Runpart1_3: all is well');
    }
  });

  it.each([0, 4])('answers recall with nothing from before a reset that keeps %i messages', async (kept) => {
    const { host, folder } = await worked(2);
    Object.assign(host, { resetAt: host.stored.length, kept });
    for (let turn = 3; turn <= 7; turn++) await host.turn(`Run part ${turn}.`, 10);
    endProcess();
    const next = new OpenclawHost(folder);
    next.stored.push(...structuredClone(host.stored));
    Object.assign(next, { resetAt: host.resetAt, kept });
    await next.turn('Go on.', 1);
    for (const { tools } of [host, next]) {
      const recalled = async (query: string) => (await tools[0]!.execute('a', { query })).content[0]!.text;
      expect(await recalled('check_Runpart3_3')).toContain('of check_Runpart3_3: all is well');
      expect(await recalled('check_Runpart1_3')).not.toContain('check_Runpart1_3: all is well');
    }
  });

  it('works with the newest messages when the store cannot be read, and says so', async () => {
    const { host } = await worked(4);
    host.isReadable = false;
    await host.turn('Go on.', 1);
    expect(host.sent.filter(({ fits }) => !fits)).toEqual([]);
    expect(host.warnings).toEqual([expect.stringContaining('the store is gone')]);
  });

  it('leaves out the tools if the configuration says so', () => {
    expect(new OpenclawHost(tmpdir(), { recall: false }).tools).toEqual([]);
  });

  it('continues with the same bytes in another process', async () => {
    const { host, folder } = await worked(4);
    await host.turn('Go on.', 0);
    endProcess();
    const next = new OpenclawHost(folder);
    next.stored.push(...structuredClone(host.stored.slice(0, -2)));
    await next.turn('Go on.', 0);
    expect(before(next)).toBe(before(host));
    expect(before(next).includes('[CONTEXT HANDOFF')).toBe(true);
  });

  it('compacts when OpenClaw asks for it, and says so', async () => {
    const { host } = await worked(2);
    expect(await host.compact('the first part')).toMatchObject({ ok: true, compacted: true });
    const known = host.sent.at(-1)!;
    await host.turn('Go on.', 0);
    const last = host.sent.at(-1)!;
    expect(last.promptTokens).toBeLessThan(known.promptTokens);
    expect(violations(last)).toEqual([]);
  });

  it("has OpenClaw's model write the summary that a person has asked for, and rules any other", async () => {
    const page = (prompt: string): string => {
      const headings = [...prompt.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading);
      return headings.map((heading) => `## ${heading}\nPort 4711 is taken.`).join('\n\n');
    };
    const fails = (): string => {
      throw new Error('It is overloaded.');
    };
    for (const [trigger, written, asked] of [
      ['manual', page, 1],
      ['manual', fails, 1],
      ['budget', page, 0],
    ] as const) {
      const { host } = await worked(2);
      const { promptTokens } = host.sent.at(-1)!;
      expect(await host.compact(undefined, trigger, written)).toMatchObject({ ok: true, compacted: true });
      expect(host.prompts.length).toBe(asked);
      await host.turn('Go on.', 0);
      expect(before(host).includes('Port 4711 is taken.')).toBe(asked === 1 && written === page);
      expect(host.sent.at(-1)!.promptTokens).toBeLessThan(promptTokens);
      endProcess();
    }
  });

  it('asks no model if the options say so', async () => {
    const { host } = await worked(2, { summaries: 'rules' });
    const page = () => '';
    expect(await host.compact(undefined, 'manual', page)).toMatchObject({ ok: true, compacted: true });
    expect(host.prompts).toEqual([]);
  });

  it('sends less after each refusal for size, also of a history that it has compacted', async () => {
    const { host } = await worked(6);
    for (let refusal = 0; refusal < 3; refusal++) {
      const refused = host.sent.at(-1)!;
      expect(await host.refuse()).toMatchObject({ ok: true, compacted: true });
      const next = host.sent.at(-1)!;
      expect(next.promptTokens).toBeLessThan(refused.promptTokens * 0.9);
      expect(violations(next)).toEqual([]);
    }
  });

  it('counts a request as answered when the answer is in a later one, and not when the request is repeated or compacted', async () => {
    const conversation = new Conversation({ sessionId: 's', recall: false, folder: null, summaries: 'rules' });
    const answered = vi.spyOn(conversation.session, 'afterResponse');
    const given = { model: 'small', room: 16_000, turnTokens: 0 };
    const history: PiMessage[] = [{ ...{ role: 'user', content: 'Hello.' } }];
    await conversation.prepare(history, given);
    await conversation.prepare(history, given);
    await conversation.compact(undefined, undefined, undefined);
    expect(answered).toHaveBeenCalledTimes(0);
    await conversation.prepare(history, { ...given, turnTokens: 10 });
    expect(answered).toHaveBeenCalledTimes(1);
    await conversation.prepare(history, { ...given, turnTokens: 10 });
    expect(answered).toHaveBeenCalledTimes(1);
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] };
    await conversation.prepare([...history, answer as PiMessage], given);
    expect(answered).toHaveBeenCalledTimes(2);
    const llm = { complete: () => Promise.reject(new Error('It is overloaded.')) };
    await conversation.compact(undefined, undefined, llm);
    expect(answered).toHaveBeenCalledTimes(2);
  });

  it('undoes a compaction by a command', async () => {
    const { host } = await worked(2);
    expect(await host.undo()).toBe('There is no compaction to undo.');
    await host.compact();
    await host.turn('Go on.', 0);
    expect(host.sent.at(-1)!.messages).not.toEqual(host.stored.slice(0, -1));
    expect(await host.undo()).toBe('Compaction 1 is undone.');
    await host.turn('Go on.', 0);
    expect(host.sent.at(-1)!.messages).toEqual(host.stored.slice(0, -1));
  });

  it('has nothing to compact before the first request', async () => {
    expect(await new OpenclawHost(tmpdir()).compact()).toMatchObject({ ok: true, compacted: false });
  });

  it('accepts each turn once', async () => {
    const { host } = await worked(2);
    expect(host.commits).toEqual(['committed', 'duplicate', 'committed', 'duplicate']);
  });

  it('is described by its manifest', () => {
    const manifest = JSON.parse(readFileSync(new URL('../openclaw.plugin.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ id: plugin.id, name: plugin.name, kind: plugin.kind });
    expect(manifest.contracts.tools).toEqual(['recall', 'expand']);
  });
});
