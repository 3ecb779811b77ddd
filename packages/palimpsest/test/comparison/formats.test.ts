import { readFileSync } from 'node:fs';
import { aiSdk, anthropic, type Codec, openaiResponses, pi, shareGpt } from '@palimpsest/formats';
import { describe, expect, it } from 'vitest';
import { claudeCodeLog, codexLog } from './logs.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const messages = session(60);

type AnyCodec = Codec<object>;
const codecs = [anthropic, openaiResponses, aiSdk, pi, shareGpt] as unknown as readonly AnyCodec[];
const field = (native: object): unknown[] =>
  ['messages', 'input', 'conversations'].flatMap((name) => (native as Record<string, unknown[]>)[name] ?? []);

interface Row {
  readonly outcome: string;
  readonly wireViolations: number;
  readonly taskKept: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

async function rowsOf(file: string): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await runHere(['compare', file, '--json'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { samples: { engines: Row[] }[] }).samples.flatMap(({ engines }) => engines);
}

const isGood = { outcome: 'compacted', wireViolations: 0, taskKept: true };

describe.each(codecs.map((codec) => [codec.name, codec] as const))('a conversation of %s', (name, codec) => {
  const native = codec.fromMessages(messages);

  it('runs in both engines, as a request and as an array of messages', async () => {
    folder.write(`${name}.json`, { id: 'mine', ...native });
    folder.write(`${name}-bare.json`, field(native));
    // A list of turns with "from" and "value" and nothing around it is no ShareGPT row.
    const files = name === 'shareGpt' ? [`${name}.json`] : [`${name}.json`, `${name}-bare.json`];
    for (const file of files) {
      const rows = await rowsOf(file);
      expect(rows).toHaveLength(2);
      for (const row of rows) expect(row).toMatchObject(isGood);
    }
  });

  it('is compacted in its own format', async () => {
    folder.write(`${name}.jsonl`, `${JSON.stringify({ id: 'mine', ...native, model: 'a-model' })}\n`);
    const { code, stdout, stderr } = await runHere(['compact', `${name}.jsonl`, '--engine', 'prune-compact'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^mine: .* tokens/) });
    const output = JSON.parse(stdout) as object;
    expect(output).toMatchObject({ id: 'mine', model: 'a-model' });
    expect(codec.validate(output).filter(({ rule }) => rule !== 'roles-not-alternating')).toEqual([]);
    expect(stdout.length).toBeLessThan(JSON.stringify(native).length * 0.7);
    expect(JSON.stringify(field(output).at(-1))).toBe(JSON.stringify(field(native).at(-1)));
  });
});

describe('one message per line', () => {
  it('is read in any dialect and written in the same one', async () => {
    const native = anthropic.fromMessages(messages.slice(1)).messages;
    folder.write('lines.jsonl', native.map((message) => JSON.stringify(message)).join('\n'));
    const { code, stdout } = await runHere(['compact', 'lines.jsonl', '--out', 'out.jsonl'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const output = readFileSync(`${cwd}/out.jsonl`, 'utf8').trimEnd().split('\n');
    expect(anthropic.validate({ messages: output.map((line) => JSON.parse(line)) })).toEqual([]);
    expect(output.length).toBeLessThan(native.length);
  });
});

describe('the session of a coding agent', () => {
  it.each([
    ['Claude Code', claudeCodeLog(messages, 'session-1'), 'session-1', 121],
    ['Codex', codexLog(messages, 'thread-1'), 'thread-1', 124],
  ])('%s is read under its own name', async (name, log, id, count) => {
    const file = `${name.replace(' ', '-')}.jsonl`;
    folder.write(file, log);
    const { code, stdout } = await runHere(['inspect', file, '--json'], { cwd });
    expect(code).toBe(0);
    const [found] = (JSON.parse(stdout) as { transcripts: { id: string; messages: number; violations: unknown[] }[] })
      .transcripts;
    expect(found).toMatchObject({ id, violations: [] });
    expect(Math.abs(found!.messages - count)).toBeLessThan(3);
    for (const row of await rowsOf(file)) expect(row).toMatchObject(isGood);
  });

  it('is written as a request of its provider', async () => {
    folder.write('claude.jsonl', claudeCodeLog(messages, 'session-1'));
    folder.write('codex.jsonl', codexLog(messages, 'thread-1'));
    const claude = await runHere(['compact', 'claude.jsonl'], { cwd });
    expect(anthropic.validate(JSON.parse(claude.stdout))).toEqual([]);
    const codex = await runHere(['compact', 'codex.jsonl'], { cwd });
    expect(openaiResponses.validate(JSON.parse(codex.stdout))).toEqual([]);
    expect(JSON.parse(codex.stdout)).toMatchObject({ instructions: 'Be careful.' });
  });

  it('is read while it is being written', async () => {
    folder.write('running.jsonl', claudeCodeLog(messages, 'session-1').slice(0, -30));
    const { code, stderr } = await runHere(['inspect', 'running.jsonl'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
