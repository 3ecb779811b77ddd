import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const halving = fileURLToPath(new URL('./engines/halving.ts', import.meta.url));
const tiring = fileURLToPath(new URL('./engines/tiring.ts', import.meta.url));
const forgetful = fileURLToPath(new URL('./engines/forgetful.ts', import.meta.url));
const messages = session(80);
const requestText = messages[1]!.content as string;
folder.write('long.json', {
  id: 'the-long-one',
  messages,
  tools: [{ type: 'function', function: { name: 'read_file' } }],
});

describe('compare', () => {
  it('prints a screen with a bar and figures for each built-in engine', async () => {
    const { code, stdout, stderr } = await runCli(['compare', 'long.json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^the-long-one(?: {2}|\n)[\d,]+ tokens in 163 messages, window \d+K, the largest that it outgrows$/m,
    );
    for (const heading of ['left', 'compactions', 'cost', 'messages', 'files', 'names'])
      expect(stdout).toMatch(new RegExp(`^engine .*${heading}`, 'm'));
    for (const name of ['compressor', 'prune-compact']) {
      expect(stdout).toMatch(new RegExp(`^${name} +█.*[\\d,]+ left +-[\\d.]+ %$`, 'm'));
      expect(stdout).toMatch(new RegExp(`^${name} +[\\d,]+ +\\d+ +\\$[\\d.]+ +1 of 1 `, 'm'));
    }
    expect(stdout).toMatch(
      /^Without compaction, \d+ of \d+ requests would not fit the window; with each\s+engine, all do\./m,
    );
    expect(stdout).toMatch(/^next: palimpsest compare long\.json --html report\.html$/m);
    expect(stdout).not.toContain('\u001b');
  });

  it('says why an engine could not replay the session', async () => {
    const { stdout } = await runHere(['compare', 'long.json', '--window', '64k', '--engine', tiring], { cwd });
    expect(stdout.replace(/\s+/g, ' ')).toContain('tiring: the session could not be replayed: out of strength');
    expect(stdout).toMatch(/^tiring +[\d,]+ +unknown +unknown /m);
    // The engine fails again.
    const failed = await runHere(['compact', 'long.json', '--engine', tiring], { cwd });
    expect(failed.stderr).toContain('the engine tiring failed: out of strength. No file was written; try another');
  });

  it('reports when an agent would not compact yet, and when the result does not fit the window', async () => {
    const below = await runHere(['compare', 'long.json', '--window', '128k'], { cwd });
    expect(below.stdout).toMatch(/^No engine would run yet\.$/m);
    expect(below.stdout.replace(/\s+/g, ' ')).toMatch(
      /compressor: unchanged: the prompt has [\d,]+ tokens, and the threshold is [\d,]+/,
    );
    const forced = await runHere(['compare', 'long.json', '--window', '128k', '--force'], { cwd });
    expect(forced.stdout).toMatch(/^compressor: an agent would not have compacted yet: [\d,]+ tokens are below/m);
    expect(forced.stdout).not.toContain('cost:');
    expect(forced.stdout).toMatch(/^engine +left +compactions +cost .*\ncompressor +[\d,]+ +unknown +unknown /m);
    folder.write('short.json', session(9));
    const over = await runHere(['compare', 'short.json', '--window', '1k'], { cwd, columns: 120 });
    expect(over.stdout).toMatch(/^(?:compressor|prune-compact) .* \(over the window\) /m);
    expect(over.stdout.replace(/\s+/g, ' ')).toMatch(/: [\d,]+ tokens do not fit into the window/);
    const fits = await runHere(['compare', 'long.json'], { cwd });
    expect(fits.stdout).not.toMatch(/run yet|over the window|would not have/);
  });

  it('prints the same figures as JSON', async () => {
    const { code, stdout } = await runHere(['compare', 'long.json', '--json'], { cwd });
    const printed = JSON.parse(stdout) as {
      version: number;
      samples: Record<string, unknown>[];
      passedOver: unknown[];
    };
    expect({ code, version: printed.version, passedOver: printed.passedOver }).toEqual({
      code: 0,
      version: 2,
      passedOver: [],
    });
    expect(printed.samples).toHaveLength(1);
    const [sample] = printed.samples as [{ engines: Record<string, unknown>[] }];
    expect(Object.keys(sample).sort()).toEqual([
      'engines',
      'file',
      'id',
      'line',
      'messages',
      'overheadTokens',
      'prices',
      'recorded',
      'tokens',
      'verdict',
      'window',
    ]);
    for (const row of sample.engines) {
      expect(row).toMatchObject({ taskKept: true, wireViolations: 0, messagesBefore: 163, modelCalls: 0 });
      expect(row.tokensAfter).toBeLessThan(row.tokensBefore as number);
      expect(row.savedPercent).toBeCloseTo((1 - (row.tokensAfter as number) / (row.tokensBefore as number)) * 100, 0);
      expect(row.replay).toMatchObject({ requests: 81, overWindow: 0 });
      const parts = Object.values(row.outcomeTokens as Record<string, number>);
      expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - (row.tokensBefore as number))).toBeLessThan(5);
    }
  });

  it('measures the user’s own engine, named by path', async () => {
    const { code, stdout } = await runHere(['compare', 'long.json', '--engine', halving, '--window', '64k', '--json'], {
      cwd,
    });
    const [{ window, engines }] = JSON.parse(stdout).samples;
    expect(code).toBe(0);
    expect(window).toEqual({ tokens: 64_000, by: 'given' });
    expect(engines[0]).toMatchObject({
      engine: 'halving',
      thresholdTokens: 32_000,
      outcome: 'compacted',
      phaseThatWasEnough: 'halve',
      modelCalls: 0,
      kept: { userMessages: { kept: 1, of: 1 }, names: { kept: 7, of: 7 } },
    });
    expect(engines[0].messagesAfter).toBeLessThan(163);
  });

  it('shows an engine that breaks the contract, and fails', async () => {
    const { code, stdout, stderr } = await runHere(
      ['compare', 'long.json', '--window', '64k', '--engine', `${forgetful},${halving}`],
      {
        cwd,
      },
    );
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/forgetful: failed: The plan of .* the current task/);
    expect(stdout).toMatch(/^halving +[\d,]+ +2 +\$/m);
    expect(stderr).toBe('palimpsest: 1 of 2 results break the contract (forgetful): see their rows\n');
  });

  it('walks a folder, skips files that are not transcripts, and fails on broken ones', async () => {
    mkdirSync(`${cwd}/many/deeper`, { recursive: true });
    folder.write('many/a.json', session(1));
    folder.write('many/package.json', { name: 'x' });
    folder.write('many/notes.txt', 'not looked at');
    folder.write('many/deeper/b.jsonl', `${JSON.stringify(session(1))}\n${JSON.stringify(session(1))}\n`);
    const whole = await runHere(['compare', 'many', '--json'], { cwd });
    const { samples, passedOver } = JSON.parse(whole.stdout) as {
      samples: { id: string }[];
      passedOver: { file: string }[];
    };
    expect(samples.map(({ id }) => id)).toEqual(['a', 'b#1', 'b#2']);
    expect(passedOver.map(({ file }) => file)).toEqual(['many/package.json']);
    expect(whole.stderr).toMatch(/^palimpsest: skipped: many\/package\.json.*\n$/);
    expect(whole.code).toBe(0);
    folder.write('many/broken.json', '[{');
    const broken = await runHere(['compare', 'many'], { cwd });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('many/broken.json, line 1');
    expect(broken.stdout).toContain('b#2');
  });

  it('reads standard input', async () => {
    const { code, stdout } = await runHere(['compare', '-', '--json'], { cwd, stdin: JSON.stringify(session(1)) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).samples[0]).toMatchObject({
      id: 'stdin',
      file: 'standard input',
      window: { tokens: 8_000, by: 'smallest' },
    });
  });

  it('transposes the table on a narrow terminal, and uses colour only on a terminal', async () => {
    const { stdout } = await runHere(['compare', 'long.json', '--engine', halving], {
      cwd,
      columns: 60,
      colour: true,
    });
    expect(stdout).toMatch(/\u001b\[34m█+\u001b\[39m/);
    const lines = stdout.replace(/\u001b\[\d+m/g, '').split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^tokens left +\d/));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('shows progress on a terminal, and clears it', async () => {
    const { stderr } = await runHere(['compare', 'long.json', '--engine', halving], { cwd, progress: true });
    expect(stderr).toBe('1: the-long-one, halving …\r\u001b[2K');
    folder.write('wide.json', { id: '長い会話の記録'.repeat(10), messages: session(1) });
    const wide = await runHere(['compare', 'wide.json', '--engine', halving], { cwd, progress: true });
    expect(stringWidth(wide.stderr.split('\r')[0]!)).toBeLessThan(80);
  });

  it('stops when it is interrupted', async () => {
    const { code, stderr } = await runHere(['compare', 'long.json', '--html', 'never.html'], {
      cwd,
      signal: AbortSignal.abort(),
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'palimpsest: interrupted; no file was written\n' });
    expect(existsSync(`${cwd}/never.html`)).toBe(false);
  });

  it('writes a page on which every message can be read', async () => {
    const { code } = await runHere(['compare', 'long.json', '--html', 'page.html'], { cwd });
    const page = readFileSync(`${cwd}/page.html`, 'utf8');
    expect(code).toBe(0);
    expect(page.match(/<pre id="s1-\d+">/g)).toHaveLength(163);
    expect(page).toContain(requestText);
    expect(page).toContain('the outcome of every message');
    // The replays write handoffs; each line leads to the messages it comes from.
    expect(page).toMatch(/handoff of compressor <span class="soft">in place of messages \d+ to \d+<\/span>/);
    expect(page).toMatch(/<span class="soft">\u2190 <a href="#s1-\d+">/);
    expect(page).not.toMatch(/<script|https?:\/\/|<link|<img|<iframe|\son\w+=|style="/);
  });
});
