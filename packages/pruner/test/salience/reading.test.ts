import { agentReader } from '@palimpsest/agents';
import { createHost } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { assistant, call, callsWithResults, customCall, quarterCounter, system, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillRoom } from '../../src/salience/excerpt/fill-room.ts';
import { failingLines } from '../../src/salience/kinds/failing-lines.ts';
import { eachTextLine } from '../../src/salience/read/each-text-line.ts';
import { withoutHalfPair } from '../../src/salience/text/cut.ts';
import {
  bareText,
  identifiersOf,
  outcomeLines,
  rankTranscriptLines,
  readTranscriptLines,
  startOf,
  truncate,
  worthClass,
  worthClasses,
} from '../../src/salience.ts';

const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  eachTextLine(text, (line) => lines.push(line));
  return lines;
};

describe('identifiersOf', () => {
  it('are whole names of files, however they are written', () => {
    expect(
      identifiersOf('see `./src/ledger.ts`, ../lib/book.ts, .github/ci.yml, .env.local and ...src/end.ts'),
    ).toEqual(['src/ledger.ts', 'lib/book.ts', '.github/ci.yml', '.env.local', 'src/end.ts']);
    expect(identifiersOf('x\n  .then(read)\n.catch(fail) .5 /usr/lib')).toEqual(['/usr/lib']);
  });
  it('finds paths, symbols, ids and numbers, and no ordinary words', () => {
    expect(
      identifiersOf('Please open src/ledger.ts: readLedger returned 404, see Bug #1234 or COMMIT ab12cd3.'),
    ).toEqual(['src/ledger.ts', 'readLedger', '404', '1234', 'COMMIT', 'ab12cd3']);
  });
  it('returns text of the input', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        for (const identifier of identifiersOf(text)) expect(text).toContain(identifier);
      }),
    );
  });
});

describe('eachTextLine', () => {
  it('lists JSON value by value, with escapes decoded', () => {
    expect(linesOf('{"output":"one\\ntwo","exit_code":0,"tags":["a","b"],"deep":{"x":{"y":1}}}')).toEqual([
      'output: one',
      'two',
      'exit_code: 0',
      'tags: a, b',
      'x: y: 1',
    ]);
  });
  it('cuts long lines into pieces that join to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        const line = `- ${text.replaceAll('\n', ' ')}`;
        const pieces = linesOf(line);
        expect(pieces.join('')).toBe(line);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(320);
          // Throws on half a surrogate pair.
          encodeURIComponent(piece);
        }
      }),
    );
  });
});

describe('readTranscriptLines', () => {
  const transcript = readTranscriptLines(
    [
      user('Fix the build.'),
      ...callsWithResults([
        call('1', 'Bash', { command: 'make' }),
        'cc a.c\na.c:3:1: error: missing semicolon\nmake: failed',
      ]),
      ...callsWithResults([call('2', 'Write', { file_path: '/a.c', content: 'int a;\nint b;' }), 'File written']),
      ...callsWithResults([call('3', 'Bash', { command: 'make' }), 'cc a.c\ndone']),
      assistant('Fixed.'),
    ],
    (at) => at === 0,
  );
  it('reads every message as lines, with their kind and call', () => {
    expect(transcript.lines.map(({ kind, text, call: of }) => [kind, text, of])).toEqual([
      ['user', 'Fix the build.', -1],
      ['call', 'Bash make', 0],
      ['result', 'cc a.c', 0],
      ['result', 'a.c:3:1: error: missing semicolon', 0],
      ['result', 'make: failed', 0],
      ['call', 'Write /a.c', 1],
      ['input', 'int a;', 1],
      ['input', 'int b;', 1],
      ['result', 'File written', 1],
      ['call', 'Bash make', 2],
      ['result', 'cc a.c', 2],
      ['result', 'done', 2],
      ['agent', 'Fixed.', -1],
    ]);
  });
  it('omits the text that an edit replaces, unless there is no new text', () => {
    const inputs = (input: object): string[] =>
      readTranscriptLines(callsWithResults([call('a', 'Edit', input), 'ok']), () => false)
        .lines.filter(({ kind }) => kind === 'input')
        .map((line) => line.text);
    expect(inputs({ path: 'a.ts', old_string: 'let a;\nlet b;', new_string: 'let a;\nlet c;' })).toEqual([
      'let a;',
      'let c;',
    ]);
    expect(inputs({ path: 'a.ts', search: 'let a;\nlet b;' })).toEqual(['let a;', 'let b;']);
  });
  it('shows the first line of a script that says something', () => {
    const command = 'set -e\ncd /repo && \\\necho "=== COMMIT 1 ===" && \\\ngit show --stat HEAD\necho "$?"';
    const [head, ...body] = readTranscriptLines(
      callsWithResults([call('a', 'Bash', { command }), 'ok']),
      () => false,
    ).lines;
    expect(head!.text).toBe('Bash git show --stat HEAD');
    expect(body.filter(({ kind }) => kind === 'input').map(({ text }) => text)).toEqual([
      'set -e',
      'cd /repo && \\',
      'echo "=== COMMIT 1 ===" && \\',
      'echo "$?"',
    ]);
    const [only] = readTranscriptLines(
      callsWithResults([call('a', 'Bash', { command: 'echo "a"\necho "b"' }), 'ok']),
      () => false,
    ).lines;
    expect(only!.text).toBe('Bash echo "a"');
  });
  it.each([
    [
      'cd /repo && python3 -c "\nimport sys\nfrom a import b\n\ntry:\n  # Sizes above the limit\nprint(b(1))\n"',
      '# Sizes above the limit',
    ],
    ["node - <<'EOF'\nconst fs = require('fs')\nconsole.log(fs.statSync('a'))\nEOF", "console.log(fs.statSync('a'))"],
    ["gh api graphql -f query='\nmutation { closeIssue }\n'", 'mutation { closeIssue }'],
  ])('shows what a script says where a quotation or a here-document begins: %j', (command, code) => {
    const [head, ...body] = readTranscriptLines(
      callsWithResults([call('a', 'Bash', { command }), 'ok']),
      () => false,
    ).lines;
    const lines = command.split('\n');
    expect(head!.text).toBe(`Bash ${lines[0]} ${code}`);
    expect(body.filter(({ kind }) => kind === 'input').map(({ text }) => text)).toEqual(
      lines.slice(1).filter((line) => line.trim() !== code && line !== ''),
    );
  });
  it('adds no code to a file that is written, and none to an interpreter with a file', () => {
    for (const first of ["cat > python.py <<'EOF'", 'python fix.py', 'echo "done"; ls'])
      expect(
        readTranscriptLines(callsWithResults([call('a', 'Bash', { command: `${first}\nprint(1)` }), 'ok']), () => false)
          .lines[0]!.text,
      ).toBe(`Bash ${first}`);
  });
  it('shows what a call without a target is about', () => {
    const read = (name: string, input: object): string[] =>
      readTranscriptLines(callsWithResults([call('a', name, input), 'ok']), () => false)
        .lines.filter(({ kind }) => kind !== 'result')
        .map((line) => line.text);
    const long = `Crack the hash that was captured in the last round ${'and report it '.repeat(12)}`.trim();
    expect(
      read('perform_task', {
        thought: 'I have to go on with the hash of the last round.',
        step: long,
        context: 'a\nb',
      }),
    ).toEqual([
      expect.stringMatching(
        /^perform_task Crack the hash [a-z ]{100,150} \(thought: I have to go on with the hash of the last round\.\)$/,
      ),
      long,
      'a',
      'b',
    ]);
    expect(read('remind', { at: 5, text: 'Ask the user about the budget of the next quarter.\nNow.' })).toEqual([
      'remind (at: 5)',
      'Ask the user about the budget of the next quarter.',
      'Now.',
    ]);
    expect(
      read('Task', { description: 'Review the store', prompt: 'You are a reviewer of stores.\nBe strict.' }),
    ).toEqual(['Task (description: Review the store)', 'You are a reviewer of stores.', 'Be strict.']);
  });
  it('shows the first question to the user', () => {
    const questions = [
      { question: 'Which store?', options: ['Redis', 'SQLite', 'Postgres', 'a file for each tenant'] },
      { question: 'Since when?' },
    ];
    const [head] = readTranscriptLines(
      callsWithResults([call('a', 'AskUserQuestion', { questions }), 'ok']),
      () => false,
    ).lines;
    expect(head!.text).toBe('AskUserQuestion (question: Which store?)');
  });
  it('knows the lines that a listing has numbered, and their numbers', () => {
    const read = (text: string): string[] =>
      readTranscriptLines(callsWithResults([call('a', 'Read', { path: 'a.ts' }), text]), () => false)
        .lines.filter(({ kind }) => kind === 'result')
        .map((line) => `${line.number}:${bareText(line)}`);
    expect(read('  99\u2192let a;\n 100\u2192\n 101\u2192\tlet b;')).toEqual(['99:let a;', '101:\tlet b;']);
    expect(read('Here it is:\n7|x\n8|y')).toEqual(['1:Here it is:', '7:x', '8:y']);
    // Search matches and times of day are not listings.
    expect(read('12: match\n40: match')).toEqual(['1:12: match', '2:40: match']);
    expect(read('10:59 start\n23:10 end')).toEqual(['1:10:59 start', '2:23:10 end']);
  });
  it('shows what a command was run with only where it changes, and no limits', () => {
    const commands = ['a', 'a', 'b'].map((workdir) => ({ cmd: 'make', workdir, yield_time_ms: 10, sandboxed: true }));
    const messages = commands.map((input, at) => assistant(null, call(`${at}`, 'exec_command', input)));
    const { lines } = readTranscriptLines(messages, () => false);
    expect(lines.map(({ text }) => text)).toEqual([
      'exec_command make (workdir: a)',
      'exec_command make',
      'exec_command make (workdir: b)',
    ]);
  });
  it('shows the files of a patch, not its edges', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch';
    for (const one of [customCall('a', 'apply_patch', patch), call('a', 'apply_patch', { input: patch })]) {
      const { lines } = readTranscriptLines([assistant(null, one)], () => false);
      const [head, ...rest] = lines.map(({ text }) => text);
      expect(head).toBe('apply_patch *** Update File: a.ts');
      expect(rest).toEqual(['@@', '-one', '+two']);
    }
  });
  it('omits what a harness added after an output, but not an exit code', () => {
    const read = (text: string): string[] =>
      readTranscriptLines(callsWithResults([call('a', 'Read', { path: 'a.ts' }), text]), () => false)
        .lines.filter(({ kind }) => kind === 'result')
        .map((line) => line.text);
    expect(read('let a;\n\n<system-reminder>\nConsider whether the file is malware.\n</system-reminder>\n')).toEqual([
      'let a;',
    ]);
    expect(read('let a;\n<exit_code>1</exit_code>').join('\n')).toContain('<exit_code>1</exit_code>');
  });
  it('finds the lines that report failures, and whether the same call succeeded later', () => {
    expect(failingLines(transcript)).toEqual([
      { line: 3, text: 'a.c:3:1: error: missing semicolon', resolved: true },
      { line: 4, text: 'make: failed', resolved: true },
    ]);
  });
  it('does not take a test that passes for a failure, whatever its name', () => {
    const output =
      'ok 1 - the error names it\n\u2713 is refused\nPASS test/error.test.js\nnot ok 2 - an error is thrown';
    expect(
      failingLines(readTranscriptLines(callsWithResults([call('a', 'bash', {}), output]), () => false)),
    ).toMatchObject([{ text: 'not ok 2 - an error is thrown' }]);
  });
  it('does not take warnings, source code, search hits and traceback frames for failures', () => {
    const failing = (text: string): string[] =>
      failingLines(readTranscriptLines(callsWithResults([call('a', 'bash', {}), text]), () => false)).map(
        (line) => line.text,
      );
    const quoted = [
      'npm warn exec The following package was not found and will be installed: skills',
      "severity: 'error',",
      'slog.Debug("reindex: failed to find sessions", "error", err)',
      'pkg/events.go:24:\tAutosaveError = "ext_autosave_error"',
      'pkg/events.go-25-const failed = 1',
      'err := errors.New("not found")',
      "const message = 'cannot read'",
      '  File "/app/tag.py", line 28, in tag_in_exception',
      '    with tag_in_exception(tag):',
      '    self.gen.throw(typ, value, traceback)',
      'The above exception was the direct cause of the following exception:',
      '              error here ---^',
      '  ^  unexpected token',
      'Err(Error::NotConfigured(',
      'echo "ERROR: stub found"',
      'ID: 27 | Body: can panic when the checkpoint is not found | Line: 655',
      "<stdin>:18: SyntaxWarning: invalid escape sequence '\\.'",
      '[-] The cache file is not found. Skipping...',
      '=== RUN   TestExplainError',
      '31-\t\treturn fmt.Errorf("failed to open: %w", err)',
      '--- PASS: TestExplainError (0.00s)',
      '(pass) a manifest > fails clearly when it is invalid [1.2ms]',
      'my pkg test: ✓ throws on invalid JSON',
      'tests/test_a.py::test_denied PASSED [ 40%]',
    ];
    for (const line of quoted) expect(failing(line)).toEqual([]);
    const reported = [
      'src/a.c:3:1: error: missing semicolon',
      'foo_test.go:33: parse failed',
      '3:5  error  Unexpected var, use let or const instead  no-var',
      "ConnectionError('refused')",
      "error: 'the port is in use'",
      'TypeError: a is not a function',
      'FAIL  pkg/cli [build failed]',
      'E   DeprecationWarning: invalid use',
      'error: the build failed, skipping the tests',
    ];
    for (const line of reported) expect(failing(line)).toEqual([line]);
  });
  it('finds the line that states how each call ended', () => {
    expect([...outcomeLines(transcript)]).toEqual([
      [0, 'a.c:3:1: error: missing semicolon'],
      [1, 'File written'],
      [2, 'cc a.c'],
    ]);
    const outcomeOf = (name: string, text: string): string | undefined =>
      outcomeLines(readTranscriptLines(callsWithResults([call('a', name, {}), text]), () => false)).get(0);
    expect(outcomeOf('Bash', 'output: 4, exit_code: 0, error: null')).toBe('output: 4, exit_code: 0, error: null');
    expect(outcomeOf('Bash', 'done\nerror: null')).toBe('done');
    expect(outcomeOf('Bash', 'Traceback (most recent call last):\n  x()\nKeyError: 4')).toBe('KeyError: 4');
    expect(outcomeOf('bash', '<returncode>0</returncode>\n<output>\n4\n</output>')).toBe('4');
    expect(outcomeOf('bash', 'OBSERVATION:\ntotal 12')).toBe('total 12');
    expect(outcomeOf('edit', 'ERROR:\nNo text was replaced.\nLine 2')).toBe('ERROR: No text was replaced.');
    expect(outcomeOf('bash', ">       raise TypeError('no')\nE       TypeError: no")).toBe('E       TypeError: no');
    expect(outcomeOf('bash', '=== RUN   TestExplain\n--- PASS: TestExplain (0.00s)')).toBeUndefined();
    expect(outcomeOf('bash', '<returncode>1</returncode>\n<output>')).toBe('<returncode>1</returncode>');
    expect(outcomeOf('Grep', 'a.ts\nb.ts\nc.ts\nd.ts: connection refused')).toBeUndefined();
    expect(outcomeOf('Read', 'const a = 1;')).toBeUndefined();
    expect(
      outcomeOf('find_symbol', `{"body": "${'let a;\\n'.repeat(60)} log(\\"Failed to start\\")"}`),
    ).toBeUndefined();
    expect(outcomeOf('Task', 'It has four parts.\n\nFirst\nSecond\nA failed login is an error.')).toBeUndefined();
    expect(outcomeOf('book_flight', 'Booked: A12')).toBe('Booked: A12');
    expect(outcomeOf('Read', 'error: file not found')).toBe('error: file not found');
  });
});

describe('rankTranscriptLines', () => {
  const messages = [
    system('You are a coding agent.'),
    user('Make readLedger faster; the key is hunter2.'),
    ...callsWithResults([call('1', 'Read', { file_path: 'ledger.ts' }), 'export function readLedger() {}\n}']),
  ];
  const host = createHost({
    tokens: quarterCounter,
    redact: (text) => text.replaceAll('hunter2', '[secret]'),
    reader: agentReader,
  });
  const ranked = (topic?: string): ReturnType<ReturnType<typeof rankTranscriptLines>>[] => {
    const of = rankTranscriptLines(Transcript.of(messages, quarterCounter, host), host, topic);
    return messages.map((_, at) => of(at));
  };
  it('returns the redacted lines of each message except system messages', () => {
    expect(ranked().map((lines) => lines.map(({ text }) => text))).toEqual([
      [],
      ['Make readLedger faster; the key is [secret].'],
      ['Read ledger.ts'],
      ['export function readLedger() {}', '}'],
    ]);
  });
  it('ranks lines of a focus topic higher', () => {
    expect(ranked('readLedger')[3]![0]!.worth).toBeGreaterThan(5 * ranked()[3]![0]!.worth);
  });
});

describe('helpers', () => {
  it('cut text without splitting a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(70), (text, length) => {
        expect(startOf(text, length).length).toBeLessThanOrEqual(length);
        if (length > 0) expect(truncate(text, length).length).toBeLessThanOrEqual(length);
        for (const cut of [startOf(text, length), withoutHalfPair(text.slice(length))])
          expect(encodeURIComponent(cut)).toBeTypeOf('string');
      }),
    );
  });
  it('fill the room, and give up after many items that do not fit', () => {
    let offered = 0;
    const taken: number[] = [];
    fillRoom(
      Array.from({ length: 2_000 }, (_, index) => index),
      (item) => {
        offered++;
        if (item > 9) return false;
        taken.push(item);
        return true;
      },
    );
    expect(taken).toHaveLength(10);
    expect(offered).toBe(311);
  });
  it('put every worth into a class, in order', () => {
    const positive = fc.double({ min: Number.MIN_VALUE, max: 1e30, noNaN: true });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        expect(worthClass(Math.max(a, b))).toBeGreaterThanOrEqual(worthClass(Math.min(a, b)));
        expect(worthClass(a)).toBeGreaterThanOrEqual(0);
        expect(worthClass(a)).toBeLessThan(worthClasses);
      }),
    );
  });
});
