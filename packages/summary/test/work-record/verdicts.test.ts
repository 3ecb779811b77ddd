import type { Message } from '@palimpsest/core';
import { arbitraryTranscript, assistant, call, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';
import type { Verdict } from '../../src/work-record/verdicts/verdicts.ts';

const lastVerdicts = (messages: readonly Message[]): readonly Verdict[] => readWorkRecord({ messages }).verdicts;

/** A transcript of commands with their results. */
function session(...runs: (readonly [command: string, output: string])[]): Message[] {
  return runs.flatMap(([command, output], at) => [
    assistant('', call(`c${at}`, 'Bash', { command })),
    result(`c${at}`, output),
  ]);
}

const last = (command: string, output: string) => lastVerdicts(session([command, output]));
const names = (command: string): string[] => last(command, 'out').map(({ family }) => family);

const vitestFailed = `\u001b[1m\u001b[46m RUN \u001b[49m\u001b[22m v3.2.4 /repo

 \u001b[32m✓\u001b[39m test/lines.test.ts \u001b[2m(\u001b[22m4 tests\u001b[2m)\u001b[22m 12ms
 \u001b[31m❯\u001b[39m test/parse.test.ts (3 tests | 2 failed) 18ms
   \u001b[31m×\u001b[39m parser > rejects empty items 7ms
     → expected [] to deeply equal [ 'a' ]
   \u001b[31m×\u001b[39m parser > keeps comments 2ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 \u001b[41m FAIL \u001b[49m test/parse.test.ts > parser > rejects empty items
AssertionError: expected [] to deeply equal [ 'a' ]
 \u001b[41m FAIL \u001b[49m test/parse.test.ts > parser > keeps comments
AssertionError: expected 1 to be 2

 \u001b[2m Test Files \u001b[22m \u001b[31m1 failed\u001b[39m | \u001b[32m1 passed\u001b[39m (2)
 \u001b[2m      Tests \u001b[22m \u001b[31m2 failed\u001b[39m | \u001b[32m5 passed\u001b[39m (7)
`;

const table: [
  name: string,
  command: string,
  output: string,
  verdict: [family: string, outcome: string, line: string, failing?: string[], failingCount?: number],
][] = [
  [
    'vitest with colours',
    'cd web && npx vitest run 2>&1 | tail -40',
    vitestFailed,
    [
      'vitest',
      'failed',
      'Tests  2 failed | 5 passed (7)',
      ['test/parse.test.ts > parser > rejects empty items', 'test/parse.test.ts > parser > keeps comments'],
    ],
  ],
  [
    'vitest passed',
    'pnpm vitest run test/a.test.ts',
    ' Test Files  1 passed (1)\n      Tests  4 passed | 1 skipped (5)\n   Duration  1.2s',
    ['vitest', 'passed', 'Tests  4 passed | 1 skipped (5)'],
  ],
  [
    'jest',
    'npm test',
    '> web@1.0.0 test\n> jest\n\nFAIL src/cart.test.js\n  ● cart › adds an item\n\n    expect(received).toBe(expected)\n\n  ● cart › empties\n\nTest Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 14 passed, 16 total\nSnapshots:   0 total',
    ['npm test', 'failed', 'Tests:       2 failed, 14 passed, 16 total', ['cart › adds an item', 'cart › empties']],
  ],
  [
    'mocha',
    'npx mocha',
    '  cart\n    ✔ adds\n    1) rejects zero\n\n  1 passing (8ms)\n  1 failing\n\n  1) cart\n       rejects zero:\n\n      AssertionError: expected 0',
    ['mocha', 'failed', '1 failing', ['rejects zero'], 1],
  ],
  [
    'node --test',
    'node --test test/',
    '✔ adds (0.5ms)\n✖ rejects zero (1.2ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n✖ failing tests:\n✖ rejects zero (1.2ms)',
    ['node --test', 'failed', 'ℹ fail 1', ['rejects zero'], 1],
  ],
  [
    'bun test',
    'bun test',
    'math.test.ts:\n(pass) adds\n(fail) subtracts [0.12ms]\n\n 1 pass\n 1 fail\nRan 2 tests across 1 file.',
    ['bun test', 'failed', '1 fail', ['subtracts'], 1],
  ],
  [
    'deno test',
    'deno test -A',
    'running 2 tests from ./a.test.ts\nadds ... ok (1ms)\nsubtracts ... FAILED (2ms)\n\n FAILURES\n\nsubtracts => ./a.test.ts:5:6\n\nFAILED | 1 passed | 1 failed (10ms)\n\nerror: Test failed',
    ['deno test', 'failed', 'FAILED | 1 passed | 1 failed (10ms)', ['subtracts'], 1],
  ],
  [
    'pytest',
    'uv run python -m pytest -q',
    '..F.F [100%]\n=================================== FAILURES ===================================\n______ test_total ______\nE   assert 1 == 2\n=========================== short test summary info ============================\nFAILED tests/test_cart.py::test_total - assert 1 == 2\nFAILED tests/test_cart.py::TestTax::test_rate[de] - KeyError\n=== 2 failed, 30 passed, 1 warning in 3.2s ===',
    [
      'pytest',
      'failed',
      '=== 2 failed, 30 passed, 1 warning in 3.2s ===',
      ['tests/test_cart.py::test_total', 'tests/test_cart.py::TestTax::test_rate[de]'],
    ],
  ],
  [
    'pytest -q passed',
    '.venv/bin/pytest -q',
    '....  [100%]\n4 passed in 0.02s',
    ['pytest', 'passed', '4 passed in 0.02s'],
  ],
  [
    'pytest that cannot start',
    'poetry run pytest',
    'ERROR: file or directory not found: test\n\nno tests ran in 0.00s',
    ['pytest', 'failed', 'no tests ran in 0.00s'],
  ],
  [
    'unittest',
    'python3 -m unittest discover',
    '.F\n======================================================================\nFAIL: test_rate (tests.test_tax.TaxTest)\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nFAILED (failures=1)',
    ['unittest', 'failed', 'FAILED (failures=1)', ['test_rate (tests.test_tax.TaxTest)'], 1],
  ],
  [
    'tox',
    'tox',
    'py311: commands[0]> pytest\n=== 1 failed, 2 passed in 0.5s ===\npy311: exit 1 (0.5 seconds)\n  py311: FAIL code 1 (0.50 seconds)\n  lint: OK (0.20 seconds)\n  evaluation failed :( (0.80 seconds)',
    ['tox', 'failed', '=== 1 failed, 2 passed in 0.5s ===', [], 1],
  ],
  [
    'cargo test',
    'cargo test -p parser 2>&1 | tail -30',
    'running 4 tests\ntest lex::skips ... ok\ntest lex::empty ... FAILED\n\nfailures:\n\n---- lex::empty stdout ----\nthread panicked\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `-p parser --lib`',
    [
      'cargo test',
      'failed',
      'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
      ['lex::empty'],
      1,
    ],
  ],
  [
    'cargo clippy',
    'cargo clippy -- -D warnings',
    'error: unused variable: `x`\n  --> src/lib.rs:4:9\n\nerror: could not compile `parser` (lib) due to 1 previous error',
    ['cargo clippy', 'failed', 'error: could not compile `parser` (lib) due to 1 previous error', ['src/lib.rs:4'], 1],
  ],
  [
    'cargo build passed',
    'cargo build --release',
    '   Compiling parser v0.1.0\n    Finished `release` profile [optimized] target(s) in 3.20s',
    ['cargo build', 'passed', 'Finished `release` profile [optimized] target(s) in 3.20s'],
  ],
  [
    'go test',
    'go test ./... 2>&1',
    '--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: got 1\nFAIL\nFAIL\texample.com/cart\t0.004s\nok  \texample.com/tax\t0.002s\nFAIL',
    ['go test', 'failed', 'FAIL\texample.com/cart\t0.004s', ['TestTotal']],
  ],
  [
    'go vet',
    'go vet ./...',
    '# example.com/cart\n./cart.go:12:2: undefined: total',
    ['go vet', 'failed', './cart.go:12:2: undefined: total', ['./cart.go:12']],
  ],
  ['go build, silent', 'go build ./... 2>&1 | head -20', '', ['go build', 'passed', '']],
  [
    'golangci-lint',
    'golangci-lint run',
    'cart.go:3:2: ineffectual assignment to err (ineffassign)\n1 issues:\n* ineffassign: 1',
    ['golangci-lint run', 'failed', '1 issues:', ['cart.go:3'], 1],
  ],
  [
    'make',
    'make -j4 test',
    'gcc -o a a.c\na.c:3:1: error: unknown type name\nmake: *** [Makefile:4: test] Error 1',
    ['make test', 'failed', 'make: *** [Makefile:4: test] Error 1', ['a.c:3']],
  ],
  [
    'Maven',
    './mvnw -q clean verify',
    '[ERROR] Failures: \n[ERROR]   CartTest.total:12 expected: <2> but was: <1>\n[INFO] \n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE',
    ['mvnw verify', 'failed', '[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0', ['CartTest.total'], 1],
  ],
  [
    'Gradle',
    './gradlew test --info',
    '> Task :test FAILED\n\nCartTest > total() FAILED\n    AssertionError\n\n5 tests completed, 1 failed\n\nBUILD FAILED in 3s',
    ['gradlew test', 'failed', '5 tests completed, 1 failed', ['CartTest > total()'], 1],
  ],
  [
    'tsc',
    'npx tsc --noEmit',
    "src/cart.ts(4,7): error TS2345: Argument of type 'string' is not assignable.\nsrc/tax.ts(9,1): error TS2304: Cannot find name 'rate'.",
    [
      'tsc',
      'failed',
      "src/cart.ts(4,7): error TS2345: Argument of type 'string' is not assignable.",
      ['src/cart.ts(4,7)', 'src/tax.ts(9,1)'],
    ],
  ],
  [
    'tsc --pretty',
    'yarn tsc -p .',
    '\u001b[96msrc/cart.ts\u001b[0m:\u001b[93m4\u001b[0m:\u001b[93m7\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2345: \u001b[0mNo.\n\nFound 3 errors in 2 files.',
    ['tsc', 'failed', 'Found 3 errors in 2 files.', ['src/cart.ts:4'], 3],
  ],
  ['tsc, silent', 'npx tsc --noEmit', '', ['tsc', 'passed', '']],
  [
    'eslint',
    'npx eslint src',
    '\n/repo/src/cart.ts\n  4:7  error  Unexpected any  no-explicit-any\n\n/repo/src/tax.ts\n  1:1  warning  Missing return  x\n\n✖ 2 problems (1 error, 1 warning)',
    ['eslint', 'failed', '✖ 2 problems (1 error, 1 warning)', ['/repo/src/cart.ts'], 1],
  ],
  [
    'Biome',
    'npx biome ci .',
    'src/cart.ts:4:7 lint/suspicious/noExplicitAny ━━━━━━━━━━\n\n  ! Unexpected any.\n\nChecked 8 files in 20ms. No fixes applied.\nFound 1 error.',
    ['biome ci', 'failed', 'Found 1 error.', ['src/cart.ts:4'], 1],
  ],
  [
    'Prettier',
    'npx prettier --check .',
    'Checking formatting...\n[warn] src/cart.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
    [
      'prettier --check',
      'failed',
      '[warn] Code style issues found in the above file. Run Prettier with --write to fix.',
      ['src/cart.ts'],
    ],
  ],
  [
    'Ruff',
    'uvx ruff check .',
    'src/cart.py:4:1: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.',
    ['ruff check', 'failed', 'Found 1 error.', ['src/cart.py:4'], 1],
  ],
  [
    'mypy',
    'mypy src',
    'src/cart.py:4: error: Incompatible return value type  [return-value]\nFound 1 error in 1 file (checked 8 source files)',
    ['mypy', 'failed', 'Found 1 error in 1 file (checked 8 source files)', ['src/cart.py:4'], 1],
  ],
  [
    'flake8',
    'flake8 src',
    "src/cart.py:4:1: F401 'os' imported but unused",
    ['flake8', 'failed', "src/cart.py:4:1: F401 'os' imported but unused", ['src/cart.py:4']],
  ],
  [
    'pylint',
    'python -m pylint src',
    'src/cart.py:1:0: C0114: Missing module docstring (missing-module-docstring)\n\nYour code has been rated at 8.75/10',
    [
      'pylint',
      'failed',
      'src/cart.py:1:0: C0114: Missing module docstring (missing-module-docstring)',
      ['src/cart.py:1'],
    ],
  ],
  [
    'Black',
    'black --check .',
    'would reformat src/cart.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged.',
    ['black --check', 'failed', '1 file would be reformatted, 3 files would be left unchanged.', ['src/cart.py'], 1],
  ],
  [
    'RSpec',
    'bundle exec rspec',
    'Failures:\n\n  1) Cart totals\n\n2 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:4 # Cart totals',
    ['rspec', 'failed', '2 examples, 1 failure', ['./spec/cart_spec.rb:4'], 1],
  ],
  [
    'PHPUnit',
    'vendor/bin/phpunit',
    'There was 1 failure:\n\n1) Tests\\CartTest::testTotal\nFailed asserting that 1 matches 2.\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 1.',
    ['phpunit', 'failed', 'Tests: 2, Assertions: 2, Failures: 1.', ['Tests\\CartTest::testTotal'], 1],
  ],
  [
    'dotnet test',
    'dotnet test',
    '  Failed Shop.CartTests.Total [12 ms]\n\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5',
    [
      'dotnet test',
      'failed',
      'Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5',
      ['Shop.CartTests.Total'],
      1,
    ],
  ],
  [
    'CTest',
    'ctest --output-on-failure',
    '50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  2 - cart_total (Failed)',
    ['ctest', 'failed', '50% tests passed, 1 tests failed out of 2', ['cart_total'], 1],
  ],
  [
    'docker build',
    'docker build -t shop .',
    '#7 [3/4] RUN npm ci\n#7 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1\n------\n > [3/4] RUN npm ci:\n------\nERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    [
      'docker build',
      'failed',
      'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
      ['[3/4] RUN npm ci'],
    ],
  ],
  [
    'git push rejected',
    'git push origin main',
    "To github.com:a/b.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:a/b.git'",
    ['git push', 'failed', '! [rejected]        main -> main (fetch first)'],
  ],
  [
    'git push passed',
    'git -C repo push -u origin fix',
    'To github.com:a/b.git\n * [new branch]      fix -> fix',
    ['git push', 'passed', '* [new branch]      fix -> fix'],
  ],
  [
    'git merge',
    'git merge topic',
    'Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed; fix conflicts and then commit the result.',
    ['git merge', 'failed', 'CONFLICT (content): Merge conflict in a.ts', ['a.ts']],
  ],
  [
    'git rebase',
    'git rebase main',
    'Successfully rebased and updated refs/heads/topic.',
    ['git rebase', 'passed', 'Successfully rebased and updated refs/heads/topic.'],
  ],
  [
    'pip install',
    'pip install -r requirements.txt',
    'ERROR: Could not find a version that satisfies the requirement shop==9',
    ['pip install', 'failed', 'ERROR: Could not find a version that satisfies the requirement shop==9'],
  ],
  [
    'pnpm install',
    'pnpm install --frozen-lockfile',
    'Lockfile is up to date, resolution step is skipped\n\nDone in 1.2s',
    ['pnpm install', 'passed', 'Done in 1.2s'],
  ],
  [
    'npm run build',
    'npm run build',
    '> web@1.0.0 build\n> vite build\n\nvite v5.4.0 building for production...\n✓ 30 modules transformed.\n✓ built in 1.20s',
    ['npm run build', 'passed', '✓ built in 1.20s'],
  ],
  [
    'an npm script that is missing',
    'npm run lint',
    'npm error Missing script: "lint"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
    ['npm run lint', 'failed', 'npm error Missing script: "lint"'],
  ],
  [
    'terraform',
    'terraform -chdir=infra apply -auto-approve',
    'Apply complete! Resources: 2 added, 0 changed, 0 destroyed.',
    ['terraform apply', 'passed', 'Apply complete! Resources: 2 added, 0 changed, 0 destroyed.'],
  ],
  [
    'kubectl',
    'kubectl -n shop apply -f cart.yaml',
    'Error from server (NotFound): namespaces "shop" not found',
    ['kubectl apply', 'failed', 'Error from server (NotFound): namespaces "shop" not found'],
  ],
];

/** Programs that nothing in the package names. */
const unknown: [
  command: string,
  output: string,
  verdict: [family: string, outcome: string, line: string, failing?: string[]],
][] = [
  [
    './scripts/run-tests.sh --all',
    'suite a\nFAIL: parses dates\nFAIL: parses times\n12 passed, 2 failed',
    ['run-tests', 'failed', '12 passed, 2 failed', ['parses dates', 'parses times']],
  ],
  ['zeta test src', 'running\nok: 40 tests passed', ['zeta test', 'passed', 'ok: 40 tests passed']],
  [
    'quux lint',
    'src/a.qx:4:7: unknown name\nsrc/b.qx:1:1: unused import',
    ['quux lint', 'failed', 'src/a.qx:4:7: unknown name', ['src/a.qx:4', 'src/b.qx:1']],
  ],
  ['quux build --release', 'Error: cannot open lib.qx', ['quux build', 'failed', 'Error: cannot open lib.qx']],
  ['quux build', 'linking\nBuild finished successfully', ['quux build', 'passed', 'Build finished successfully']],
  ['quux build', '', ['quux build', 'passed', '']],
  ['quux check', 'an error may be hidden here', ['quux check', 'unknown', '']],
  ['frob all', '7 tests passed, 0 failed', ['frob all', 'passed', '7 tests passed, 0 failed']],
];

describe('the verdict of a program that is not known', () => {
  it.each(unknown)('%s: %s', (command, output, [family, outcome, line, failing = []]) => {
    expect(last(command, output)).toMatchObject([{ family, outcome, line, failing }]);
  });

  it('is not told if it only ran or failed', () => {
    expect(last('frob all', 'Exit code 1\nno such frob')).toEqual([]);
    expect(last('python convert.py', 'Traceback (most recent call last):\nKeyError: 3')).toEqual([]);
  });
});

describe('the verdict of a command', () => {
  it.each(table)('%s', (_, command, output, [family, outcome, line, failing = [], count]) => {
    expect(last(command, output)).toEqual([
      {
        family,
        command: expect.any(String),
        outcome,
        line,
        failing,
        failingCount: count ?? failing.length,
        newest: true,
        index: 1,
        callIndex: 0,
      },
    ]);
  });

  it('is what the exit code says, where the agent states it', () => {
    expect(last('npm test', 'Exit code 1\n> jest\nsegmentation fault')).toMatchObject([
      { outcome: 'failed', line: 'segmentation fault' },
    ]);
    expect(last('npm test', '{"output":"1 errors were expected","exit_code":0}')).toMatchObject([
      { outcome: 'passed' },
    ]);
    expect(last('make', 'a warning: error ahead\n\nCommand exited with code 2')).toMatchObject([{ outcome: 'failed' }]);
  });

  it('is not what the exit code of a filter says', () => {
    const output = '=== 1 failed, 2 passed in 0.5s ===\n[The command completed with exit code 0.]';
    expect(last('pytest | tail -1', output)).toMatchObject([{ outcome: 'failed' }]);
    expect(last('pytest || true', output)).toMatchObject([{ outcome: 'failed' }]);
  });

  it('is what the script itself prints', () => {
    expect(last('npm run gen; echo "exit=$?"', 'wrote 3\nexit=3')).toMatchObject([{ outcome: 'failed' }]);
    expect(last('npm run gen && echo "ALL GOOD"', 'wrote 3\nALL GOOD')).toMatchObject([{ outcome: 'passed' }]);
    expect(last('npm run gen > /dev/null || echo BROKEN', 'BROKEN')).toMatchObject([{ outcome: 'failed' }]);
    const built = last('gofmt -w . && go build -o a ./... | head && echo OK', 'go: cannot write multiple packages\nOK');
    expect(built).toMatchObject([
      { family: 'go build', outcome: 'failed' },
      { family: 'gofmt', outcome: 'passed' },
    ]);
  });

  it('is unknown for a command that was stopped or has no result, and says so', () => {
    expect(last('npm test', 'Command timed out after 120s')).toMatchObject([
      { outcome: 'unknown', line: 'Command timed out after 120s' },
    ]);
    expect(last('npm run dev', 'Command running in background with ID: b1')).toMatchObject([{ outcome: 'unknown' }]);
    expect(last('cargo test', '<returncode>137</returncode>\n<output>\n</output>')).toMatchObject([
      { outcome: 'unknown', line: 'stopped with exit code 137' },
    ]);
    expect(lastVerdicts(session(['pytest', '']).slice(0, 1))).toMatchObject([
      { outcome: 'unknown', line: 'no result', index: 0 },
    ]);
  });

  it('shows what a truncated output shows', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `FAILED tests/test_a.py::test_${at} - assert`);
    const [verdict] = last('pytest', `${lines.join('\n')}\n=== 3000 failed in 9.1s ===`);
    expect(verdict).toMatchObject({ outcome: 'failed', line: '=== 3000 failed in 9.1s ===', failingCount: 3_000 });
    expect(verdict!.failing).toHaveLength(20);
    for (const mark of ['[… 812 lines truncated …]', '<persisted-output>', '... 5000 characters omitted ...'])
      expect(last('npx tsc', `a\n${mark}\nb`)).toMatchObject([{ outcome: 'unknown' }]);
  });
});

describe('the family of a command', () => {
  it.each([
    ['cd x && pnpm test 2>&1 | tail -20', ['pnpm test']],
    ['npx tsc --noEmit && npx vitest run', ['vitest', 'tsc']],
    ['CI=1 time npx -y jest --ci', ['jest']],
    ['bash -lc "cd app && npm run lint"', ['npm run lint']],
    ['docker compose exec -T app pytest -q', ['pytest']],
    ['docker exec -it web npm test', ['npm test']],
    ['timeout 60 uv run --group dev pytest', ['pytest']],
    ['npm --prefix web run build', ['npm run build']],
    ['pnpm --filter web run lint', ['pnpm lint']],
    ['pnpm -r exec eslint .', ['eslint']],
    ['yarn workspace web test', ['yarn test']],
    ['npm run test -- --watch=false', ['npm test']],
    ['if npm test; then echo yes; fi', ['npm test']],
    ['nix develop -c sh -c "go test ./..."', ['go test']],
    ['python manage.py test shop', ['manage.py test']],
    ['cargo +nightly test', ['cargo test']],
    ['(cd a && make lint)', ['make lint']],
    ['npm \\\n  test', ['npm test']],
  ])('%s', (command, families) => {
    expect(names(command).sort()).toEqual([...families].sort());
  });

  it.each([
    'grep -r "npm test" .',
    'echo pytest',
    'cat pytest.ini',
    'git log --oneline',
    'git status',
    'npm --version',
    'cargo test --help',
    'vim Makefile',
    '# npm test',
    "cat > ci.sh <<'EOF'\nnpm test\ncargo test\nEOF",
    'git push --dry-run',
    'npm view vitest',
    'which jest',
    'ls node_modules/.bin/eslint',
    'sed -n 1,20p tsc.log',
  ])('%s runs nothing', (command) => {
    expect(last(command, 'Tests  2 failed | 5 passed (7)\nFAILED (failures=2)')).toEqual([]);
  });
});

describe('the last verdicts', () => {
  const failed = '=== 2 failed, 30 passed in 3.2s ===';
  const good = '=== 3 passed in 0.2s ===';

  it('are the newest of each family, failed ones first', () => {
    const all = lastVerdicts(
      session(
        ['pytest', failed],
        ['git push', 'Everything up-to-date'],
        ['pytest', good],
        ['npm test', 'Tests:  1 failed, 1 total'],
      ),
    );
    expect(all.map(({ family, outcome, index }) => [family, outcome, index])).toEqual([
      ['npm test', 'failed', 7],
      ['pytest', 'passed', 5],
      ['git push', 'passed', 3],
    ]);
  });

  it('have two of a family if only a part was run after a failure', () => {
    const all = lastVerdicts(session(['pytest -q', failed], ['pytest -q tests/test_a.py', good]));
    expect(all.map(({ command, outcome, newest }) => [command, outcome, newest])).toEqual([
      ['pytest -q', 'failed', false],
      ['pytest -q tests/test_a.py', 'passed', true],
    ]);
    expect(lastVerdicts(session(['pytest', failed], ['pytest tests/a.py', good], ['pytest', good]))).toHaveLength(1);
    expect(lastVerdicts(session(['pytest tests', failed], ['pytest tests/a.py -k x', good]))).toHaveLength(2);
    expect(lastVerdicts(session(['pytest tests/b.py', failed], ['pytest tests/a.py', good]))).toHaveLength(1);
    const built = session(
      ['cargo build --package a --bin a', 'error: x'],
      ['cargo build -p a', 'Finished `dev` profile'],
    );
    expect(lastVerdicts(built)).toMatchObject([{ outcome: 'passed' }]);
  });

  it('give each script of a line its own lines', () => {
    const output =
      '> web@1.0.0 lint\n> eslint .\n\n> web@1.0.0 test\n> vitest run\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)';
    expect(last('npm run lint && npm test', output)).toMatchObject([
      { family: 'npm test', outcome: 'passed', line: 'Tests  4 passed (4)' },
      { family: 'npm run lint', outcome: 'passed', line: '' },
    ]);
    expect(
      last('git commit -m x && git push', '[main 1a2b3c4] x\nTo a.org:b.git\n   1a2b3c4..5d6e7f8  main -> main'),
    ).toMatchObject([
      { family: 'git push', line: '1a2b3c4..5d6e7f8  main -> main' },
      { family: 'git commit', line: '[main 1a2b3c4] x' },
    ]);
  });

  it('have the lines before the first announced target, by what prints such lines', () => {
    const output = 'ok  \ta.org/b\t0.2s\n[lint] $ golangci-lint run ./...\n0 issues.\n[test] $ go test ./...';
    expect(last('mise run lint && mise run test', output)).toMatchObject([
      { family: 'mise run test', outcome: 'passed', line: 'ok  \ta.org/b\t0.2s' },
      { family: 'mise run lint', outcome: 'passed', line: '0 issues.' },
    ]);
  });

  it('have the lines that begin with their program or target', () => {
    const linted = '[lint:go] a.go:4:2: unused\n[lint:go] 1 issues:\n[lint:go] ERROR task failed\n[fmt] $ gofmt -w .';
    expect(last('mise run fmt && mise run lint', linted)).toMatchObject([
      { family: 'mise run lint', outcome: 'failed', line: '[lint:go] 1 issues:' },
      { family: 'mise run fmt' },
    ]);
    expect(last('gofmt -w . && go build ./...', 'go: cannot find module')).toMatchObject([
      { family: 'go build', outcome: 'failed', line: 'go: cannot find module' },
      { family: 'gofmt', outcome: 'passed' },
    ]);
  });

  it('are not blamed for a failure that another one of their kind may have reported', () => {
    for (const [script, output] of [
      [
        'npx tsc --noEmit && npx eslint .',
        '/r/a.ts\n  4:7  error  x is unused  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)',
      ],
      ['cargo fmt --check && cargo clippy', 'Diff in /r/src/a.rs:4:\n-a\n+b'],
      ['npm run lint && npm run typecheck', "src/a.ts(1,2): error TS2304: Cannot find name 'x'."],
    ] as const)
      expect(last(script, output).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(last('cargo fmt --check', 'Diff in /r/src/a.rs:4:\n-a\n+b')).toMatchObject([{ outcome: 'failed' }]);
    const green = 'All checks passed!\nSuccess: no issues found in 3 source files\n4 passed in 0.1s';
    expect(last('mypy .', 'Success: no issues found in 3 source files')).toMatchObject([{ outcome: 'passed' }]);
    expect(last('ruff check . && mypy . && pytest -q', green).map(({ outcome }) => outcome)).not.toContain('failed');
  });

  it('have what success is certain in spite of lines about errors', () => {
    const hook = 'src/a.ts:4:7: warns of an error\nerror: ignored\n[main 1a2b3c4] Fix';
    expect(last('git commit -m Fix', hook)).toMatchObject([{ outcome: 'passed', line: '[main 1a2b3c4] Fix' }]);
    expect(last('npm test', 'error: logged by a test\nTests  4 passed (4)')).toMatchObject([{ outcome: 'passed' }]);
    // What else succeeded says nothing about tests.
    expect(last('npm test', 'Build succeeded')).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('have nothing about a command that did not run because the one before it failed', () => {
    const output = "src/a.ts(1,2): error TS2304: Cannot find name 'x'.";
    expect(last('npx tsc --noEmit && npx vitest run', output)).toMatchObject([{ family: 'tsc', outcome: 'failed' }]);
  });

  it('have nothing about a fallback that was not needed', () => {
    expect(last('npm ci || npm install', 'added 12 packages in 2s')).toMatchObject([{ family: 'npm ci' }]);
    expect(last('test -d node_modules || npm ci', '')).toEqual([]);
    expect(last('test -d node_modules || npm ci', 'added 12 packages in 2s')).toMatchObject([{ outcome: 'passed' }]);
  });

  it('take the output of a background command from the tool that shows it', () => {
    const messages = [
      ...session(['cargo test', 'Command running in background with ID: b8c55e8. Output is being written to: /tmp/b']),
      assistant('', call('o', 'BashOutput', { bash_id: 'b8c55e8' })),
      result('o', '<status>running</status>\n\n<stdout>\nrunning 2 tests\n</stdout>'),
    ];
    expect(lastVerdicts(messages)).toMatchObject([{ outcome: 'unknown', index: 1 }]);
    const done = [
      ...messages,
      assistant('', call('p', 'BashOutput', { bash_id: 'b8c55e8' })),
      result(
        'p',
        '<status>completed</status>\n\n<exit_code>101</exit_code>\n\n<stdout>\ntest a ... FAILED\ntest result: FAILED. 1 passed; 1 failed\n</stdout>',
      ),
    ];
    expect(lastVerdicts(done)).toMatchObject([{ outcome: 'failed', failing: ['a'], index: 5 }]);
  });

  it('do not come from text that imitates a run', () => {
    expect(
      lastVerdicts([
        user(`I ran pytest:\n${failed}`),
        assistant(
          '',
          call('a', 'read_file', { path: 'pytest.log' }),
          call('b', 'fetch', { url: 'https://x.org/npm test' }),
        ),
        result('a', failed),
        result('b', failed),
        assistant(`pytest\n${failed}`),
      ]),
    ).toEqual([]);
  });

  it('do not come from a call that the user refused', () => {
    const text = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    expect(last('npm test', text)).toEqual([]);
  });
});

describe('for every input', () => {
  const command = fc.oneof(
    fc.constantFrom(
      'npm test',
      'cd a && pytest -q | tail',
      'bash -c "',
      "cat <<'EOF'\nnpm test",
      'x $(',
      'cargo test > a; cat a',
    ),
    fc.string({ maxLength: 60, unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          'npm',
          'test',
          '&&',
          '|',
          '"',
          "'",
          '$(',
          ')',
          '<<A',
          '\n',
          ';',
          '\\',
          '-c',
          'sh',
          'npx',
          '>',
          '&',
        ),
        { maxLength: 30 },
      )
      .map((words) => words.join(' ')),
  );
  const output = fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom(vitestFailed, '', 'FAILED (failures=2)'));

  it('a verdict is verbatim, on one line, of a call and its result', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(command, output), { maxLength: 6 }), (runs) => {
        const messages = session(...runs);
        const verdicts = lastVerdicts(messages);
        expect(lastVerdicts(structuredClone(messages))).toEqual(verdicts);
        for (const verdict of verdicts) {
          expect(messages[verdict.index]!.role).toBe('tool');
          expect(verdict.line + verdict.command + verdict.failing.join('')).not.toMatch(/[\n\r\u001b]/);
          expect(verdict.failingCount).toBeGreaterThanOrEqual(verdict.failing.length);
          if (verdict.outcome !== 'failed') expect(verdict.failing).toEqual([]);
        }
        const newest = verdicts.filter((verdict) => verdict.newest).map(({ family }) => family);
        expect(new Set(newest).size).toBe(newest.length);
      }),
    );
  });

  it('there is no verdict without a call', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 30 }), output, (messages, text) => {
        const without = messages.map(({ tool_calls: _, ...message }): Message => ({ ...message, content: text }));
        expect(lastVerdicts(without)).toEqual([]);
      }),
    );
  });

  it.each([
    ['quotations', (n: number) => `npm test ${'"$('.repeat(n)}`, ''],
    ['here-documents', (n: number) => `${'<<A '.repeat(n)}\nnpm test`, ''],
    ['nested shells', (n: number) => `${'bash -c "'.repeat(n)} npm test`, ''],
    ['operators', (n: number) => `npm test${' && npm test'.repeat(n / 8)}`, 'a '],
    ['redirections', (n: number) => `npm test ${'2>'.repeat(n)}`, ''],
    ['long lines of output', () => 'npm test', 'a.a:1 '],
    ['spaces in output', () => 'npm test', ' '],
    ['digits in output', () => 'npm test', '1 passed, '],
  ])('time is linear: %s', (_, script, text) => {
    const time = (n: number): number => {
      const messages = session([script(n), text.repeat(n)]);
      const start = performance.now();
      lastVerdicts(messages);
      return performance.now() - start;
    };
    time(1_000);
    expect(time(40_000)).toBeLessThan(Math.max(400, 200 * time(4_000)));
  });
});
