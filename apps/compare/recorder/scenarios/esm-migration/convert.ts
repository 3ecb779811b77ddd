import { read, run } from '../../call.ts';
import type { Session } from '../../session.ts';
import { moduleEdits } from './module-edits.ts';
import type { PlainModule } from './plain-modules.ts';

/** Returns the command that renames a module from .cjs to .js and updates its imports in sources and tests. */
export function repoint(name: string): string {
  return `git mv src/${name}.cjs src/${name}.js && sed -i "s#/${name}\\.cjs'#/${name}.js'#" src/*js test/*.test.js && grep -rln "/${name}\\.js'" src test scripts`;
}

/** Returns the command that commits all changes and shows the commit. */
export function commit(message: string): string {
  return `git add -A && git commit -q -m "${message}" && git show --stat --format="%h %s" HEAD`;
}

/** Reads a module and its tests. Returns the source as the agent has read it, without line numbers. */
export async function readModule(session: Session, name: string, words: string | null): Promise<string> {
  const [numbered] = await session.act(words, read(`src/${name}.cjs`), read(`test/${name}.test.js`));
  return `${numbered!.replace(/^ *\d+\t/gm, '')}\n`;
}

/** Renames the file, updates its imports, and edits head, declarations and exports, in one batch of parallel calls. */
export async function rewriteModule(
  session: Session,
  name: string,
  source: string,
  words: string | null,
): Promise<void> {
  await session.act(words, run(repoint(name)), ...moduleEdits(`src/${name}.js`, source));
}

/** Converts modules without special cases: read, edit, test, commit. */
export async function convertPlainModules(session: Session, modules: readonly PlainModule[]): Promise<void> {
  for (const { name, reading, editing, testing, commit: message, milestone } of modules) {
    const source = await readModule(session, name, reading);
    await rewriteModule(session, name, source, editing);
    await session.act(testing, run(testOf(name)));
    await session.act(null, run(commit(message)));
    if (milestone !== undefined) await session.act(milestone, run('node --test test/'), run('npm run --silent check'));
  }
}

function testOf(name: string): string {
  const dependents: Record<string, string> = {
    wrap: ' test/table.test.js',
    duration: ' test/retry.test.js test/cache.test.js test/log.test.js',
  };
  const files = `test/${name}.test.js${dependents[name] ?? ''}`;
  return `node --test ${files}`;
}
