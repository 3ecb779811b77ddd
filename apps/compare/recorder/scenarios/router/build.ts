import { edit, list, plan, read, run, runFailing, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The agent writes the library and its tests, and makes the tests pass. */
export async function build(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  const file = (path: string) => write(path, bundled(files, path));
  session.user(
    'I need a small URL router library, name waymark: plain JavaScript with JSDoc types, no dependencies, Node 20. router.add(method, pattern, value), router.match(method, path) -> { value, params, pattern } or null. Patterns: static segments, :params, *rest at the end. The most specific route wins, whatever the order of registration. match must never throw, whatever the path. Tests with node:test, please write them first.',
  );
  await session.act(
    'Empty project. Tests first, from your words and the corners I would expect to break: dots and brackets in static segments, broken percent escapes, names such as `__proto__`.',
    list(),
    run('git log --oneline && node --version'),
    plan(
      'active: Tests for patterns and router',
      'open: Pattern compiler',
      'open: Router',
      'open: All tests pass, commit',
    ),
  );
  await session.act(null, file('package.json'), file('test/pattern.test.js'), file('test/router.test.js'));
  await session.act(
    'They must fail now, for the one reason that there is nothing to import.',
    runFailing(1, 'node --test'),
  );
  await session.act(
    'As it should. Now the code: a pattern becomes one regular expression and a list of weights that decides which of two patterns is more specific.',
    file('src/pattern.js'),
    file('src/router.js'),
    file('src/index.js'),
  );
  const [first] = await session.act(null, runFailing(1, 'node --test'));
  const failures = [...first!.matchAll(/^not ok \d+ - (.+)$/gm)].map((match) => match[1]!);
  await session.act(
    `${extract(first, /# pass (\d+)/)} pass, ${failures.length} fail:\n${failures.map((name) => `- ${name}`).join('\n')}\n\nThe pattern ones first: static segments are not escaped, and two rules (wildcard last, names once) are missing.`,
    read('src/pattern.js'),
  );
  await session.act(
    null,
    edit(
      'src/pattern.js',
      "      expression += '/' + segment;",
      "      expression += '/' + segment.replace(/[\\\\^$.*+?()[\\]{}|]/g, '\\\\$&');",
    ),
    edit(
      'src/pattern.js',
      "  for (const segment of source.slice(1).split('/')) {\n    if (segment.startsWith('*')) {\n      names.push(checked(segment.slice(1)));",
      "  const segments = source.slice(1).split('/');\n  for (const [index, segment] of segments.entries()) {\n    if (segment.startsWith('*')) {\n      if (index < segments.length - 1) throw new SyntaxError('A wildcard stands at the end');\n      names.push(checked(segment.slice(1), names));",
    ),
    edit(
      'src/pattern.js',
      '      names.push(checked(segment.slice(1)));\n      weight.push(1);',
      '      names.push(checked(segment.slice(1), names));\n      weight.push(1);',
    ),
    edit(
      'src/pattern.js',
      "function checked(name) {\n  if (!NAME.test(name)) throw new SyntaxError('Not a parameter name: ' + name);",
      "function checked(name, names) {\n  if (!NAME.test(name)) throw new SyntaxError('Not a parameter name: ' + name);\n  if (names.includes(name)) throw new SyntaxError('Used twice: ' + name);",
    ),
  );
  await session.act(null, run('node --test test/pattern.test.js'), runFailing(1, 'node --test test/router.test.js'));
  await session.act(
    'Patterns are done. In the router: a broken escape throws in decodeURIComponent, and `params` is an ordinary object, so `__proto__` disappears in its prototype.',
    read('src/router.js', 30, 25),
    edit(
      'src/router.js',
      '      const params = {};\n      pattern.names.forEach((name, index) => {\n        params[name] = decodeURIComponent(found[index + 1]);\n      });\n      return',
      '      const params = decoded(pattern.names, found);\n      if (!params) continue;\n      return',
    ),
    edit(
      'src/router.js',
      '/** Finds what was registered',
      '/** Parameters by name, on an object without a prototype; null when an escape is broken. */\nfunction decoded(names, found) {\n  const params = Object.create(null);\n  try {\n    names.forEach((name, index) => {\n      params[name] = decodeURIComponent(found[index + 1]);\n    });\n  } catch {\n    return null;\n  }\n  return params;\n}\n\n/** Finds what was registered',
    ),
  );
  await session.act(null, run('node --test'), read('src/router.js', 1, 60));
  await session.act(
    null,
    run('git add -A && git commit -q -m "Match paths to the most specific route" && git log --oneline | head -1'),
  );
  session.say(
    `waymark stands: patterns in src/pattern.js, the router in src/router.js, and the tests that were written first all pass. \`match\` returns null for a broken percent escape instead of throwing; \`params\` has no prototype, so a parameter may have any name.`,
  );
}
