import { edit, editFailing, list, plan, read, run, runFailing, search, write } from '../../call.ts';
import { extract, type Session } from '../../session.ts';

/** The agent explores the package, and switches it to ES modules with all sources still CommonJS. */
export async function opening(session: Session, codemod: string): Promise<void> {
  const [, , , log] = await session.act(
    'I start with what is there: files, manifest, README, history.',
    list(),
    read('package.json'),
    read('README.md'),
    run('git log --oneline && git status --short'),
  );
  const [, baseline] = await session.act(
    `One commit (${extract(log, /^([0-9a-f]{7}) /)}), clean tree. A baseline before I touch anything, and a plan.`,
    plan(
      'active: Baseline: whole suite and export check',
      'open: Find everything that is not plain require / module.exports',
      'open: Rename sources to .cjs, flip package to "type": "module"',
      'open: Convert tests',
      'open: Convert modules from the top of the dependency graph down, one commit each',
      'open: README, manifest, changelog, export check',
    ),
    run('node --test test/'),
    run('node scripts/check-exports.js'),
  );
  const tests = extract(baseline, /# tests (\d+)/);
  await session.act(
    `${tests} tests, none failing, and the exports are as listed. Now the places where CommonJS is more than syntax.`,
    search('require\\(', { path: 'src' }),
    search('module\\.exports|exports\\[|exports\\.', { path: 'src' }),
    search('__dirname|__filename|require\\.(cache|resolve|main)|^this\\.', {}),
  );
  await session.act(
    'Four modules need thought: index (lazy getters), log (top-level `this`), config (`__dirname`, JSON) and plugins (`require.cache`). And emitter and queue require each other. Reading those.',
    read('src/index.js'),
    read('src/log.js'),
    read('src/config.js'),
    read('src/plugins.js'),
    read('src/emitter.js'),
    read('src/queue.js'),
  );
  await session.act(
    'The order matters: an ES module may import CommonJS in every Node 20, the other way round only where require(esm) is on. Which is it here, and can I switch it off to test like an older 20?',
    run('node --version; node -p "process.features.require_module"; node --help | grep -n -i -A2 "require-module"'),
    run('node --help | grep -n -i -E "test|module|import" | head -60'),
  );
  await session.act(
    'require(esm) is on in this Node but not in 20.0, which `engines` allows. So I convert from the top of the graph down (no CommonJS file ever requires an ES module) and check with `--no-experimental-require-module`. Step one: every source becomes .cjs.',
    run(
      'for file in src/*.js; do git mv $file ${file%.js}.cjs; done && sed -i -E "s#(\\./[a-z]+)\\.js\'#\\1.cjs\'#" src/*.cjs && sed -i -E "s#(\\.\\./src/[a-z]+)\\.js\'#\\1.cjs\'#" test/*.test.js && git status --short | head -50',
    ),
  );
  await session.act(
    'Tests and export check on the renamed sources.',
    run('node --test test/ | tail -n 9'),
    runFailing(1, 'node scripts/check-exports.js'),
  );
  await session.act(
    'The check script requires `../src/index.js` itself; my rename only covered sources and tests. The manifest has the same gap: `main`.',
    edit('scripts/check-exports.js', "require('../src/index.js')", "require('../src/index.cjs')"),
    edit('package.json', '"main": "src/index.js"', '"main": "src/index.cjs"'),
  );
  await session.act(
    null,
    run('node scripts/check-exports.js'),
    run(
      'git add -A && git commit -q -m "Name the CommonJS sources .cjs, so that the package can change its type" && git log --oneline | head -3',
    ),
  );
  await session.act(
    'Now the flip. I expect every test file to fail, because .js now means ES module; I want to see that nothing else does.',
    edit('package.json', '"license": "MIT",', '"license": "MIT",\n  "type": "module",'),
    runFailing(1, 'node --test test/'),
  );
  await session.act(
    'As expected: `require is not defined in ES module scope`, once per file. Eighteen heads of the same shape are work for a small codemod; it lives in the temporary folder, not in the project.',
    write('/tmp/convert-tests.mjs', codemod),
    run('sed -n 1,12p test/config.test.js'),
  );
  await session.act(null, run('node /tmp/convert-tests.mjs test/*.test.js'));
  const [afterCodemod] = await session.act(
    null,
    runFailing(
      1,
      'node --test test/ 2>&1 | grep -E "^(not ok|# (tests|pass|fail))|SyntaxError|Named export" ; node --test test/ > /dev/null',
    ),
    run('git diff --stat'),
  );
  await session.act(
    `Still failing: ${failedFiles(afterCodemod)}. Named imports from CommonJS only work where Node's lexer can see the names, and those two build their exports at run time. The errors in full, and both files.`,
    runFailing(1, 'node test/slug.test.js'),
    runFailing(1, 'node test/bytes.test.js'),
    read('src/slug.cjs'),
    read('src/bytes.cjs'),
  );
  await session.act(
    'Is the default export of slug (the function itself) used by anyone?',
    search("require\\('\\./slug|from '.*slug", {}),
    search('slug\\.SPECIAL|SPECIAL', { include: '*.*js' }),
  );
  await session.act(
    'Nobody calls the module itself. Both get static exports; that is a change in CommonJS form and makes the later conversion trivial.',
    edit(
      'src/slug.cjs',
      'module.exports = Object.assign(slug, { slug, SPECIAL });',
      'module.exports = { slug, SPECIAL };',
    ),
    editFailing('src/bytes.cjs', 'for (const name of Object.keys(api)) {', 'module.exports = {'),
  );
  await session.act(
    'The loop in bytes stands on one line; my edit was written from memory. As the file has it:',
    edit(
      'src/bytes.cjs',
      'for (const name of Object.keys(api)) exports[name] = api[name];',
      'module.exports = { formatBytes: api.formatBytes, parseBytes: api.parseBytes };',
    ),
    run('node test/slug.test.js | tail -n 8'),
    runFailing(1, 'node test/bytes.test.js'),
  );
  await session.act(
    'slug passes. In bytes the lexer stops at the first property that is not a plain name, so it has `formatBytes` and never sees the second. Plain names, then.',
    edit(
      'src/bytes.cjs',
      'module.exports = { formatBytes: api.formatBytes, parseBytes: api.parseBytes };',
      'const { formatBytes, parseBytes } = api;\nmodule.exports = { formatBytes, parseBytes };',
    ),
    run('node test/bytes.test.js | tail -n 8'),
  );
  await session.act(
    'Tests run as ES modules against CommonJS sources. The check script is the last file that requires; it becomes an ES module too. Then the whole suite.',
    read('scripts/check-exports.js'),
    run('node --test test/'),
  );
}

function failedFiles(output: string | undefined): string {
  const files = [...(output ?? '').matchAll(/^not ok \d+ - (\S+\.js)/gm)].map((match) =>
    match[1]!.replace(/.*\/test\//, 'test/'),
  );
  return files.length === 0 ? 'see above' : files.join(' and ');
}
