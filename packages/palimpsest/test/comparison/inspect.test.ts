import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/inspection/inspection.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
folder.write('session.json', session(20));

const inspect = async (messages: readonly Message[]): Promise<Inspection> => {
  const { stdout } = await runHere(['inspect', '-', '--json'], { cwd, stdin: JSON.stringify(messages) });
  return JSON.parse(stdout).transcripts[0];
};
const call = (id: string, tool: string, input: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: tool, arguments: input } }],
});
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content });

describe('inspect', () => {
  it('shows where the tokens are', async () => {
    const { code, stdout, stderr } = await runHere(['inspect', 'session.json', '--top', '3'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^session {2}[\d,]+ tokens in 43 messages$/m);
    expect(stdout).toMatch(/^ {2}tool +20 +[\d,]+ +\d\d\.\d %$/m);
    expect(stdout).toMatch(/^ {2}read_file +20 /m);
    expect(stdout.match(/^ +\d+ {2}tool read_file +[\d,]+ {2}\d+: export/gm)).toHaveLength(3);
    expect(stdout).toMatch(
      /13 tool results \([\d,]+ tokens, \d\d\.\d %\) answer calls that the agent made again later/,
    );
    expect(stdout).toContain('current task: message 2, 41 messages after it');
  });

  it('fits a narrow terminal, as help does', async () => {
    for (const arguments_ of [
      ['inspect', 'session.json'],
      ['savings', '--help'],
    ]) {
      const { stdout } = await runHere(arguments_, { cwd, columns: 60 });
      // Examples are commands to copy.
      const lines = stdout.split('\n').filter((line) => !line.startsWith('  palimpsest '));
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
    }
  });

  it('counts one stale result and one more violation in the singular', async () => {
    const lonely = ['a', 'b', 'c', 'd'].map((id) => result(id, 'A result without its call.'));
    const stdin = JSON.stringify([...session(8), ...lonely]);
    const { stdout } = await runHere(['inspect', '-'], { cwd, stdin });
    expect(stdout).toMatch(/stale: 1 tool result \([^)]+\) answers a call that the agent made again later$/m);
    expect(stdout).toMatch(/^ {2}and 1 more violation$/m);
  });

  it('writes a page with what became of each message, and where each line of the handoff comes from', async () => {
    const args = ['inspect', 'session.json', '--html', 'report.html', '--window', '4k'];
    expect(await runHere(args, { cwd })).toEqual({
      code: 0,
      stderr: `palimpsest: wrote ${join(cwd, 'report.html')}\n`,
      stdout: expect.any(String),
    });
    const page = readFileSync(join(cwd, 'report.html'), 'utf8');
    expect(page).toMatch(/43 messages, compacted \d+ times by compressor/);
    expect(page.match(/<pre id="i1-\d+">/g)).toHaveLength(43);
    expect(page).toContain('summarized');
    // A line of the handoff points at the message it comes from, and the message at its lines.
    const [, index] = /<span class="soft">\u2190 <a href="#i1-(\d+)">/.exec(page)!;
    expect(page.slice(page.indexOf(`<pre id="i1-${index}">`))).toMatch(/^.*<h4>in the handoff of compressor<\/h4>/);
    expect(page).not.toMatch(/<script|https?:\/\//);
  });

  it('accounts for every token by role', async () => {
    const found = await inspect(session(20));
    const byRole = found.byRole.reduce((sum, share) => sum + share.tokens, found.overheadTokens);
    expect(Math.abs(byRole - found.tokens)).toBeLessThan(5);
    expect(found.byRole.reduce((sum, share) => sum + share.messages, 0)).toBe(43);
  });

  it('distinguishes a repeated text from a repeated call', async () => {
    const text = 'the same text over and over, long enough to matter; '.repeat(10);
    const found = await inspect([
      { role: 'user', content: 'Go.' },
      call('a', 'read_file', '{"path":"a"}'),
      result('a', text),
      call('b', 'run', '{"command":"test"}'),
      result('b', `${text} and it fails`),
      call('c', 'read_file', '{"path":"b"}'),
      result('c', text),
      call('d', 'run', '{"command":"test"}'),
      result('d', `${text} and it passes`),
      call('e', 'run', '{"command":"tests"}'),
      result('e', 'ok'),
      call('f', 'run', '{"command":"tests"}'),
      result('f', 'ok'),
    ]);
    expect(found.stale.map(({ kind, results }) => [kind, results])).toEqual([
      ['duplicate', 1],
      ['repeated', 1],
    ]);
  });

  it('finds each call’s result when ids repeat', async () => {
    const found = await inspect([
      { role: 'user', content: 'Go.' },
      call('a', 'small', '{}'),
      result('a', 'x'),
      call('a', 'large', '{}'),
      result('a', 'a much longer result '.repeat(50)),
    ]);
    expect(found.byTool.map(({ tool, calls }) => [tool, calls])).toEqual([
      ['large', 1],
      ['small', 1],
    ]);
    expect(found.byTool[0]!.resultTokens).toBeGreaterThan(found.byTool[1]!.resultTokens * 10);
  });

  it('lists what a provider would reject', async () => {
    const found = await inspect([
      { role: 'user', content: 'Go.' },
      result('lost', 'x'),
      { role: 'assistant', content: 'y' },
    ]);
    expect(found.violations).toEqual([{ index: 1, rule: 'result-orphan', reason: expect.any(String) }]);
  });

  it('prints no control character that a transcript holds', async () => {
    const stdin = JSON.stringify([
      { role: 'user', content: '\u001b]0;owned\u0007\u001b[2J\u202eback' },
      call('a', '\u001b[31mred', '{}'),
      result('a', '\u009b1mbold'),
    ]);
    const { stdout } = await runHere(['inspect', '-'], { cwd, stdin });
    expect(stdout).toContain('owned');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});
