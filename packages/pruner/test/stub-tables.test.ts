import { describe, expect, it } from 'vitest';
import { lines, stubOf } from './stub-line.ts';

type Row = readonly [what: string, tool: string, input: unknown, output: string, stub: string];

const log = lines(40);
const numbered = (from: number, count: number, mark: string, width = 6): string =>
  lines(
    count,
    (number) => `${String(from + number - 1).padStart(width)}${mark}  const value${number} = compute(${number});`,
  );

const tables: Readonly<Record<string, readonly Row[]>> = {
  command: [
    [
      'Claude Code',
      'Bash',
      { command: 'npm test', description: 'Run tests' },
      log,
      '[Bash] ran `npm test` -> 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
    [
      'Claude Code, failed',
      'Bash',
      { command: 'cargo build' },
      `Exit code 101\n${log}\nerror[E0425]: cannot find value \`total\` in this scope\n${log}`,
      '[Bash] ran `cargo build` -> exit 101, 81 lines output, removed: error[E0425]: cannot find value `total` in this scope',
    ],
    [
      'Codex, JSON',
      'shell',
      { command: ['bash', '-lc', 'ls src'], workdir: '/repo' },
      JSON.stringify({ output: `${log}\n`, metadata: { exit_code: 0, duration_seconds: 0.1 } }),
      '[shell] ran `ls src` -> exit 0, 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
    [
      'Codex, argument vector',
      'shell',
      { command: ['rg', '-n', 'main'] },
      `Exit code: 2\nWall time: 0.1 seconds\nOutput:\n${log}\nrg: no such file`,
      '[shell] ran `rg -n main` -> exit 2, 41 lines output, removed: rg: no such file',
    ],
    [
      'Codex, exec_command',
      'exec_command',
      { cmd: 'make' },
      `Chunk ID: a1b2c3\nWall time: 1.2 seconds\nProcess exited with code 2\nOriginal token count: 300\nOutput:\n${log}\nmake: *** [all] Error 2`,
      '[exec_command] ran `make` -> exit 2, 41 lines output, removed: make: *** [all] Error 2',
    ],
    [
      'Hermes',
      'terminal',
      { command: 'npm test' },
      JSON.stringify({ output: log, exit_code: 0, error: null }),
      '[terminal] ran `npm test` -> exit 0, 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
    [
      'Hermes, failed with an error field',
      'terminal',
      { command: 'sleep 900' },
      JSON.stringify({ output: log, exit_code: 124, error: 'Command timed out after 180s' }),
      '[terminal] ran `sleep 900` -> exit 124, 40 lines output, removed: Command timed out after 180s',
    ],
    [
      'Hermes, cut off in the JSON',
      'terminal',
      { command: 'cat big.log' },
      JSON.stringify({ output: log, exit_code: 0 }).slice(0, -40),
      '[terminal] ran `cat big.log` -> 39 lines output, removed: line 34 of the output line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the outpu',
    ],
    [
      'OpenHands',
      'execute_bash',
      { command: 'make clean && make' },
      `${log}\nmake: *** [Makefile:192: build] Error 2\n[The command completed with exit code 2.]`,
      '[execute_bash] ran `make clean && make` -> exit 2, 41 lines output, removed: make: *** [Makefile:192: build] Error 2',
    ],
    [
      'OpenHands, several trailers',
      'execute_bash',
      { command: 'ls' },
      `${log}\n[The command completed with exit code 0.]\n[Current working directory: /repo]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 0]`,
      '[execute_bash] ran `ls` -> exit 0, 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
    [
      'mini-swe-agent',
      'bash',
      { command: 'python run.py' },
      `<returncode>1</returncode>\n<output>\nTraceback (most recent call last):\n  File "run.py", line 3, in <module>\n${log}\nNameError: name 'total' is not defined\n</output>`,
      "[bash] ran `python run.py` -> exit 1, 43 lines output, removed: NameError: name 'total' is not defined",
    ],
    [
      'SWE-agent',
      'bash',
      { command: 'ls -F' },
      `${log}\n(Open file: n/a)\n(Current directory: /repo)\nbash-$`,
      '[bash] ran `ls -F` -> 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
    [
      'pi',
      'bash',
      { command: 'npm run check' },
      `${log}\nsrc/a.ts(3,1): error TS2304: Cannot find name 'x'.\n\nCommand exited with code 2`,
      "[bash] ran `npm run check` -> exit 2, 41 lines output, removed: src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
    ],
    [
      'trailing [exit 2]',
      'bash',
      { command: 'false' },
      `${log}\nnot found: gizmo\n[exit 2]`,
      '[bash] ran `false` -> exit 2, 41 lines output, removed: not found: gizmo',
    ],
    [
      'a program that prints about exits says no exit code',
      'Bash',
      { command: 'cat notes' },
      `${log}\nThe tool gave exit code 3 yesterday, then went on.`,
      '[Bash] ran `cat notes` -> 41 lines output, removed: line 37 of the output line 38 of the output line 39 of the output line 40 of the output The tool gave exit code 3 yesterday, then went on.',
    ],
    [
      'an MCP server',
      'mcp__shell__run_command',
      { command: 'uptime' },
      log,
      '[mcp__shell__run_command] ran `uptime` -> 40 lines output, removed: line 35 of the output line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output',
    ],
  ],
  'test run, build or diff': [
    [
      'tsc, no exit code stated',
      'Bash',
      { command: 'tsc' },
      `src/a.ts(3,1): error TS2304: Cannot find name 'x'.\nsrc/b.ts(9,4): error TS2551: Did you mean 'y'?\n\n${log}\nFound 2 errors in 2 files.`,
      "[Bash] ran `tsc` -> 44 lines output, removed: src/a.ts(3,1): error TS2304: Cannot find name 'x'. | src/b.ts(9,4): error TS2551: Did you mean 'y'? | Found 2 errors in 2 files.",
    ],
    [
      'go',
      'bash',
      { command: 'go test ./...' },
      `ok  \texample.com/a\t0.01s\n--- FAIL: TestParse (0.00s)\n    parse_test.go:12: got 3, want 4\n${log}\nFAIL\nFAIL\texample.com/b\t0.02s\n\nCommand exited with code 1`,
      '[bash] ran `go test ./...` -> exit 1, 45 lines output, removed: --- FAIL: TestParse (0.00s) | FAIL example.com/b 0.02s',
    ],
    [
      'pytest',
      'bash',
      { command: 'pytest -q' },
      `${log}\nE       assert 3 == 4\nFAILED tests/test_range.py::test_tilde - assert 3 == 4\n1 failed, 12 passed in 0.31s\n[exit 1]`,
      '[bash] ran `pytest -q` -> exit 1, 43 lines output, removed: FAILED tests/test_range.py::test_tilde - assert 3 == 4 | E assert 3 == 4 | 1 failed, 12 passed in 0.31s',
    ],
    [
      'vitest, with a mark in front of the test',
      'Bash',
      { command: 'npx vitest run' },
      ` \u2713 test/a.test.ts (3 tests)\n   \u00d7 reads a range\n${log}\n Tests  1 failed | 12 passed (13)`,
      '[Bash] ran `npx vitest run` -> 43 lines output, removed: \u00d7 reads a range | Tests 1 failed | 12 passed (13)',
    ],
    [
      'cargo',
      'Bash',
      { command: 'cargo test' },
      `Exit code 101\ntest range::tests::tilde ... FAILED\ntest range::tests::caret ... ok\n${log}\ntest result: FAILED. 1 passed; 1 failed`,
      '[Bash] ran `cargo test` -> exit 101, 43 lines output, removed: test range::tests::tilde ... FAILED | test result: FAILED. 1 passed; 1 failed',
    ],
    [
      'git diff',
      'Bash',
      { command: 'git diff' },
      `diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,9 +1,9 @@\n-const a = 1;\n+const a = 2;\n+const b = 3;\n${lines(20, () => ' context')}\ndiff --git a/b.md b/b.md\n--- a/b.md\n+++ b/b.md\n-gone\n context`,
      '[Bash] ran `git diff` -> 32 lines output, removed: src/a.ts +2 -1, b.md +0 -1',
    ],
    [
      'configure and make',
      'Bash',
      { command: 'make' },
      `${lines(13, (number) => `checking for header${number}.h... yes`)}\nconfigure: done\n${lines(30, () => 'building the library...')}`,
      '[Bash] ran `make` -> 44 lines output, removed: checking for header13.h... yes (repeated) configure: done building the library... (repeated)',
    ],
    [
      'a passing run keeps its end',
      'Bash',
      { command: 'npm test' },
      `Exit code 0\n${log}\n0 failed, 12 passed`,
      '[Bash] ran `npm test` -> exit 0, 41 lines output, removed: line 36 of the output line 37 of the output line 38 of the output line 39 of the output line 40 of the output 0 failed, 12 passed',
    ],
  ],
  read: [
    [
      'Claude Code',
      'Read',
      { file_path: '/repo/src/a.ts', offset: 440, limit: 20 },
      numbered(440, 20, '\u2192'),
      '[Read] read /repo/src/a.ts lines 440 to 459 (741 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4);',
    ],
    [
      'Claude Code, with a reminder behind',
      'Read',
      { file_path: '/repo/a.ts' },
      `${numbered(1, 20, '\u2192')}\n\n<system-reminder>\nMind the file.\n5: five\n</system-reminder>\n`,
      '[Read] read /repo/a.ts lines 1 to 20 (803 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4); const value5 = compute(5);',
    ],
    [
      'opencode',
      'read',
      { filePath: '/repo/b.md' },
      `<path>/repo/b.md</path>\n<type>file</type>\n<content>\n${numbered(1, 30, ': ', 1)}\n\n(End of file - total 30 lines)\n</content>`,
      '[read] read /repo/b.md lines 1 to 30 (1,117 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4); const value5 = compute(5);',
    ],
    [
      'Hermes',
      'read_file',
      { path: '~/app/config.py', offset: 240, limit: 30 },
      JSON.stringify({ content: numbered(240, 30, '|'), total_lines: 940, truncated: true }),
      '[read_file] read ~/app/config.py lines 240 to 269 (1,199 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4);',
    ],
    [
      'str_replace_editor',
      'str_replace_editor',
      { command: 'view', path: '/repo/p.c', view_range: [650, 659] },
      `Here's the result of running \`cat -n\` on /repo/p.c:\n${numbered(650, 10, '\t')}\n`,
      '[str_replace_editor] read /repo/p.c lines 650 to 659 (414 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4);',
    ],
    [
      'SWE-agent',
      'open',
      { path: 'src/fields.py', line_number: 3 },
      `[File: src/fields.py (9 lines total)]\n(2 more lines above)\n${numbered(3, 6, ':', 1)}\n(1 more lines below)\n(Open file: /repo/src/fields.py)\n(Current directory: /repo)\nbash-$`,
      '[open] read src/fields.py lines 3 to 8 (332 chars, removed): const value1 = compute(1); const value2 = compute(2); const value3 = compute(3); const value4 = compute(4); const value5 = compute(5);',
    ],
    [
      'raw text says where it was told to begin',
      'read',
      { path: '/repo/raw.ts', offset: 30, limit: 40 },
      `import x from 'y';\nexport class Engine {\n${log}`,
      '[read] read /repo/raw.ts from line 30 (911 chars, removed): export class Engine {',
    ],
    [
      'raw text from the start claims no lines',
      'read',
      { path: '/repo/raw.ts' },
      log,
      '[read] read /repo/raw.ts (870 chars, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output line 7 of the output',
    ],
    [
      'numbers that do not follow each other are no line numbers',
      'read',
      { path: '/repo/years.txt' },
      `1999: one\n2004: two\n${log}`,
      '[read] read /repo/years.txt (890 chars, removed): 1999: one 2004: two line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output',
    ],
    [
      'an error of the harness',
      'Read',
      { file_path: '/repo/none.ts' },
      `<tool_use_error>File does not exist. ${'Did you mean another one? '.repeat(10)}</tool_use_error>`,
      '[Read] read of /repo/none.ts -> error (314 chars, removed): File does not exist. Did you mean another one? Did you mean another one? Did you mean another one? Did you mean another one? Did you mean …',
    ],
    [
      'a long path keeps its end',
      'Read',
      { file_path: `/home/me/${'deep/'.repeat(30)}last.ts` },
      numbered(1, 10, '\u2192'),
      '[Read] read …p/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/last.ts lines 1 to 10 (361 chars, removed): const value1 = compute(1); const value2 = compute(2);',
    ],
    [
      'a long path parts no surrogate pair',
      'Read',
      { file_path: `/${'\u{1f4c1}'.repeat(60)}` },
      numbered(1, 10, '\u2192'),
      '[Read] read …📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁📁 lines 1 to 10 (361 chars, removed): const value1 = compute(1); const value2 = compute(2);',
    ],
  ],
  write: [
    [
      'the size of the change, not of the result',
      'write_file',
      { path: 'a.py', content: 'x'.repeat(5_000) },
      `Wrote the file.\n${'It is well.\n'.repeat(30)}`,
      '[write_file] change of a.py, 5,000 chars written -> (376 chars result, removed): Wrote the file. It is well. (repeated)',
    ],
    [
      'Claude Code',
      'Edit',
      { file_path: '/repo/a.ts', old_string: 'a', new_string: 'b' },
      `The file /repo/a.ts has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${numbered(10, 6, '\u2192')}`,
      '[Edit] change of /repo/a.ts, 1 char written -> (324 chars result, removed): const value3 = compute(3); const value4 = compute(4); const value5 = compute(5); const value6 = compute(6);',
    ],
    [
      'Codex',
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch' },
      `Success. Updated the following files:\n${lines(20, (number) => `M src/file${number}.rs`)}`,
      '[apply_patch] change of src/a.rs, +1 -1 lines -> (348 chars result, removed): M src/file14.rs M src/file15.rs M src/file16.rs M src/file17.rs M src/file18.rs M src/file19.rs M src/file20.rs',
    ],
    [
      'Hermes, refused',
      'patch',
      { mode: 'replace', path: '~/a.md' },
      JSON.stringify({ success: false, error: `Could not find the text. ${'Read the file again. '.repeat(12)}` }),
      '[patch] change of ~/a.md -> error (305 chars result, removed): Could not find the text. Read the file again. Read the file again. Read the file again. Read the file again. Read the file again. Read …',
    ],
    [
      'str_replace_editor, refused',
      'str_replace_editor',
      { command: 'str_replace', path: '/repo/p.c' },
      `ERROR:\nNo replacement was performed: the text appears in several places, namely ${lines(14)}`,
      '[str_replace_editor] change of /repo/p.c -> error (378 chars result, removed): ERROR: No replacement was performed: the text appears in several places, namely line 1 of the output',
    ],
  ],
  search: [
    [
      'Claude Code, files',
      'Grep',
      { pattern: 'compress', path: '/repo/agent' },
      `Found 12 files\n${lines(12, (number) => `/repo/agent/module_${number}.py`)}`,
      "[Grep] search for 'compress' in /repo/agent -> 12 files, removed: /repo/agent/module_1.py /repo/agent/module_2.py /repo/agent/module_3.py /repo/agent/module_4.py /repo/agent/module_5.py",
    ],
    [
      'Claude Code, lines',
      'Grep',
      { pattern: 'clone', output_mode: 'content', '-n': true },
      lines(9, (number) => `${number * 7}:  let copy${number} = value.clone();`),
      "[Grep] search for 'clone' -> 9 matches, removed: 7: let copy1 = value.clone(); 14: let copy2 = value.clone(); 21: let copy3 = value.clone(); 28: let copy4 = value.clone();",
    ],
    [
      'matches among context',
      'Grep',
      { pattern: 'x', path: '/a.ts', '-n': true, context: 1 },
      lines(
        4,
        (number) =>
          `${number * 9 - 1}-  before it 3: no match\n${number * 9}:  const x = ${number};\n${number * 9 + 1}-  after it\n--`,
      ),
      "[Grep] search for 'x' in /a.ts -> 4 matches, removed: 8- before it 3: no match 9: const x = 1; 10- after it 17- before it 3: no match 18: const x = 2; 19- after it 26- before it 3: no match",
    ],
    [
      'opencode',
      'grep',
      { pattern: 'gem', include: '*.md' },
      `Found 22 matches\n/repo/a.md:\n${log}`,
      "[grep] search for 'gem' -> 22 matches, removed: /repo/a.md: line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output",
    ],
    [
      'Hermes',
      'search_files',
      { pattern: 'def read', path: 'agent/' },
      JSON.stringify({
        total_count: 12,
        matches: lines(12)
          .split('\n')
          .map((line) => ({ path: 'agent/a.py', line })),
      }),
      '[search_files] search for \'def read\' in agent/ -> 12 matches, removed: {"total_count":12,"matches":[{"path":"agent/a.py","line":"line 1 of the output"},{"path":"agent/a.py","line":"line 2 of the out…',
    ],
    [
      'paths, one a line, and a remark',
      'Glob',
      { pattern: '**/*.ts' },
      `${lines(20, (number) => `/repo/src/part${number}.ts`)}\n(Results are truncated. Consider a more specific pattern.)`,
      "[Glob] search for '**/*.ts' -> 20 matches, removed: /repo/src/part1.ts /repo/src/part2.ts /repo/src/part3.ts /repo/src/part4.ts /repo/src/part5.ts /repo/src/part6.ts /repo/src/part7.ts",
    ],
    [
      'what is asked of a language server: neither a search nor a listing',
      'LSP',
      { operation: 'hover', filePath: '/repo/state.go', line: 63 },
      `Hover info at 63:12:\n\n${log}`,
      '[LSP] {"operation":"hover","filePath":"/repo/state.go","line":63} (892 chars result, removed): Hover info at 63:12: line 1 of the output line 2 of the output line 3 of the output line 4 of the output',
    ],
    [
      'a search by arguments that nobody knows',
      'find_references',
      { symbol: 'resolve' },
      lines(20, (number) => `main.go:${number}: resolve()`),
      '[find_references] {"symbol":"resolve"} (430 chars result, removed): main.go:1: resolve() main.go:2: resolve() main.go:3: resolve() main.go:4: resolve() main.go:5: resolve() main.go:6: resolve()',
    ],
    [
      'a listing',
      'LS',
      { path: '/repo' },
      log,
      '[LS] listed /repo -> 40 lines, removed: line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output line 7 of the output',
    ],
    [
      'ripgrep through an MCP server',
      'mcp__code__search_code',
      { query: 'TODO' },
      lines(8, (number) => `src/a.ts:${number}:  // note number ${number}`),
      "[mcp__code__search_code] search for 'TODO' -> 8 matches, removed: src/a.ts:1: // note number 1 src/a.ts:2: // note number 2 src/a.ts:3: // note number 3 src/a.ts:4: // note number 4",
    ],
  ],
  fetch: [
    [
      'records instead of addresses',
      'web_extract',
      { urls: [{ url: 'https://example.org/a', title: 'A' }, { href: 'https://example.org/b' }, { page: 3 }] },
      log,
      '[web_extract] https://example.org/a https://example.org/b {"page":3} (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output',
    ],
    [
      'Hermes',
      'web_search',
      { query: 'context compaction' },
      `# Results\n${log}`,
      "[web_search] query='context compaction' (880 chars result, removed): # Results line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output",
    ],
    [
      'Claude Code',
      'WebFetch',
      { url: 'https://example.org/spec', prompt: 'What does it say?' },
      log,
      '[WebFetch] https://example.org/spec (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output',
    ],
    [
      'Hermes, several',
      'web_extract',
      { urls: ['https://example.org/a', 'https://example.org/b'] },
      log,
      '[web_extract] https://example.org/a https://example.org/b (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output',
    ],
  ],
  delegate: [
    [
      'Claude Code',
      'Task',
      { description: 'refactor auth module', prompt: 'Do it.' },
      log,
      "[Task] 'refactor auth module' (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output",
    ],
    [
      'Hermes',
      'delegate_task',
      { goal: 'find the bug' },
      log,
      "[delegate_task] 'find the bug' (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output",
    ],
  ],
  browse: [
    [
      'an MCP server',
      'mcp__playwright__browser_navigate',
      { url: 'https://example.org' },
      log,
      "[mcp__playwright__browser_navigate] 'https://example.org' (870 chars, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output",
    ],
  ],
  generic: [
    [
      'an MCP server',
      'linear__list_issues',
      { team: 'core' },
      log,
      '[linear__list_issues] {"team":"core"} (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output',
    ],
    [
      'no arguments',
      'mcp__issues__issue_ready',
      {},
      log,
      '[mcp__issues__issue_ready] called (870 chars result, removed): line 1 of the output line 2 of the output line 3 of the output line 4 of the output line 5 of the output line 6 of the output',
    ],
  ],
};

for (const [kind, rows] of Object.entries(tables)) {
  describe(`a ${kind} result becomes one line`, () => {
    it.each(rows)('%s (%s)', (_what, tool, input, output, stub) => {
      expect(stubOf(tool, input, output)).toBe(stub);
      expect(stub.length).toBeLessThanOrEqual(200);
    });
  });
}

describe('an answer of the user', () => {
  const answer = `User has answered your questions: "Which branch?"="main, and mind ${'the rules, '.repeat(30)}"`;
  it.each([
    'AskUserQuestion',
    'ask_clarification',
    'clarify',
    'request_user_input',
    'ask_followup_question',
    'question',
  ])('stays verbatim (%s)', (tool) => {
    expect(stubOf(tool, {}, answer, { protectTools: [] })).toBe(answer);
  });
  it.each([
    ['ask_database', 'row 1\n'.repeat(8_000)],
    ['Bash', `User has answered your questions: ${'and more output, '.repeat(3_000)}`],
  ])('is not a tool result that only has such a name or wording (%s)', (tool, output) => {
    expect(stubOf(tool, {}, output).length).toBeLessThanOrEqual(200);
  });
  it('stays verbatim in place of a result', () => {
    const refusal = `The user doesn't want to proceed with this tool use. The user said:\n${log}`;
    expect(stubOf('Bash', { command: 'rm -r build' }, refusal)).toBe(refusal);
  });
});
