import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

// The environment may contain real keys; no test may use them.
beforeAll(() => {
  vi.stubEnv('OPENAI_API_KEY', '');
});

const folder = scratchFolder();
const good = JSON.stringify(session(2));

folder.write('good.json', good);
folder.write('not.json', 'This is a letter, not a transcript.');
folder.write('cut-off.json', good.slice(0, -20));
folder.write('pretty-cut-off.json', JSON.stringify(session(2), null, 2).slice(0, -20));
folder.write('misplaced-comma.json', '[\n  {"role": "user",, "content": "x"}\n]');
folder.write('other-shape.json', { scripts: { test: 'vitest' } });
folder.write('number.json', '42');
folder.write('empty-array.json', '[]');
folder.write('empty.json', '');
folder.write('blank.jsonl', '\n\n  \n');
folder.write('no-messages.json', { messages: [] });
folder.write(
  'truncated.jsonl',
  `${session(2)
    .map((message) => JSON.stringify(message))
    .join('\n')}\n{"role":"user","conte`,
);
folder.write('mixed.jsonl', '{"role":"user","content":"a"}\n{"type":"other"}\n');
folder.write('zipped.json', gzipSync(good));
folder.write('role.json', [{ role: 'model', content: 'x' }]);
folder.write('content.json', [{ role: 'user', content: 5 }]);
folder.write('call.json', [
  { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: 5 } }] },
]);
folder.write('anthropic.json', [{ role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: {} }] }]);
folder.write('log.jsonl', '{"type":"summary","summary":"x","leafUuid":"y"}\n{"type":"user","sessionId":"a"}\n');
folder.write('quiet.jsonl', '{"type":"summary","summary":"x","leafUuid":"y"}\n');
folder.write('escape.json', [{ role: '\u001b[31mred', content: 'x' }]);
mkdirSync(`${folder.path}/without`);
symlinkSync('good.json', `${folder.path}/link.json`);
folder.write('no-engine.mjs', 'export default 5;');
folder.write('throws.mjs', 'throw new Error("at load");');

/** Case, arguments, exit code, and a pattern for the error line. */
const cases: readonly (readonly [what: string, arguments_: readonly string[], code: 1 | 2, says: RegExp])[] = [
  ['a missing file', ['compare', 'nowhere.json'], 1, /"nowhere.json".*no such file.*check the path/],
  ['text that is no JSON', ['compare', 'not.json'], 1, /not\.json, line 1: it is not JSON.*pass a transcript/],
  ['a JSON document cut off', ['compare', 'cut-off.json'], 1, /cut-off\.json, line 1:.*cut off.*complete it/],
  ['a document of many lines cut off', ['inspect', 'pretty-cut-off.json'], 1, /pretty-cut-off\.json, line 1:.*cut off/],
  ['a misplaced comma', ['inspect', 'misplaced-comma.json'], 1, /at line 2, column 19/],
  ['JSON of another shape', ['compare', 'other-shape.json'], 1, /not a transcript.*"messages"/],
  ['a number', ['inspect', 'number.json'], 1, /not a transcript \(a number\)/],
  ['an empty array', ['compare', 'empty-array.json'], 1, /empty-array\.json: it contains no messages.*at least one/],
  ['an empty file', ['compare', 'empty.json'], 1, /empty\.json: it is empty/],
  ['a file of blank lines', ['inspect', 'blank.jsonl'], 1, /blank\.jsonl: it is empty/],
  ['an object without messages', ['compact', 'no-messages.json'], 1, /contains no messages/],
  [
    'a truncated line',
    ['compare', 'truncated.jsonl'],
    1,
    /truncated\.jsonl, line 8:.*cut off.*remove the incomplete line/,
  ],
  ['lines of two shapes', ['inspect', 'mixed.jsonl'], 1, /mixed\.jsonl, line 2:.*one format per file/],
  ['a compressed file', ['inspect', 'zipped.json'], 1, /not UTF-8.*unpack/],
  ['an unknown role', ['inspect', 'role.json'], 1, /message 1 has an unknown "role"; expected one of/],
  ['a content that is no text', ['inspect', 'content.json'], 1, /message 1 has a "content"/],
  ['arguments that are no text', ['inspect', 'call.json'], 1, /message 1 has a tool call without/],
  [
    'a block without its id',
    ['inspect', 'anthropic.json'],
    1,
    /messages\[0\] cannot be read as anthropic: "content\[0\]\.id"/,
  ],
  [
    'a broken line of a log',
    ['inspect', 'log.jsonl'],
    1,
    /log\.jsonl, line 2: it cannot be read as claudeCode: "message"/,
  ],
  ['a log without a word', ['inspect', 'quiet.jsonl'], 1, /quiet\.jsonl: this session has no messages/],
  [
    'no session in the home folder',
    ['compare', '--claude-code'],
    1,
    /no session of Claude Code.*~\/\.claude\/projects.*CLAUDE_CONFIG_DIR/,
  ],
  ['no session of either', ['inspect', '--codex', '--claude-code'], 1, /of Claude Code or Codex.*CODEX_HOME/],
  ['a count without sessions', ['inspect', 'good.json', '--newest', '3'], 2, /--newest.*--claude-code or --codex/],
  ['a count of no sessions', ['inspect', '--codex', '--newest', '0'], 2, /--newest.*1 to 999999/],
  ['an escape sequence as a role', ['inspect', 'escape.json'], 1, /message 1/],
  ['a folder without transcripts', ['compare', 'without'], 1, /"without" contains no \.json/],
  ['a folder where a file is wanted', ['compact', 'without'], 2, /is a folder.*takes one file/],
  ['an engine of a similar name', ['compare', 'good.json', '--engine', 'compresor'], 2, /"compresor".*"compressor"/],
  ['an engine path that leads nowhere', ['compare', 'good.json', '--engine', './none.mjs'], 2, /none\.mjs/],
  ['a module that is no engine', ['compare', 'good.json', '--engine', './no-engine.mjs'], 2, /no-engine\.mjs.*export/],
  ['a module that throws', ['compare', 'good.json', '--engine', './throws.mjs'], 2, /throws\.mjs.*cannot be loaded/],
  ['no engine name between commas', ['compare', 'good.json', '--engine', 'a,,b'], 2, /--engine.*single commas/],
  ['a window that is no number', ['compare', 'good.json', '--window', 'wide'], 2, /--window.*"?wide.*128k/],
  ['a window of nothing', ['compare', 'good.json', '--window', '0'], 2, /between 1k and 100m/],
  ['a negative budget', ['compare', 'good.json', '--budget', '-5k'], 2, /--budget/],
  ['an empty focus', ['compare', 'good.json', '--focus', ' '], 2, /--focus.*few words/],
  [
    'an unknown summarizer',
    ['compare', 'good.json', '--summarizer', 'gpt'],
    2,
    /--summarizer: expected extractive.*"gpt"/,
  ],
  ['a summarizer without its key', ['compare', 'good.json', '--summarizer', 'openai:some-model'], 2, /OPENAI_API_KEY/],
  ['a summarizer without a model', ['compare', 'good.json', '--summarizer', 'openai:'], 2, /openai:MODEL/],
  ['a count of nothing', ['inspect', 'good.json', '--top', '0'], 2, /--top.*1 to 9999/],
  ['an unknown option', ['compare', 'good.json', '--fast'], 2, /unknown option '--fast'.*--help/],
  ['an unknown command', ['compair', 'good.json'], 2, /unknown command 'compair'.*compare/],
  ['no input', ['compare'], 2, /missing required argument/],
  [
    'a page in a folder that is not there',
    ['compare', 'good.json', '--html', 'no/where.html'],
    1,
    /cannot write "no\/where.html".*another path/,
  ],
  [
    'a page in place of a folder',
    ['compare', 'good.json', '--html', 'without'],
    2,
    /cannot write "without": it is a folder/,
  ],
  ['a page in place of its input', ['compare', 'good.json', '--html', './good.json'], 2, /--html would overwrite/],
  [
    'a page in place of a link to its input',
    ['compare', 'link.json', '--html', 'good.json'],
    2,
    /--html would overwrite/,
  ],
  ['masked text in place of its input', ['redact', 'good.json', '--out', 'good.json'], 2, /--out would overwrite/],
  ['an output in place of its input', ['compact', 'good.json', '--out', './good.json'], 2, /overwrite the original/],
];

const isOneLine = (text: string): boolean => /^palimpsest: [^\n]+\n$/.test(text) && !/\n {4}at |\u001b/.test(text);

describe('bad input', () => {
  it.each(cases)('%s is reported in one line', async (_what, arguments_, code, says) => {
    const ran = await runHere(arguments_, { cwd: folder.path });
    expect(ran.stderr).toMatch(says);
    expect(isOneLine(ran.stderr), ran.stderr).toBe(true);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe('');
  });

  // As processes of their own, one for each exit code: what a shell sees. A start from sources takes a while.
  const processes = cases.filter(([what]) => what === 'a truncated line' || what === 'an engine of a similar name');
  it.each(processes)('%s ends the process without a stack trace', async (_what, arguments_, code, says) => {
    const ran = await runCli(arguments_, { cwd: folder.path });
    expect(ran).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) });
    expect(isOneLine(ran.stderr), ran.stderr).toBe(true);
  });

  it('no partial output is left', async () => {
    const before = readdirSync(folder.path).sort();
    for (const file of ['truncated.jsonl', 'cut-off.json']) {
      const out = await runHere(['compact', file, '--out', 'out.json', '--force'], { cwd: folder.path });
      const page = await runHere(['compare', file, '--html', 'out.html'], { cwd: folder.path });
      expect([out.code, page.code]).toEqual([1, 1]);
    }
    // Two whole transcripts come before the broken one.
    folder.write('late.jsonl', `${good}\n${good}\n[{"role"`);
    const late = await runHere(['compact', 'late.jsonl', '--out', 'out.jsonl'], { cwd: folder.path });
    expect(late).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/late\.jsonl, line 3/) });
    expect(readdirSync(folder.path).sort()).toEqual([...before, 'late.jsonl'].sort());
  });

  it('a page never overwrites a file of its input folder', async () => {
    mkdirSync(join(folder.path, 'sessions'));
    for (const name of ['a.json', 'b.json']) folder.write(`sessions/${name}`, good);
    const ran = await runHere(['compare', 'sessions', '--html', 'sessions/b.json'], { cwd: folder.path });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(/--html would overwrite the original/) });
    expect(readFileSync(join(folder.path, 'sessions/b.json'), 'utf8')).toBe(good);
    expect(readdirSync(join(folder.path, 'sessions')).sort()).toEqual(['a.json', 'b.json']);
  });

  it('a 200 MB document is rejected in little memory, with the limit in the error', async () => {
    const file = openSync(`${folder.path}/huge.json`, 'w');
    const megabyte = Buffer.alloc(2 ** 20, 'a');
    writeSync(file, '[{"role":"user","content":"');
    for (let times = 0; times < 200; times++) writeSync(file, megabyte);
    writeSync(file, '"}]');
    closeSync(file);
    const ran = await runCli(['compare', 'huge.json'], { cwd: folder.path, heapMegabytes: 128 });
    expect(ran).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/huge\.json, line 1:.*64 MB.*one transcript per line/),
    });
    expect(isOneLine(ran.stderr)).toBe(true);
  });
});
