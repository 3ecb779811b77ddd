import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCodeLog, codexLog } from './logs.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const home = join(folder.path, 'home');
const messages = session(3);

/** @param age in days; the order in which the files are written is another */
function leave(path: string, log: string, age: number): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  folder.write(join('home', path), log);
  const changed = Date.UTC(2026, 0, 31) / 1000 - age * 86_400;
  utimesSync(file, changed, changed);
}

leave('.claude/projects/-home-ada-range/old.jsonl', claudeCodeLog(messages, 'claude-old'), 9);
leave('.claude/projects/-home-ada-range/new.jsonl', claudeCodeLog(messages, 'claude-new'), 1);
leave('.claude/projects/-home-ada-other/middle.jsonl', claudeCodeLog(messages, 'claude-middle'), 5);
leave('.claude/projects/-home-ada-other/agent-a1b2.jsonl', claudeCodeLog(messages, 'sub-agent'), 0);
leave('.claude/projects/-home-ada-other/middle/subagents/agent-c3.jsonl', claudeCodeLog(messages, 'sub-agent'), 0);
leave('.claude/history.jsonl', '{"display":"fix it"}\n', 0);
leave('.config/claude/projects/-work/moved.jsonl', claudeCodeLog(messages, 'claude-moved'), 3);
leave('.codex/sessions/2026/01/30/rollout-2026-01-30T10-00-00-a.jsonl', codexLog(messages, 'codex-new'), 2);
leave(
  '.codex/sessions/rollout-2025-05-02-b.json',
  '{"session":{"id":"codex-first"},"items":[{"role":"user","content":"Go."}]}',
  40,
);
leave('.codex/archived_sessions/rollout-2026-01-02T10-00-00-c.jsonl', codexLog(messages, 'codex-archived'), 8);
leave('.codex/history.jsonl', '{"session_id":"x","ts":1,"text":"fix it"}\n', 0);

async function ids(arguments_: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runHere(['inspect', '--json', ...arguments_], { cwd: folder.path, home, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { transcripts: { id: string }[] }).transcripts.map(({ id }) => id);
}

describe('sessions of the home folder', () => {
  it('are found in Claude Code’s folders, newest first, without those of sub-agents', async () => {
    expect(await ids(['--claude-code'])).toEqual(['claude-new', 'claude-moved', 'claude-middle', 'claude-old']);
  });

  it('are found in Codex’s folders, of current and early versions', async () => {
    expect(await ids(['--codex'])).toEqual(['codex-new', 'codex-archived', 'codex-first']);
  });

  it('are counted together, after the named files', async () => {
    folder.write('mine.json', { id: 'mine', messages });
    expect(await ids(['mine.json', '--codex', '--claude-code', '--newest', '3'])).toEqual([
      'mine',
      'claude-new',
      'codex-new',
      'claude-moved',
    ]);
  });

  it('are found in the folders set by environment variables', async () => {
    expect(await ids(['--claude-code'], { CLAUDE_CONFIG_DIR: join(home, '.config/claude') })).toEqual(['claude-moved']);
    const { code, stderr } = await runHere(['compare', '--codex'], {
      cwd: folder.path,
      home,
      env: { CODEX_HOME: join(home, 'elsewhere') },
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^palimpsest: no session of Codex was found in "~\/elsewhere\/sessions" or [^\n]+\n$/,
      ),
    });
  });

  it('are compared and named by path; a broken one does not hide the others', async () => {
    leave('.claude/projects/-home-ada-range/broken.jsonl', '{"type":"summary","leafUuid":"a"}\n{"type":"user"}\n', 20);
    leave('.claude/projects/-home-ada-range/quiet.jsonl', '{"type":"summary","leafUuid":"a"}\n', 21);
    const { code, stdout, stderr } = await runHere(['compare', '--claude-code'], { cwd: folder.path, home });
    expect(code).toBe(1);
    expect(stdout.match(/^claude-\w+ {2}/gm)).toHaveLength(4);
    expect(stderr).toBe(
      'palimpsest: ~/.claude/projects/-home-ada-range/broken.jsonl, line 2: it cannot be read as claudeCode: "message" is not an object; remove or fix the line\n' +
        'palimpsest: skipped: ~/.claude/projects/-home-ada-range/quiet.jsonl: this session has no messages; choose another\n',
    );
  });

  it.skipIf(process.platform !== 'linux')('are read next to a folder that cannot be read', async () => {
    // Root may open every folder, but no path of over 4,095 characters.
    const deep = folder.path.padEnd(4_060, `/${'deep'.repeat(25)}`).replace(/\/$/, 'x');
    const sessions = join(deep, '.codex/sessions');
    mkdirSync(sessions, { recursive: true });
    const run = (...command: [string, ...string[]]) => execFileSync('env', command, { cwd: sessions });
    try {
      run('mkdir', 'unreadable-'.padEnd(40, 'x'));
      writeFileSync(join(sessions, 'rollout-a.jsonl'), codexLog(messages, 'readable'));
      const { code, stdout, stderr } = await runHere(['inspect', '--json', '--codex'], {
        cwd: folder.path,
        home: deep,
      });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(
          /^palimpsest: skipped: cannot read the folder "~\/\.codex\/sessions\/unreadable-x+": the name is too long\n$/,
        ),
      });
      expect((JSON.parse(stdout) as { transcripts: object[] }).transcripts).toHaveLength(1);
    } finally {
      run('rm', '-r', ...readdirSync(sessions));
    }
  });

  it.skipIf(process.platform === 'win32')('leaves out a pipe among the logs that has no writer', async () => {
    execFileSync('mkfifo', [join(home, '.claude/projects/-home-ada-range/pipe.jsonl')]);
    mkdirSync(join(folder.path, 'logs'), { recursive: true });
    execFileSync('mkfifo', [join(folder.path, 'logs/pipe.jsonl')]);
    folder.write('logs/one.json', { id: 'one', messages });
    expect(await ids(['--claude-code', '--newest', '1'])).toEqual(['claude-new']);
    expect(await ids(['logs'])).toEqual(['one']);
  });
});
