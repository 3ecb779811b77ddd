import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerEnvironment, windowsProgram } from '../../src/agents/caller-path.ts';
import { runningProgram } from '../program/running-program.ts';

let top: string;
let project: string;
let users: string;

/** Writes a program that prints a name. */
function writeProgram(folder: string, name: string, prints: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho ${prints}\n`, { mode: 0o755 });
}

const binOf = (folder: string): string => join(folder, 'node_modules', '.bin');

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-path-')));
  project = join(top, 'parent', 'project');
  users = join(top, 'users-programs');
  mkdirSync(project, { recursive: true });
  mkdirSync(users);
  writeFileSync(join(users, 'claude'), '#!/bin/sh\necho the agent of the user\nhelper\n', { mode: 0o755 });
  writeProgram(users, 'helper', 'the helper of the user');
  for (const folder of [project, dirname(project), top])
    for (const name of ['claude', 'helper', 'missing']) writeProgram(binOf(folder), name, 'a program of the folder');
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const addresses = ['--openai', 'http://127.0.0.1:9/v1', '--anthropic', 'http://127.0.0.1:9'];

describe.skipIf(process.platform === 'win32')('palimpsest run', () => {
  const searchPath = (): string => [users, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const run = (name: string, env: Readonly<Record<string, string>>) =>
    runningProgram(['run', ...addresses, '--', name], { cwd: project, env: { HOME: top, ...env } });

  it("runs the user's agent, not one in node_modules of the folder or of one above it", async () => {
    const running = run('claude', { PATH: searchPath() });
    expect(await running.ended).toBe(0);
    expect(running.stdout).toBe('the agent of the user\nthe helper of the user\n');
  });

  it('does so also when npx has put these folders in front of the search path', async () => {
    const ofNpx = [project, dirname(project), top].map(binOf);
    const running = run('claude', { PATH: [...ofNpx, searchPath()].join(delimiter), npm_command: 'exec' });
    expect(await running.ended).toBe(0);
    expect(running.stdout).toBe('the agent of the user\nthe helper of the user\n');
  });

  it('does not find a program that only the folder has', async () => {
    const running = run('missing', { PATH: searchPath() });
    expect(await running.ended).toBe(1);
    expect(running.stderr).toContain('missing could not be started: there is no such program; install it first');
  });

  it('runs a program of the folder that is named by its path', async () => {
    const running = run('node_modules/.bin/claude', { PATH: searchPath() });
    expect(await running.ended).toBe(0);
    expect(running.stdout).toBe('a program of the folder\n');
  });
});

describe('the environment of an agent', () => {
  it('keeps what the user or a script of the project has put on the search path', () => {
    const env = { PATH: [binOf(project), users].join(delimiter) };
    expect(callerEnvironment(env, project)).toEqual(env);
    expect(callerEnvironment({ ...env, npm_command: 'run-script' }, project).PATH).toBe(env.PATH);
  });

  it('keeps the folder in which npx has installed its programs', () => {
    const ofNpx = binOf(join(top, 'cache', '_npx'));
    const Path = [binOf(project), ofNpx, users].join(delimiter);
    expect(callerEnvironment({ Path, npm_command: 'exec' }, project).Path).toBe([ofNpx, users].join(delimiter));
  });
});

describe('a program on Windows', () => {
  it('is looked for on the search path alone, with the usual endings', () => {
    const [first, second] = [join(top, 'first'), join(top, 'second')];
    writeProgram(first, 'agent', 'a script for another system');
    writeProgram(second, 'agent.CMD', 'the agent');
    const env = { Path: [first, '', second].join(delimiter), PATHEXT: '.EXE;.CMD' };
    expect(windowsProgram('agent', env)).toBe(join(second, 'agent.CMD'));
    expect(windowsProgram('agent.CMD', env)).toBe(join(second, 'agent.CMD'));
    expect(windowsProgram('other', env)).toBeNull();
  });
});
