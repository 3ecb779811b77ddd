import { type Call, edit } from '../../call.ts';

const REQUIRE = /^const (\{[^}]+\}|\w+) = require\('([^']+)'\);$/;

/**
 * Returns the edits that turn a plain CommonJS module into an ES module: they replace the head (`'use strict'` and the
 * requires), put `export` before each exported declaration, and remove the `module.exports` line.
 */
export function moduleEdits(path: string, source: string): Call[] {
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line !== "'use strict';" && line !== '' && !REQUIRE.test(line));
  const head = lines.slice(0, first).join('\n');
  const imports = lines.slice(0, first).flatMap((line) => {
    const found = REQUIRE.exec(line);
    if (!found) return [];
    const from = found[2]!.startsWith('.') ? found[2]! : `node:${found[2]!}`;
    return [`import ${found[1]!} from '${from}';`];
  });
  const opening = lines[first]!;
  const footer = /\n\nmodule\.exports = \{ ([^}]+) \};/.exec(source);
  const declarations = (footer === null ? [] : footer[1]!.split(', ')).map(
    (name) => new RegExp(`^(async function|function|class|const) ${name}\\b.*$`, 'm').exec(source)![0],
  );
  const opened = declarations.includes(opening) ? `export ${opening}` : opening;
  const imported = imports.length === 0 ? opened : `${imports.join('\n')}\n\n${opened}`;
  const calls = [edit(path, `${head}\n${opening}`, imported)];
  for (const declaration of declarations)
    if (declaration !== opening) calls.push(edit(path, `\n${declaration}`, `\nexport ${declaration}`));
  if (footer) calls.push(edit(path, footer[0], ''));
  return calls;
}
