import { edit, editFailing, read, run, runFailing, search, write } from '../../call.ts';
import type { Session } from '../../session.ts';

/** The user states standing rules; then the agent adds two features under these rules. */
export async function standingRules(session: Session): Promise<void> {
  session.user(
    'Nice. From now on, three rules: error messages always name the pattern they complain about. Always run the whole suite before you say something is done, not only the file you changed. And never use default exports.\n\nThen: trailing slashes. /users and /users/ should be the same route, unless the router is made with { strict: true }.',
  );
  await session.act(
    'The errors first. Which ones are there, and are there default exports?',
    search('throw new', { path: 'src' }),
    search('export default', {}),
    read('src/pattern.js'),
    read('src/router.js'),
  );
  await session.act(
    'None of the five names the pattern, two name at least the parameter. A test for the rule first, otherwise it is forgotten by summer.',
    write(
      'test/errors.test.js',
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { Router } from '../src/index.js';\n\nfor (const pattern of ['users', '/:1a', '/*rest/more', '/:id/:id', '/*'])\n  test(`the error about ${pattern} names it`, () => {\n    assert.throws(() => new Router().add('GET', pattern, 1), (error) => error.message.includes(JSON.stringify(pattern)));\n  });\ntest('the error about a second registration names pattern and method', () => {\n  const router = new Router().add('GET', '/a', 1);\n  assert.throws(() => router.add('GET', '/a', 2), /GET.*\"\\/a\"/);\n});\n",
    ),
    runFailing(1, 'node --test test/errors.test.js'),
  );
  await session.act(
    null,
    edit(
      'src/pattern.js',
      "throw new SyntaxError('A pattern starts with /');",
      'throw new SyntaxError(`A pattern starts with /: ${JSON.stringify(source)}`);',
    ),
    edit(
      'src/pattern.js',
      "throw new SyntaxError('A wildcard stands at the end');",
      'throw new SyntaxError(`A wildcard stands at the end: ${JSON.stringify(source)}`);',
    ),
    edit('src/pattern.js', 'function checked(name, names) {', 'function checked(name, names, source) {'),
    edit(
      'src/pattern.js',
      "throw new SyntaxError('Not a parameter name: ' + name);",
      'throw new SyntaxError(`Not a parameter name: ${JSON.stringify(name)} in ${JSON.stringify(source)}`);',
    ),
    edit(
      'src/pattern.js',
      "throw new SyntaxError('Used twice: ' + name);",
      'throw new SyntaxError(`Used twice: ${JSON.stringify(name)} in ${JSON.stringify(source)}`);',
    ),
    editFailing('src/pattern.js', 'checked(segment.slice(1), names)', 'checked(segment.slice(1), names, source)'),
    edit(
      'src/router.js',
      "throw new Error('Already registered');",
      'throw new Error(`Already registered: ${method} ${JSON.stringify(source)}`);',
    ),
  );
  await session.act(
    'One edit did not go through: the call stands there twice. Both need the argument.',
    run(
      "sed -i 's/checked(segment.slice(1), names)/checked(segment.slice(1), names, source)/' src/pattern.js && grep -n 'checked(' src/pattern.js",
    ),
    run('node --test test/errors.test.js'),
  );
  await session.act(
    'Now trailing slashes. The test first; note that `/` itself and a `*rest` must keep what they have.',
    write(
      'test/slash.test.js',
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { Router } from '../src/index.js';\n\nconst make = (options) => new Router(options).add('GET', '/users', 'users').add('GET', '/users/:id', 'user').add('GET', '/files/*path', 'file').add('GET', '/', 'home');\n\nfor (const [path, value] of [['/users/', 'users'], ['/users', 'users'], ['/users/7/', 'user'], ['/', 'home'], ['/files/a/', 'file']])\n  test(`${path} is ${value}`, () => assert.equal(make().match('GET', path)?.value, value));\ntest('a rest keeps its slash', () => assert.equal(make().match('GET', '/files/a/').params.path, 'a/'));\ntest('two slashes are two slashes', () => assert.equal(make().match('GET', '/users//'), null));\ntest('strict means strict', () => assert.equal(make({ strict: true }).match('GET', '/users/'), null));\ntest('registered with a slash is registered without', () => assert.equal(new Router().add('GET', '/a/', 1).match('GET', '/a')?.value, 1));\n",
    ),
    runFailing(1, 'node --test test/slash.test.js'),
  );
  await session.act(
    null,
    edit(
      'src/pattern.js',
      'export function compilePattern(source) {',
      'export function compilePattern(source, { strict = false } = {}) {',
    ),
    edit(
      'src/pattern.js',
      "  const segments = source.slice(1).split('/');",
      "  const segments = (strict ? source : source.replace(/(?<=.)\\/$/, '')).slice(1).split('/');",
    ),
    edit(
      'src/pattern.js',
      "new RegExp(expression + '$')",
      "new RegExp(expression + (strict || source === '/' ? '$' : '/?$'))",
    ),
    edit(
      'src/router.js',
      '  #routes = new Map();\n',
      '  #routes = new Map();\n  #strict;\n\n  /** @param {{ strict?: boolean }} [options] strict: `/a/` and `/a` are two routes */\n  constructor({ strict = false } = {}) {\n    this.#strict = strict;\n  }\n',
    ),
    edit('src/router.js', 'compilePattern(source), value', 'compilePattern(source, { strict: this.#strict }), value'),
  );
  await session.act(null, run('node --test'), read('src/pattern.js'));
  await session.act(
    null,
    run(
      'git add -A && git commit -q -m "Name the pattern in errors; take a trailing slash for none" && git show --stat --format="%h %s" HEAD',
    ),
  );
  session.say(
    'Errors name their pattern (tested in test/errors.test.js), there is no default export, and `/users/` is `/users` unless `{ strict: true }`. A `*rest` keeps its trailing slash. Whole suite run: all pass.',
  );
}
