import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SessionSavings } from '../../src/replay/savings.ts';
import { claudeCodeLog, codexLog } from './logs.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const home = join(folder.path, 'home');
const boundary = `${JSON.stringify({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null })}\n`;
mkdirSync(join(home, '.claude/projects/-work'), { recursive: true });
folder.write('home/.claude/projects/-work/long.jsonl', `${claudeCodeLog(session(40), 'long')}${boundary}`);
mkdirSync(join(home, '.codex/sessions'), { recursive: true });
folder.write(
  'home/.codex/sessions/rollout-a.jsonl',
  `${codexLog(session(4), 'short')}${JSON.stringify({ type: 'compacted', payload: { message: '' } })}\n`,
);
const run = (...flags: string[]) => runHere(['savings', ...flags], { cwd: folder.path, home });

interface Report {
  readonly sessions: readonly SessionSavings[];
  readonly total: SessionSavings;
}

describe('savings', () => {
  it('reads the sessions of all agents, and says what would have fit and been saved', async () => {
    const { code, stdout } = await run('--window', '16k');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^long +\d+ +[\d,]+ +[1-9]\d* +1 +\$[\d.]+ +\$[\d.]+$/m);
    expect(stdout).toMatch(/^short +\d+ +[\d,]+ +0 +1 +\$[\d.]+ +\$[\d.]+$/m);
    expect(stdout.replaceAll('\n', ' ')).toMatch(
      /\d+ of \d+ requests in 2 sessions would not fit a window of 16K without a compaction\. The agents compacted themselves 2 times\. With Palimpsest, all of them fit, for \$[\d.]+ of input instead of \$[\d.]+: \d+ % less/,
    );
    expect(stdout).toMatch(/\nnext: palimpsest run -- claude\n$/);
  });

  it('prints what its documentation shows', async () => {
    const samples = fileURLToPath(new URL('../../../../apps/compare/samples', import.meta.url));
    const { stdout } = await runHere(['savings', samples, '--window', '64k'], { cwd: folder.path, columns: 80 });
    const documentation = new URL('../../docs/transcripts.md', import.meta.url);
    expect(readFileSync(documentation, 'utf8')).toContain(`\n${stdout.trimEnd()}\n`);
  });

  it('prints figures that add up, at the given prices', async () => {
    const { stdout } = await run('--window', '16k', '--json');
    const { sessions, total } = JSON.parse(stdout) as Report;
    expect(sessions.map(({ id }) => id).sort()).toEqual(['long', 'short']);
    const sum = (value: (one: SessionSavings) => number): number => sessions.reduce((all, one) => all + value(one), 0);
    expect(total.whole.sentTokens).toBe(sum((one) => one.whole.sentTokens));
    expect(total.compacted.dollars).toBeCloseTo(sum((one) => one.compacted.dollars));
    expect(total.compacted).toMatchObject({ overWindow: 0 });
    expect(total.compacted.sentTokens).toBeLessThan(total.whole.sentTokens);
    const tenfold = await run('--window', '16k', '--json', '--price', '30, 150, 3, 37.5');
    expect((JSON.parse(tenfold.stdout) as Report).total.whole.dollars).toBeCloseTo(total.whole.dollars * 10, 3);
  });

  it('rejects prices that are not four numbers', async () => {
    for (const price of ['3,0.3,3.75', '3,15,0.3,free', '3,15,0.3,-1'])
      expect(await run('--price', price)).toMatchObject({ code: 2, stderr: expect.stringContaining('four prices') });
  });
});
