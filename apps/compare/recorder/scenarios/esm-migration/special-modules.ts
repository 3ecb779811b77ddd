import { edit, plan, read, run, runFailing, search, write } from '../../call.ts';
import type { Session } from '../../session.ts';
import { commit, readModule, rewriteModule } from './convert.ts';

const INDEX = `// The public surface. It used to load each module when one of its names was first used; static exports are what
// tools can see, and a bundler leaves out what nobody imports.
export { formatBytes, parseBytes } from './bytes.cjs';
export { Cache } from './cache.cjs';
export { loadConfig } from './config.cjs';
export { parseCsv, stringifyCsv } from './csv.cjs';
export { applyDiff, diffLines } from './diff.cjs';
export { formatDuration, parseDuration } from './duration.cjs';
export { Emitter } from './emitter.cjs';
export { globToRegExp, matchGlob } from './glob.cjs';
export { parseIni, stringifyIni } from './ini.cjs';
export { log } from './log.cjs';
export { loadPlugins } from './plugins.cjs';
export { Queue } from './queue.cjs';
export { retry } from './retry.cjs';
export { compareVersions, parseVersion, satisfies } from './semver.cjs';
export { slug } from './slug.cjs';
export { formatTable } from './table.cjs';
export { fillTemplate } from './template.cjs';
export { wrapText } from './wrap.cjs';
`;

/** Converts the index, in the commit that switches the package to ES modules. */
export async function convertIndex(session: Session): Promise<void> {
  await session.act(
    'A static index. Loading lazily is lost: with `import` it would need async getters, which would change every caller. It goes into the changelog.',
    run('git mv src/index.cjs src/index.js'),
    write('src/index.js', INDEX),
    edit('package.json', '"main": "src/index.cjs"', '"main": "src/index.js"'),
    edit('scripts/check-exports.js', '../src/index.cjs', '../src/index.js'),
  );
  await session.act(
    null,
    run('npm run --silent check'),
    run('node --test test/ | tail -n 8'),
    runFailing(1, 'NODE_OPTIONS=--no-experimental-require-module node -e "require(\'./src/index.js\')"'),
  );
  await session.act(
    'Check and suite pass. The last command shows what a CommonJS consumer on an old Node 20 will see; that makes this a major version. Commit.',
    run(commit('Make the package an ES module, with the index, tests and check script')),
    plan(
      'done: Baseline: whole suite and export check',
      'done: Find everything that is not plain require / module.exports',
      'done: Rename sources to .cjs, flip package to "type": "module"',
      'done: Convert tests',
      'active: Convert modules from the top of the dependency graph down, one commit each',
      'open: README, manifest, changelog, export check',
    ),
  );
}

/** Converts the logger, which keeps its settings in the CommonJS module object. */
export async function convertLog(session: Session): Promise<void> {
  const source = await readModule(
    session,
    'log',
    'log first: it stands at the top (duration and template below it) and it is the one I trust least.',
  );
  await rewriteModule(
    session,
    'log',
    source,
    'Head first, leaving `this.level` for the moment to see what depends on it.',
  );
  await session.act(
    null,
    edit(
      'src/log.js',
      'exports.log = log;\nexports.timed = timed;\nexports.LEVELS = LEVELS;\n',
      'export { LEVELS, log, timed };\n',
    ),
    runFailing(1, 'node test/log.test.js'),
  );
  await session.act(
    'The test imports the module as default because it sets `logger.level`. There is no default any more; as a namespace it cannot be assigned to. First see both errors, then decide.',
    edit('test/log.test.js', "import logger from '../src/log.js'", "import * as logger from '../src/log.js'"),
    runFailing(1, 'node test/log.test.js 2>&1 | head -40; node test/log.test.js > /dev/null 2>&1'),
  );
  await session.act(
    'Top-level `this` is undefined in an ES module, so `this.level = ...` throws while loading. Who sets the level?',
    search('\\.level\\b', {}),
    read('src/log.js', 1, 16),
  );
  await session.act(
    'Only the test sets it, and `node -r` preloads that the comment speaks of. Smallest change: an exported object `settings` whose `level` may be set.',
    edit(
      'src/log.js',
      "// Scripts that are loaded by `node -r` want to find the logger's level on the module object itself.\nthis.level = 'info';\nconst settings = this;",
      "/** What may be changed while a script runs: the lowest level that is written. */\nconst settings = { level: 'info' };",
    ),
    edit('src/log.js', 'export { LEVELS, log, timed };', 'export { LEVELS, log, settings, timed };'),
  );
  await session.act(null, runFailing(1, 'node test/log.test.js'));
  await session.act(
    'Down to the one test that assigns to the namespace, which is the change in behaviour I have to document.',
    edit('test/log.test.js', "  logger.level = 'debug';", "  logger.settings.level = 'debug';"),
    edit('test/log.test.js', "  logger.level = 'info';", "  logger.settings.level = 'info';"),
    run('node test/log.test.js'),
    read('src/log.js', 1, 16),
  );
  await session.act(null, run(commit('Convert log to an ES module; its level is settings.level now')));
}

/** Converts the plugin loader, which cannot work without `require`. */
export async function convertPlugins(session: Session): Promise<void> {
  const source = await readModule(
    session,
    'plugins',
    'plugins, the other one under suspicion. It must stay synchronous: `loadPlugins` returns names, not a promise.',
  );
  await rewriteModule(session, 'plugins', source, null);
  await session.act(null, runFailing(1, 'node test/plugins.test.js'));
  await session.act(
    'The JSON import is refused without an attribute, and the attribute has two spellings among the Node 20 releases (`assert`, then `with`). `createRequire` works in all of them, and the loader needs a `require` with a cache anyway.',
    edit('src/plugins.js', "import { version } from '../package.json';\n", ''),
    edit(
      'src/plugins.js',
      "import fs from 'node:fs';\n",
      "import fs from 'node:fs';\nimport { createRequire } from 'node:module';\n",
    ),
    edit(
      'src/plugins.js',
      '/** Loads every plugin',
      "// Plugins are CommonJS, are loaded synchronously and are loaded anew when edited: all three need a real `require`.\nconst require = createRequire(import.meta.url);\nconst { version } = require('../package.json');\n\n/** Loads every plugin",
    ),
  );
  await session.act(
    null,
    run('node test/plugins.test.js'),
    run('NODE_OPTIONS=--no-experimental-require-module node test/plugins.test.js | tail -n 8'),
  );
  await session.act(
    'Passes with and without require(esm). The price: on older Node 20 a plugin must be CommonJS, as it had to be before.',
    read('src/plugins.js'),
    run(commit('Convert plugins to an ES module that keeps a require for the plugins')),
  );
}

/** Converts the configuration, which imports JSON and uses `__dirname`. */
export async function convertConfig(session: Session): Promise<void> {
  const source = await readModule(session, 'config', 'config: `__dirname`, a JSON file, and ini below it.');
  await rewriteModule(
    session,
    'config',
    source,
    'I know from plugins that the JSON import will not do; the rest mechanically first.',
  );
  await session.act(
    'Reading the defaults as a file costs nothing and works everywhere; the path comes from `import.meta.url`.',
    edit('src/config.js', "import defaults from './defaults.json';\n", ''),
    edit(
      'src/config.js',
      "path.join(__dirname, 'defaults.json')",
      "new URL('./defaults.json', import.meta.url).pathname",
    ),
    run('grep -n "defaults" src/config.js'),
  );
  await session.act(null, runFailing(1, 'node test/config.test.js'));
  await session.act(
    '`defaults` has no definition now, of course. And `.pathname` would give `%20` for a folder with a space, `fileURLToPath` does not.',
    edit(
      'src/config.js',
      "new URL('./defaults.json', import.meta.url).pathname;",
      "fileURLToPath(new URL('./defaults.json', import.meta.url));\nconst defaults = JSON.parse(fs.readFileSync(SCHEMA_FILE, 'utf8'));",
    ),
    edit(
      'src/config.js',
      "import path from 'node:path';\n",
      "import path from 'node:path';\nimport { fileURLToPath } from 'node:url';\n",
    ),
  );
  await session.act(
    'Tests, and once from a folder with a space in its name.',
    run('node test/config.test.js'),
    run(
      'rm -rf "/tmp/with space" && cp -r . "/tmp/with space" && cd "/tmp/with space" && node -e "import(\'./src/config.js\').then((m) => console.log(m.loadConfig(undefined, {}).timeout, m.SCHEMA_FILE))"',
    ),
  );
  await session.act(null, run(commit('Convert config to an ES module; the defaults are read as a file')));
}
