import { describe, expect, it } from 'vitest';
import { changesBy, changesIn, type Exchange, shown } from './file-work.ts';

const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@ function parse() {\n-one\n+two\n*** End Patch';

describe('a file changed through a tool', () => {
  it.each<[agent: string, exchange: Exchange, change: string, newest: string | null]>([
    [
      'Claude Code',
      ['Edit', { file_path: '/r/a.ts', old_string: 'a', new_string: 'let b;' }, 'The file /r/a.ts has been updated.'],
      '1 /r/a.ts',
      'let b;',
    ],
    [
      'Claude Code',
      ['Write', { file_path: '/r/a.md', content: 'x\n# Title\ny' }, 'File created successfully at: /r/a.md'],
      'C0 /r/a.md',
      '# Title',
    ],
    [
      'Claude Code',
      ['Write', { file_path: '/r/a.md', content: '# New' }, 'The file /r/a.md has been updated.'],
      '1 /r/a.md',
      '# New',
    ],
    [
      'Claude Code',
      [
        'MultiEdit',
        {
          file_path: 'a.py',
          edits: [
            { old_string: 'x', new_string: 'y' },
            { old_string: 'z', new_string: 'def parse():\n  z2' },
          ],
        },
        'Applied 2 edits',
      ],
      '1 a.py',
      'def parse():',
    ],
    [
      'Claude Code',
      ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'print(1)' }, 'ok'],
      '1 a.ipynb',
      'print(1)',
    ],
    [
      'Codex',
      ['apply_patch', { input: patch }, 'Success. Updated the following files:\nM src/a.ts'],
      '1 src/a.ts',
      'function parse() {',
    ],
    [
      'Codex',
      ['apply_patch', patch, '{"output":"Success.","metadata":{"exit_code":0}}'],
      '1 src/a.ts',
      'function parse() {',
    ],
    [
      'Codex',
      ['shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }, 'Exit code: 0\nOutput:\nok'],
      '1 src/a.ts',
      'function parse() {',
    ],
    ['Codex', ['shell', { command: ['apply_patch', patch] }, 'ok'], '1 src/a.ts', 'function parse() {'],
    [
      'Codex',
      ['exec_command', { cmd: 'rm b.ts', workdir: '/r' }, 'Process exited with code 0\nOutput:\n'],
      'D0 /r/b.ts',
      null,
    ],
    ['opencode', ['edit', { filePath: '/r/a.ts', oldString: 'a', newString: 'b();' }, 'ok'], '1 /r/a.ts', 'b();'],
    ['opencode', ['patch', { patchText: patch }, 'ok'], '1 src/a.ts', 'function parse() {'],
    [
      'pi',
      ['edit', { path: 'a.ts', oldText: 'x', newText: 'y();' }, 'Successfully replaced text in a.ts.'],
      '1 a.ts',
      'y();',
    ],
    [
      'Hermes',
      ['patch', { mode: 'replace', path: 'a.py', old_string: 'a', new_string: 'b' }, '{"success": true, "diff": ""}'],
      '1 a.py',
      'b',
    ],
    ['Hermes', ['patch', { mode: 'patch', patch }, '{"success": true}'], '1 src/a.ts', 'function parse() {'],
    [
      'OpenHands',
      [
        'str_replace_editor',
        { command: 'create', path: '/w/a.c', file_text: 'int main() {}' },
        'File created successfully at: /w/a.c',
      ],
      'C0 /w/a.c',
      'int main() {}',
    ],
    [
      'OpenHands',
      [
        'str_replace_editor',
        { command: 'str_replace', path: '/w/a.c', old_str: 'a', new_str: 'b' },
        'The file /w/a.c has been edited.',
      ],
      '1 /w/a.c',
      'b',
    ],
    [
      'OpenHands',
      [
        'str_replace_editor',
        { command: 'insert', path: '/w/a.c', insert_line: 3, new_str: 'new' },
        'The file /w/a.c has been edited.',
      ],
      '1 /w/a.c',
      'new',
    ],
    [
      'SWE-agent',
      ['create', { filename: 'reproduce.py' }, '[File: reproduce.py (1 lines total)]'],
      'C0 reproduce.py',
      null,
    ],
    ['Cline', ['write_to_file', { path: 'a.ts', content: 'class A {}' }, 'ok'], 'C0 a.ts', 'class A {}'],
    [
      'Cline',
      ['replace_in_file', { path: 'a.ts', diff: '------- SEARCH\na\n=======\nfunction b() {}\n+++++++ REPLACE' }, 'ok'],
      '1 a.ts',
      'function b() {}',
    ],
    [
      'Gemini CLI',
      ['replace', { file_path: 'a.go', old_string: 'x', new_string: 'func Run() {' }, 'Successfully modified file'],
      '1 a.go',
      'func Run() {',
    ],
    [
      'Gemini CLI',
      ['run_shell_command', { command: 'mv a.go b.go', directory: 'cmd' }, 'ok'],
      '0 cmd/b.go < cmd/a.go',
      'mv a.go b.go',
    ],
    [
      'Cursor',
      ['edit_file', { target_file: 'a.ts', instructions: 'x', code_edit: '// ...\nexport const f = () => 1;' }, 'ok'],
      '1 a.ts',
      'export const f = () => 1;',
    ],
    ['Cursor', ['delete_file', { target_file: 'a.ts' }, 'ok'], 'D0 a.ts', null],
    [
      'mini-swe-agent',
      ['bash', { command: 'sed -i s/a/b/ a.py' }, '<returncode>0</returncode>\n<output>\n</output>'],
      '1 a.py',
      'sed -i s/a/b/ a.py',
    ],
    [
      'Serena',
      ['mcp__serena__replace_symbol_body', { name_path: 'A/b', relative_path: 'a.ts', body: 'b() {}' }, 'OK'],
      '1 a.ts',
      'b() {}',
    ],
    ['a file server', ['mcp__files__move_file', { source: 'a.ts', destination: 'b.ts' }, 'ok'], '0 b.ts < a.ts', null],
  ])('%s %j', (_, exchange, change, newest) => {
    const found = changesBy(exchange);
    expect(found.map(shown)).toEqual([change]);
    expect(found[0]!.newest).toBe(newest);
  });

  it('is the file opened last, in editors that name none', () => {
    const found = changesBy(
      ['open', { path: '/r/fields.py' }, '[File: /r/fields.py (3 lines total)]'],
      ['edit', { search: 'a', replace: 'b' }, 'Text replaced.'],
    );
    expect(found.map(shown)).toEqual(['1 /r/fields.py']);
  });
});

describe('a file changed through the shell', () => {
  it.each<[script: string, ...changes: string[]]>([
    ["cat > src/a.ts <<'EOF'\nrm b.ts\necho x > c.ts\nEOF", 'C0 src/a.ts'],
    ['cat <<EOF > a.md\n# $Title\nEOF', 'C0 a.md'],
    ['cat <<-EOF >> a.md\n\tx\n\tEOF\nrm b.md', 'C0 a.md', 'D0 b.md'],
    ['echo "a > b.txt" > c.txt', 'C0 c.txt'],
    ['echo 1>out.txt; echo 2>err.txt 2>&1 >/dev/null', 'C0 out.txt'],
    ['make &> build.log', 'C0 build.log'],
    ['echo x | sudo tee -a /etc/hosts', 'C0 /etc/hosts'],
    ['npm test 2>&1 | tee out.log | tail -5', 'C0 out.log'],
    ["sed -i 's/a/b/' a.ts b.ts", '1 a.ts', '1 b.ts'],
    ["sed -i '' -e 's/a/b/' -e 's/c/d/' a.ts", '1 a.ts'],
    ["sed -i.bak -E 's/(a|b)/c/' a.ts", '1 a.ts'],
    ['sed -i "s/$OLD/$NEW/" a.ts', '1 a.ts'],
    ["sed -n '1,20p' a.ts"],
    ["perl -pi -e 's/a/b/' a.ts", '1 a.ts'],
    ["perl -ne 'print' a.ts"],
    ['git mv a.ts lib/', '0 lib/a.ts < a.ts'],
    ['mv a.ts b.ts lib', '0 lib/a.ts < a.ts', '0 lib/b.ts < b.ts'],
    ['mv -f a.ts src/b.ts', '0 src/b.ts < a.ts'],
    ['cp a.ts b.ts', 'C0 b.ts'],
    ['rm -f a.ts && git rm b.ts', 'D0 a.ts', 'D0 b.ts'],
    ['rm -rf node_modules dist .venv'],
    ['rm -rf dist src/a.ts .lock.json', 'D0 src/a.ts', 'D0 .lock.json'],
    ['rm *.log; rm $FILE; rm $(ls)'],
    ['touch a.ts', 'C0 a.ts'],
    ['mkdir -p lib && npm install && cargo build'],
    ['cd packages/x && sed -i s/a/b/ src/a.ts', '1 packages/x/src/a.ts'],
    ['cd /r/lib; (cd ../test && touch a.ts); touch b.ts', 'C0 /r/test/a.ts', 'C0 /r/lib/b.ts'],
    ['FILE=src/a.ts; sed -i s/a/b/ "$FILE"', '1 src/a.ts'],
    ['for f in a.ts b.ts; do sed -i s/a/b/ src/$f; done', '1 src/a.ts', '1 src/b.ts'],
    ['FOO=1 timeout 5 bash -c "echo x > a.txt"', 'C0 a.txt'],
    ['timeout --signal KILL 5 sed -i s/a/b/ a.txt', '1 a.txt'],
    ['stdbuf -oL nice -n 5 touch a.txt', 'C0 a.txt'],
    ['nix-shell --run "touch a.txt"', 'C0 a.txt'],
    [`git commit -m "$(cat <<'EOF'\nDon't (yet\nEOF\n)" && touch a.txt`, 'C0 a.txt'],
    ['docker exec web touch b.txt; touch a.txt # and > c.txt', 'C0 a.txt'],
    [`apply_patch <<'EOF'\n${patch}\nEOF`, '1 src/a.ts'],
    ["patch -p1 <<'EOF'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@ parse\n-a\n+b\nEOF", '1 src/a.ts'],
    ["git apply - <<'EOF'\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+b\nEOF", 'C0 new.ts'],
    [
      "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('src/a.ts')\ns = p.read_text()\np.write_text(s.replace('a', 'b'))\nEOF",
      '1 src/a.ts',
    ],
    ["python - <<'EOF'\nwith open('a.json', 'w') as f:\n  f.write('{}')\nopen('b.json').read()\nEOF", '1 a.json'],
    ["python -c \"open('a.txt', 'a').write(1)\"", 'C0 a.txt'],
    ["node -e \"require('fs').writeFileSync('a.json', '1')\"", 'C0 a.json'],
    ['curl -sSL -o tool.sh https://example.com/tool.sh', 'C0 tool.sh'],
    ['echo done # > a.txt'],
    ['git status > /dev/null 2>&1'],
    ['[ -f a.ts ] && [[ $x > 3 ]]; (( x > 3 )); diff <(sort a) <(sort b)'],
    ['sed -i s/a/b/ /home/<USER_NAME>/a.ts', '1 /home/<USER_NAME>/a.ts'],
  ])('%j', (script, ...changes) => {
    expect(changesIn(script).map(shown).sort()).toEqual([...changes].sort());
  });

  it('is described by its command, or by what is written', () => {
    const notes = changesIn(
      "cd lib && sed -i 's/a/b/' a.ts",
      "cat > b.ts <<'EOF'\n// x\nexport function run() {}\nEOF",
    );
    expect(notes.map(({ newest }) => newest)).toEqual(['export function run() {}', "sed -i 's/a/b/' a.ts"]);
  });
});

describe('a file changed by a script that the agent wrote', () => {
  const fix = `with open('src/a.py') as f:\n  text = f.read()\nwith open('src/a.py', 'w') as f:\n  f.write(text)`;

  it('is changed when the script runs, in the same call or a later one', () => {
    const write = `cd /repo && cat > fix.py << 'EOF'\n${fix}\nEOF\n`;
    expect(changesIn(`${write}python fix.py && git diff`).map(shown)).toEqual(['C0 /repo/fix.py', '1 /repo/src/a.py']);
    expect(changesIn(write).map(shown)).toEqual(['C0 /repo/fix.py']);
    const [newest] = changesIn(
      write,
      'cd /repo && git status',
      'cd /repo && python3 -u ./fix.py',
      'cd /repo; python fix.py',
    );
    expect(shown(newest!)).toBe('2 /repo/src/a.py');
    expect(newest!.newest).toBe('python fix.py');
    expect(newest!.indices).toEqual([4, 6]);
  });

  it('is found for scripts of tools, of Node and of the shell, relative to where they run', () => {
    const written = changesBy(
      ['write_file', { path: '/repo/tools/fix.js', content: "fs.writeFileSync('out/b.json', '{}')" }, 'ok'],
      ['bash', { command: 'cd /repo && node tools/fix.js' }, ''],
      ['bash', { command: "cat > /repo/run.sh <<'EOF'\nsed -i s/a/b/ src/c.ts\nrm src/d.ts\nEOF" }, ''],
      ['bash', { command: 'cd /repo && bash run.sh --fast' }, ''],
      ['bash', { command: 'cd /repo/web && ../run.sh' }, ''],
    );
    expect(written.map(shown).filter((line) => !/tools|run\.sh/.test(line))).toEqual([
      '1 /repo/web/src/c.ts',
      'D0 /repo/web/src/d.ts',
      '1 /repo/src/c.ts',
      'D0 /repo/src/d.ts',
      'C0 /repo/out/b.json',
    ]);
  });

  it('is not changed if the script fails, changes its folder, is another one, or is only tested', () => {
    const script = ['write_file', { path: '/repo/fix.py', content: fix }, 'ok'] as const;
    for (const [command, output] of [
      ['cd /repo && python fix.py', 'Traceback (most recent call last):\nKeyError: 1\n\nExit code 1'],
      ['cd /repo && python other/fix.py', ''],
      ['cd /repo && python -m fix.py', ''],
      ['cd /repo && cat fix.py', ''],
    ] as const)
      expect([command, ...changesBy(script, ['bash', { command }, output]).map(shown)]).toEqual([
        command,
        'C0 /repo/fix.py',
      ]);
    const moving = { path: '/repo/fix.py', content: `os.chdir(tmp)\n${fix}` };
    expect(
      changesBy(['write_file', moving, 'ok'], ['bash', { command: 'python /repo/fix.py' }, '']).map(shown),
    ).toEqual(['C0 /repo/fix.py']);
  });
});

describe('the history of a file', () => {
  it.each<[title: string, exchanges: Exchange[], changes: string[]]>([
    [
      'created, then edited',
      [
        ['write', { path: 'a.ts', content: 'x' }, 'ok'],
        ['edit', { path: 'a.ts', newText: 'y' }, 'ok'],
      ],
      ['C1 a.ts'],
    ],
    [
      'read, then written',
      [
        ['read', { path: 'a.ts' }, 'x'],
        ['write', { path: 'a.ts', content: 'x' }, 'ok'],
      ],
      ['1 a.ts'],
    ],
    [
      'not found, then written',
      [
        ['Read', { file_path: 'a.ts' }, '<tool_use_error>File does not exist.</tool_use_error>'],
        ['Write', { file_path: 'a.ts', content: 'x' }, 'ok'],
      ],
      ['C0 a.ts'],
    ],
    [
      'created, then deleted',
      [
        ['bash', { command: 'touch a.ts' }, ''],
        ['bash', { command: 'rm a.ts' }, ''],
      ],
      ['CD0 a.ts'],
    ],
    [
      'a temporary one, created, then deleted',
      [
        ['bash', { command: 'touch /tmp/a.ts' }, ''],
        ['bash', { command: 'rm /tmp/a.ts' }, ''],
      ],
      [],
    ],
    [
      'edited, then deleted',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'rm a.ts' }, ''],
      ],
      ['D1 a.ts'],
    ],
    [
      'edited, then deleted with its folder',
      [
        ['edit', { path: 'lib/a.ts' }, 'ok'],
        ['bash', { command: 'rm -rf lib' }, ''],
      ],
      ['D1 lib/a.ts'],
    ],
    [
      'edited, renamed twice, edited',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'mv a.ts b.ts; mv b.ts c.ts; echo >> c.ts' }, ''],
      ],
      ['2 c.ts < a.ts'],
    ],
    ['renamed and back', [['bash', { command: 'mv a.ts b.ts; echo >> b.ts; mv b.ts a.ts' }, '']], ['1 a.ts']],
    ['created, then renamed', [['bash', { command: 'touch a.ts; mv a.ts b.ts' }, '']], ['C0 b.ts']],
    [
      'edited, then reverted',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git checkout -- a.ts' }, ''],
      ],
      [],
    ],
    [
      'edited, committed, edited, reverted',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git commit -am x' }, ''],
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git restore .' }, ''],
      ],
      ['1 a.ts'],
    ],
    [
      'edited, committed, reverted',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git commit -am x && git reset --hard' }, ''],
      ],
      ['1 a.ts'],
    ],
    [
      'taken from another commit',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git checkout HEAD~1 a.ts' }, ''],
        ['bash', { command: 'git checkout v1.2.0 b.ts' }, ''],
      ],
      ['1 b.ts', '2 a.ts'],
    ],
    [
      'edited, then two reverted',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['edit', { path: 'src/b.ts' }, 'ok'],
        ['bash', { command: 'git checkout src/b.ts a.ts' }, ''],
      ],
      [],
    ],
    ['created, then all reverted', [['bash', { command: 'touch a.ts; git checkout .' }, '']], ['C0 a.ts']],
    [
      'another branch checked out',
      [
        ['edit', { path: 'a.ts' }, 'ok'],
        ['bash', { command: 'git checkout main' }, ''],
      ],
      ['1 a.ts'],
    ],
    [
      'three spellings',
      [
        ['edit', { path: '/r/lib/a.ts' }, 'ok'],
        ['bash', { command: 'cd /r && ls' }, ''],
        ['edit', { path: './lib/a.ts' }, 'ok'],
        ['edit', { path: 'lib/a.ts' }, 'ok'],
      ],
      ['3 lib/a.ts'],
    ],
    [
      'one name in two folders',
      [
        ['edit', { path: '/r/a.ts' }, 'ok'],
        ['edit', { path: 'a.ts' }, 'ok'],
      ],
      ['1 a.ts', '1 /r/a.ts'],
    ],
    [
      'two spellings, from which the folder follows',
      [
        ['edit', { path: '/r/lib/core/a.ts' }, 'ok'],
        ['edit', { path: '/r/lib/b.ts' }, 'ok'],
        ['edit', { path: 'lib/core/a.ts' }, 'ok'],
        ['edit', { path: 'lib/b.ts' }, 'ok'],
      ],
      ['2 lib/b.ts', '2 lib/core/a.ts'],
    ],
    [
      'two spellings that fit to two folders',
      [
        ['edit', { path: '/r/lib/core/a.ts' }, 'ok'],
        ['edit', { path: '/s/lib/core/b.ts' }, 'ok'],
        ['edit', { path: 'lib/core/a.ts' }, 'ok'],
        ['edit', { path: 'core/b.ts' }, 'ok'],
      ],
      ['1 core/b.ts', '1 lib/core/a.ts', '1 /s/lib/core/b.ts', '1 /r/lib/core/a.ts'],
    ],
  ])('%s', (_, all, changes) => {
    expect(changesBy(...all).map(shown)).toEqual(changes);
  });

  it('starts with the newest change', () => {
    const found = changesIn('touch a.ts', 'touch b.ts', 'echo >> a.ts');
    expect(found.map(({ path, index }) => [path, index])).toEqual([
      ['a.ts', 4],
      ['b.ts', 2],
    ]);
  });
});

describe('a call that changes nothing', () => {
  it.each<[title: string, exchange: Exchange]>([
    ['has no result', ['Edit', { file_path: 'a.ts' }]],
    [
      'is rejected',
      ['Edit', { file_path: 'a.ts' }, '<tool_use_error>String to replace not found in file.</tool_use_error>'],
    ],
    ['is refused', ['Write', { file_path: 'a.ts' }, "The user doesn't want to proceed with this tool use."]],
    [
      'is refused in the shell',
      ['Bash', { command: 'echo > a.ts; ls' }, "The user doesn't want to proceed with this tool use."],
    ],
    [
      'does not find the text',
      ['str_replace_editor', { command: 'str_replace', path: 'a.ts' }, 'ERROR:\nNo replacement was performed'],
    ],
    [
      'reports an error as JSON',
      ['patch', { path: 'a.ts', new_string: 'x' }, '{"success": false, "error": "Failed to read file: a.ts"}'],
    ],
    ['only looks', ['str_replace_editor', { command: 'view', path: 'a.ts' }, 'x']],
    [
      'fails in the shell',
      ['bash', { command: 'sed -i s/a/b/ a.ts' }, "sed: can't read a.ts: No such file or directory"],
    ],
    ['ends with an exit code', ['bash', { command: 'rm a.ts' }, '<returncode>1</returncode>\n<output>\n</output>']],
    [
      'writes into a folder that does not exist',
      ['bash', { command: 'echo x > lib/a.ts' }, 'bash: line 1: lib/a.ts: No such file or directory'],
    ],
  ])('%s', (_, exchange) => {
    expect(changesBy(exchange)).toEqual([]);
  });

  it('names a blank path', () => {
    expect(changesBy(['Edit', { path: '\n' }, 'ok'], ['Write', { paths: [' '], content: 'x' }, 'ok'])).toEqual([]);
  });

  it('leaves out the description that some recorders put before a command', () => {
    const input = 'Remove the cache\n\n`rm cache.txt && touch a.ts`';
    expect(changesBy(['Bash', { input }, 'ok']).map(shown)).toEqual(['D0 cache.txt', 'C0 a.ts']);
  });

  it('does not undo what a script did before it failed', () => {
    const failed = (command: string): string[] => changesBy(['bash', { command }, 'Exit code 1\n1 failed']).map(shown);
    expect(failed('sed -i s/a/b/ a.ts && npm test')).toEqual(['1 a.ts']);
    expect(failed('npm test > out.txt')).toEqual(['C0 out.txt']);
  });
});

it('two repositories with a file of the same relative path stay apart', () => {
  const changes = changesBy(
    ['write_file', { path: '/repo-a/src/index.ts', content: 'a' }, 'ok'],
    ['bash', { command: 'rm src/index.ts' }, ''],
  );
  expect(changes.map(shown).sort()).toEqual(['C0 /repo-a/src/index.ts', 'D0 src/index.ts']);
});
