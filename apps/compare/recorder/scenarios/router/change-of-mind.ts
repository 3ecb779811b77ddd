import { edit, plan, read, run, runFailing, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The user requests a redesign, sees it and takes it back; then the agent writes the README. */
export async function changeOfMind(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  session.user(
    'We will have a few hundred routes. Testing one regular expression after the other bothers me. Please replace the inside by a tree of segments. Same tests, on a branch.',
  );
  await session.act(
    'On a branch, with something to compare: a small benchmark script first, on the present code, then the tree.',
    run('git switch -q -c tree'),
    write('bench/match.js', bundled(files, 'bench/match.js')),
    read('src/router.js'),
    plan('active: Benchmark script', 'open: Tree of segments', 'open: Router on the tree', 'open: All tests pass'),
  );
  await session.act(null, run('node bench/match.js'), write('src/tree.js', bundled(files, 'src/tree.js')));
  await session.act(
    'The router keeps its surface. Only the lookup changes: segments go down the tree, and the pattern that is found extracts the parameters.',
    edit(
      'src/router.js',
      "import { bySpecificity, compilePattern } from './pattern.js';",
      "import { compilePattern } from './pattern.js';\nimport { createNode, find, insert } from './tree.js';",
    ),
    edit(
      'src/router.js',
      '    const routes = this.#routes.get(method) ?? [];\n    if (routes.some(({ pattern }) => pattern.source === source)) throw',
      "    const root = this.#routes.get(method) ?? createNode();\n    const segments = source.slice(1).split('/');\n    if (find(root, segments)?.pattern.source === source) throw",
    ),
    edit(
      'src/router.js',
      '    routes.push({ pattern: compilePattern(source, { strict: this.#strict }), value });\n    routes.sort((a, b) => bySpecificity(a.pattern, b.pattern));\n    this.#routes.set(method, routes);',
      '    insert(root, segments, { pattern: compilePattern(source, { strict: this.#strict }), value });\n    this.#routes.set(method, root);',
    ),
    edit(
      'src/router.js',
      '    for (const { pattern, value } of this.#routes.get(method) ?? []) {\n      const found = pattern.expression.exec(path);\n      if (!found) continue;\n      const params = decoded(pattern.names, found);\n      if (!params) continue;\n      return { value, params, pattern: pattern.source };\n    }\n    return null;',
      "    const root = this.#routes.get(method);\n    const leaf = root && find(root, path.slice(1).split('/'));\n    const found = leaf?.pattern.expression.exec(path);\n    const params = found && decoded(leaf.pattern.names, found);\n    return params ? { value: leaf.value, params, pattern: leaf.pattern.source } : null;",
    ),
  );
  const [broken] = await session.act(null, runFailing(1, 'node --test'), read('src/router.js'));
  const names = [...broken!.matchAll(/^not ok \d+ - (.+)$/gm)].map((match) => match[1]!);
  await session.act(
    `${names.length} fail: ${names.join('; ')}. The tree sees the empty segment behind a trailing slash, at registration and at lookup. It goes away in both places, unless strict.`,
    edit(
      'src/router.js',
      "    const segments = source.slice(1).split('/');\n    if",
      '    const segments = this.#segments(source);\n    if',
    ),
    edit('src/router.js', "find(root, path.slice(1).split('/'))", 'find(root, this.#segments(path))'),
    edit(
      'src/router.js',
      '  /** The methods a path',
      "  #segments(path) {\n    return (this.#strict ? path : path.replace(/(?<=.)\\/$/, '')).slice(1).split('/');\n  }\n\n  /** The methods a path",
    ),
  );
  await session.act(null, run('node --test'), run('node bench/match.js'), run('git diff --stat main'));
  await session.act(
    null,
    run('git add -A && git commit -q -m "Look routes up in a tree of segments" && git log --oneline | head -3'),
  );
  session.say(
    'The tree is on branch `tree`, all tests pass unchanged. One behaviour is subtly different: with a list, a route whose escape is broken was passed over for the next one; the tree gives up at once. No test covered that.',
  );

  session.user(
    'Hm. That difference, plus two ways of describing a pattern (tree and regexp) that must agree. I take it back: we stay with the list, simple wins, a few hundred regexps are nothing. Keep the benchmark script though, and pin that behaviour you mentioned with a test.',
  );
  await session.act(
    'Back to main; from the branch only the benchmark comes over. The behaviour as a test, which must pass on the list and fail on the tree, or it pins nothing.',
    run('git switch -q main && git checkout -q tree -- bench/match.js && git status --short'),
    read('test/router.test.js', 30, 20),
    edit(
      'test/router.test.js',
      "test('says which methods",
      "test('a route with a broken escape is passed over for the next one', () => {\n  const router = new Router().add('GET', '/a/:id', 'decodes').add('GET', '/a/%E0%A4%A', 'literal').add('GET', '/:x/b', 'other');\n  assert.equal(router.match('GET', '/a/%E0%A4%A')?.value, 'literal');\n  assert.equal(new Router().add('GET', '/:a/%E0', 1).add('GET', '/*rest', 2).match('GET', '/%E0/%E0'), null);\n  assert.equal(new Router().add('GET', '/%E0/:id', 1).add('GET', '/:a/x', 2).match('GET', '/%E0/x')?.value, 1);\n});\ntest('says which methods",
    ),
  );
  await session.act(
    null,
    run('node --test'),
    run(
      'rm -rf /tmp/tree && git worktree add -q /tmp/tree tree && cp test/router.test.js /tmp/tree/test/ && cd /tmp/tree && (node --test test/router.test.js | grep -E "^(not ok|# (pass|fail))" || true)',
    ),
  );
  await session.act(
    'It passes on both, so it does not pin the difference. What tells them apart: a specific route that decodes a broken piece, and a general one that does not need to decode it.',
    edit(
      'test/router.test.js',
      "  const router = new Router().add('GET', '/a/:id', 'decodes').add('GET', '/a/%E0%A4%A', 'literal').add('GET', '/:x/b', 'other');\n  assert.equal(router.match('GET', '/a/%E0%A4%A')?.value, 'literal');\n  assert.equal(new Router().add('GET', '/:a/%E0', 1).add('GET', '/*rest', 2).match('GET', '/%E0/%E0'), null);\n  assert.equal(new Router().add('GET', '/%E0/:id', 1).add('GET', '/:a/x', 2).match('GET', '/%E0/x')?.value, 1);\n",
      "  // Exact in the first segment, but the second cannot be decoded; the other route has it as a literal.\n  const router = new Router().add('GET', '/a/:id', 'decodes').add('GET', '/:a/%E0', 'literal');\n  assert.equal(router.match('GET', '/a/%E0')?.value, 'literal');\n",
    ),
    run('node --test test/router.test.js | grep -E "^(not ok|# (pass|fail))"'),
    runFailing(1, 'cp test/router.test.js /tmp/tree/test/ && cd /tmp/tree && node --test test/router.test.js'),
  );
  const [all] = await session.act(
    'Now it passes on the list and fails on the tree. Whole suite, as you want it, and the commit.',
    run('node --test'),
    run(
      'git worktree remove --force /tmp/tree && git add -A && git commit -q -m "Pin what happens to a route whose escape is broken; keep a benchmark" && git log --oneline --all',
    ),
  );
  session.say(
    `Back on the list. The benchmark script stays, and the test "a route with a broken escape is passed over for the next one" passes here and fails on the branch \`tree\`, which I left in place. Whole suite: ${extract(all, /# pass (\d+)/)} pass.`,
  );

  session.user(
    'Good. A README now, short, with an example that really runs. And delete the branch, I do not want to be tempted.',
  );
  await session.act(
    null,
    read('src/index.js'),
    read('src/router.js'),
    run('git branch -D tree'),
    write(
      'README.md',
      "# waymark\n\nFinds what was registered for a method and a path. No dependencies, Node 20.\n\n```js\nimport { Router } from 'waymark';\n\nconst router = new Router()\n  .add('GET', '/products/:id', 'product')\n  .add('GET', '/products/new', 'new product')\n  .add('GET', '/files/*path', 'file');\n\nconsole.log(router.match('GET', '/products/12'));\nconsole.log(router.match('GET', '/files/a/b.txt').params.path);\nconsole.log(router.match('GET', '/nowhere'));\n```\n\n- The most specific route wins, whatever the order: static segments, then `:name`, then `*rest`.\n- `match` never throws; a path with a broken escape matches no route that would have to decode it.\n- `/a/` is `/a`, unless `new Router({ strict: true })`.\n- Routes are tried one after the other; `node bench/match.js` tries 300.\n",
    ),
  );
  await session.act(
    'The example, taken out of the README and run as it stands.',
    run(
      "sed -n '/^```js/,/^```$/p' README.md | sed '1d;$d' > /tmp/example.mjs && mkdir -p /tmp/node_modules && ln -sfn \"$PWD\" /tmp/node_modules/waymark && node /tmp/example.mjs",
    ),
    run('node --test'),
  );
  await session.act(
    null,
    run('git add -A && git commit -q -m "Say what waymark does" && git log --oneline && git branch'),
  );
  session.say('README.md is there, its example was extracted and run, the suite passes, branch `tree` is deleted.');
}
