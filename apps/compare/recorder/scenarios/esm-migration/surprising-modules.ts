import { edit, read, run, runFailing, runUntilTimeout } from '../../call.ts';
import type { Session } from '../../session.ts';
import { commit, readModule, repoint, rewriteModule } from './convert.ts';

/** Converts semver: one import was not renamed. */
export async function convertSemver(session: Session): Promise<void> {
  const source = await readModule(session, 'semver', 'semver was required by plugins only, so it is next.');
  await rewriteModule(session, 'semver', source, null);
  await session.act(null, run('node --test test/semver.test.js test/plugins.test.js'));
  await session.act(null, run(commit('Convert semver to an ES module')));
}

/** Converts ini: one test runs before the edit, to show that it can fail. */
export async function convertIni(session: Session): Promise<void> {
  const source = await readModule(session, 'ini', 'ini was required by config only.');
  await rewriteModule(session, 'ini', source, null);
  await session.act(null, run('node --test test/ini.test.js test/config.test.js'));
  await session.act(null, run(commit('Convert ini to an ES module')));
  await session.act(
    'Eight modules in. Whole suite and export check.',
    run('node --test test/'),
    run('npm run --silent check'),
  );
}

/** Converts retry: because of a named import the mock has no effect, and the test really waits. */
export async function convertRetry(session: Session): Promise<void> {
  await session.act(
    'retry is free now. Note the test: it mocks `timers.setTimeout`, so how retry imports it matters.',
    read('src/retry.cjs'),
    read('test/retry.test.js'),
  );
  await session.act(
    null,
    run(repoint('retry')),
    edit(
      'src/retry.js',
      "'use strict';\n\nconst { parseDuration } = require('./duration.cjs');\nconst timers = require('timers/promises');\n",
      "import { setTimeout as sleep } from 'node:timers/promises';\nimport { parseDuration } from './duration.cjs';\n",
    ),
    edit('src/retry.js', 'await timers.setTimeout(wait)', 'await sleep(wait)'),
    edit('src/retry.js', '\nasync function retry(', '\nexport async function retry('),
    edit('src/retry.js', '\n\nmodule.exports = { retry };', ''),
  );
  await session.act(null, runUntilTimeout(5_000, 'node test/retry.test.js'));
  await session.act(
    'It hangs where the backoff is tested: a named import is bound when the module is linked, so the mock on the default object never reaches it, and the test waits 1 + 2 + 4 + 5 seconds for real. The full failure once, with enough time:',
    runFailing(1, 'node test/retry.test.js'),
  );
  await session.act(
    'Confirmed. "Never change what a function does" includes what can be mocked: retry keeps going through the default object.',
    edit(
      'src/retry.js',
      "import { setTimeout as sleep } from 'node:timers/promises';",
      "// Through the default object, so that a mocked setTimeout is the one that is called.\nimport timers from 'node:timers/promises';",
    ),
    edit('src/retry.js', 'await sleep(wait)', 'await timers.setTimeout(wait)'),
  );
  await session.act(
    null,
    run('node test/retry.test.js'),
    run('node --test test/queue.test.js test/emitter.test.js | tail -n 8'),
  );
  await session.act(null, read('src/retry.js'), run(commit('Convert retry to an ES module; timers stay mockable')));
}

/** Converts bytes, whose exports were made in a loop. */
export async function convertBytes(session: Session): Promise<void> {
  await session.act(
    'The last one: bytes, whose functions are methods of an object.',
    read('src/bytes.cjs'),
    read('test/bytes.test.js'),
  );
  await session.act(
    'Without the object: two exported functions with the same bodies.',
    run(repoint('bytes')),
    edit('src/bytes.js', "'use strict';\n\n", ''),
    edit('src/bytes.js', 'const api = {\n', ''),
    edit(
      'src/bytes.js',
      '\n};\n\nconst { formatBytes, parseBytes } = api;\nmodule.exports = { formatBytes, parseBytes };',
      '',
    ),
    edit('src/bytes.js', '  formatBytes(bytes) {', '  export function formatBytes(bytes) {'),
    edit('src/bytes.js', '  parseBytes(text) {', '  export function parseBytes(text) {'),
  );
  await session.act(null, runFailing(1, 'node test/bytes.test.js'));
  await session.act(
    'The commas between the methods. And the indentation is still that of an object.',
    run("sed -i -e 's/^  },$/  }/' -e 's/^  //' src/bytes.js && cat src/bytes.js"),
  );
  await session.act(null, run('node test/bytes.test.js'));
  await session.act(null, run(commit('Convert bytes to an ES module with plain functions')));
}
