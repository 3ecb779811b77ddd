import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '@palimpsest/command-line/terminal';
import picocolors from 'picocolors';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { samples } from '../samples.ts';

const cwd = mkdtempSync(join(tmpdir(), 'palimpsest-eval-cli-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

writeFileSync(join(cwd, 'session.json'), JSON.stringify(samples('shop-outage-german')[0]));
writeFileSync(join(cwd, 'short.json'), JSON.stringify([{ role: 'user', content: 'Hi.' }]));
writeFileSync(join(cwd, 'half.mjs'), 'export default (messages) => messages.slice(Math.ceil(messages.length / 2));');
writeFileSync(join(cwd, 'empty.mjs'), 'export const nothing = 1;');
const quick = ['--cuts', '60%', '--budgets', '20%', '--chain', '0', '--no-cost'];

async function run(arguments_: readonly string[], env: NodeJS.ProcessEnv = {}, folder = cwd) {
  let [stdout, stderr, code] = ['', '', 0];
  const terminal: Terminal = {
    cwd: folder,
    home: join(cwd, 'no-home'),
    env,
    stdin: (async function* () {})(),
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    fail: (exitCode) => {
      code = exitCode;
    },
    columns: null,
    progress: false,
    confirm: null,
    colours: picocolors.createColors(false),
    signal: new AbortController().signal,
  };
  await runProgram(arguments_, terminal);
  return { stdout, stderr, code };
}

describe('palimpsest-eval', () => {
  it('prints a table, and writes JSON and a page', async () => {
    const files = ['--json', 'out.json', '--html', 'out.html'];
    const { stdout, stderr, code } = await run(['session.json', '--module', 'mine=half.mjs', ...quick, ...files]);
    expect(stderr.match(/wrote .*\.(?:html|json)$/gm)).toHaveLength(2);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^at 20 %\s+mine\s+newest tokens\s+head \+ tail\s+clearing the oldest results\n/);
    expect(stdout).toMatch(/^facts, %\s+\d/m);
    expect(stdout).toContain('1 transcript, 1 cut after 60 % of the tokens.');
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))).toMatchObject({ results: { length: 4 } });
    expect(readFileSync(join(cwd, 'out.html'), 'utf8')).toContain('<summary>mine at 20 %');
  });

  it('exits with 3 when a compactor of the user is below a threshold, and names each value', async () => {
    const limits = ['--threshold', 'facts=101%', '--threshold', 'used=900%'];
    const { stderr, code } = await run(['session.json', '--module', 'half.mjs', ...quick, ...limits]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^palimpsest-eval: half at 20 %: facts is [\d.]+, not at least 101 %\n$/);
  });

  it('runs engines with the options of the configuration', async () => {
    const folder = join(cwd, 'configured');
    mkdirSync(folder);
    const scored = ['../session.json', '--engine', 'compressor', '--no-baselines', ...quick];
    const before = await run(scored, {}, folder);
    expect(before).toMatchObject({ stderr: '', code: 0 });
    const config = { context: { engines: { compressor: { protectLst: 3 } } } };
    writeFileSync(join(folder, 'palimpsest.config.json'), JSON.stringify(config));
    const { stderr, code } = await run(scored, {}, folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/compressor\.protectLst: unknown option\. Did you mean "protectLast"/);
  });

  it('scores a command, with its stated name', async () => {
    writeFileSync(join(cwd, 'none.cjs'), "console.log('[]')");
    const given = ['--command', `none at all="${process.execPath}" none.cjs`, '--no-baselines', '--json', '-'];
    const { stdout, stderr, code } = await run(['session.json', ...given, ...quick], process.env);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ compactor: 'none at all', scores: { facts: { value: 0 } } }],
    });
  });

  it.each([
    ['nothing to read', [], 2, /missing required argument 'inputs'/],
    ['an unknown engine', ['session.json', '--engine', 'compresor'], 2, /--engine: .*compressor/],
    ['a share over 1', ['session.json', '--budgets', '20'], 2, /Write shares such as 10%,20%/],
    ['an unknown measure', ['session.json', '--threshold', 'beauty=1'], 2, /MEASURE=VALUE with one of used, facts, /],
    [
      'a module without a compactor',
      ['session.json', '--module', 'empty.mjs'],
      1,
      /"empty\.mjs" has no compactor; export one as default/,
    ],
    ['a missing module', ['session.json', '--module', 'gone.mjs'], 1, /cannot load "gone\.mjs"/],
    [
      'short transcripts',
      ['short.json', '--module', 'half.mjs'],
      1,
      /TRANSCRIPTS_MISSING: .* fewer than 20,000 tokens/,
    ],
    [
      'its own input as output',
      ['session.json', '--module', 'half.mjs', '--json', 'session.json'],
      2,
      /would overwrite the original/,
    ],
  ])('explains %s in one line', async (_, arguments_, exitCode, message) => {
    const { stdout, stderr, code } = await run(arguments_, { OPENAI_API_KEY: 'key' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([stdout, code]).toEqual(['', exitCode]);
  });
});
