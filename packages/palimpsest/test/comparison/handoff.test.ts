import { chmodSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeLog, codexLog } from './logs.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const home = join(folder.path, 'home');
for (const name of ['home/.claude/projects/-work', 'home/.codex/sessions', 'bin'])
  mkdirSync(join(folder.path, name), { recursive: true });
const task = 'Move the config files to TOML. Never touch the lock file.';
// Assembled at run time, because scanners reject text that looks like a key.
const secret = ['ghp', 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8cF0iL5kQx'].join('_');
const long = [{ role: 'user', content: `${task} The key is ${secret}` } as const, ...session(200).slice(1)];
folder.write('home/.claude/projects/-work/first.jsonl', claudeCodeLog(long, 'first'));
folder.write('home/.codex/sessions/rollout-second.jsonl', codexLog(session(2), 'second'));
utimesSync(join(home, '.codex/sessions/rollout-second.jsonl'), 1_700_000_000, 1_700_000_000);
const run = (...flags: string[]) => runHere(['handoff', ...flags], { cwd: folder.path, home });

describe('handoff', () => {
  it('writes the newest session as a page: the task, what was done, and the last messages, masked', async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^# Handoff of first\n/);
    expect(stdout).toContain(task);
    expect(stdout).toContain('## Active Task');
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toMatch(/CONTEXT HANDOFF/);
    const short = await run('--budget', '4k');
    expect(short.stdout.length).toBeLessThan(stdout.length);
    expect(short.stdout).toContain(task);
  });

  it('writes a session by the name of its agent, a part of its name, or its file', async () => {
    for (const flags of [['--codex'], ['rollout-second'], ['home/.codex/sessions/rollout-second.jsonl']])
      expect((await run(...flags)).stdout).toMatch(/^# Handoff of second\n[\s\S]*## User\n/);
    await run('--codex', '--out', 'page.md');
    expect(readFileSync(join(folder.path, 'page.md'), 'utf8')).toBe((await run('--codex')).stdout);
  });

  it('starts another agent with the page as its first prompt', async () => {
    folder.write(
      'bin/opencode',
      '#!/usr/bin/env node\nrequire("node:fs").writeFileSync("given.json", JSON.stringify(process.argv.slice(2)));process.exit(7);\n',
    );
    chmodSync(join(folder.path, 'bin/opencode'), 0o755);
    const env = { ...process.env, PATH: `${join(folder.path, 'bin')}:${process.env.PATH}` };
    const started = await runHere(['handoff', '--codex', '--to', 'opencode'], { cwd: folder.path, home, env });
    expect(started).toMatchObject({ code: 7, stdout: '', stderr: 'palimpsest: opencode continues second\n' });
    const given = JSON.parse(readFileSync(join(folder.path, 'given.json'), 'utf8')) as unknown;
    expect(given).toEqual(['--prompt', (await run('--codex')).stdout]);
  });

  it.each([
    ['a missing file', ['gone.jsonl'], /there is no file "gone\.jsonl"/],
    ['an unknown name', ['nobody'], /"nobody" is neither a file nor a part of the name/],
    ['a missing agent', ['--codex', '--to', 'pi'], /pi could not be started: there is no such program/],
  ])('says what is wrong with %s', async (_, flags, message) => {
    const env = { ...process.env, PATH: join(folder.path, 'none') };
    const { code, stderr, stdout } = await runHere(['handoff', ...flags], { cwd: folder.path, home, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
