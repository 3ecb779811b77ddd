// Runs the packed packages in several versions of Node, in Bun and in Deno: every entry point, and the examples of the READMEs.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { x } from 'tinyexec';
import ts from 'typescript';
import { root, run } from '../pack.mjs';

const nodes = ['20', '22', '24', '26'];

/** Loads every entry point and compares its names. A module that only has types has none. */
const useEntries = (entries) => `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
let failed = 0;
for (const entry of ${JSON.stringify(entries)}) {
  try {
    const names = (loaded) => Object.keys(loaded).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort().join();
    const [imported, required] = [names(await import(entry)), names(require(entry))];
    if (imported !== required) throw new Error('import gives ' + imported + ', require gives ' + required);
  } catch (error) {
    failed++;
    console.error(entry + ': ' + error);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
`;

/**
 * Runs everything in a folder where our packages, Bun and Deno are installed. For each version of Node, they are installed
 * anew with it.
 * @returns the rows of a table, the number of examples, and whether nothing failed
 */
export async function checkRuntimes(folder, entries) {
  const files = new Map([['entries.mjs', useEntries(entries)]]);
  const source = join(root, 'test/.readme-examples');
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  for (const file of (await readdir(source)).filter((name) => !name.startsWith('docs-'))) {
    const text = await readFile(join(source, file), 'utf8');
    files.set(file.replace(/ts$/, 'mjs'), ts.transpileModule(text, { compilerOptions }).outputText);
  }
  const runtimes = [];
  for (const version of nodes) runtimes.push(await installWithNode(version, folder));
  const program = (name) => join(folder, 'node_modules/.bin', name);
  runtimes.push({ name: 'Bun', folder, command: [program('bun')] });
  const flags = ['run', '--allow-all', '--no-check', '--node-modules-dir=manual'];
  runtimes.push({ name: 'Deno', folder, command: [program('deno'), ...flags] });

  const rows = [];
  let isFine = true;
  for (const { name, folder: place, command } of runtimes) {
    const version = /\d+\.\d+\.\d+/.exec(await run(command[0], ['--version'], place))[0];
    const failed = [];
    for (const [file, text] of files) {
      await writeFile(join(place, file), text);
      const options = { timeout: 120_000, nodeOptions: { cwd: place } };
      const { exitCode, stderr } = await x(command[0], [...command.slice(1), file], options);
      if (exitCode === 0) continue;
      failed.push(file);
      console.log(`  ${file}: ${stderr.trim().slice(0, 800)}`);
    }
    isFine &&= failed.length === 0;
    console.log(`${name} ${version}: ${files.size - failed.length} of ${files.size} run`);
    const examples = failed.filter((file) => file !== 'entries.mjs');
    const loaded = failed.length > examples.length ? 'no' : 'yes';
    const others = examples.map((file) => file.replace(/-\d+\.mjs$/, '')).join(', ') || 'none';
    rows.push(`| ${name} ${version} | ${loaded} | ${files.size - 1 - examples.length} | ${others} |`);
  }
  return { isFine, rows: rows.join('\n'), examples: files.size - 1 };
}

/** Installs what `folder` has in a folder of its own, with npm in another version of Node. */
async function installWithNode(version, folder) {
  const executable = (await run('npx', ['-y', `node@${version}`, '-p', 'process.execPath'], folder)).trim();
  const place = join(folder, `with-node-${version}`);
  await mkdir(place);
  for (const file of ['package.json', 'package-lock.json']) await cp(join(folder, file), join(place, file));
  const npm = join((await run('npm', ['root', '--global'], folder)).trim(), 'npm/bin/npm-cli.js');
  // The scripts of a package are run by the first Node on the path.
  const env = { PATH: `${dirname(executable)}:${process.env.PATH}` };
  const options = ['ci', '--omit=dev', '--legacy-peer-deps', '--prefer-offline', '--no-audit', '--no-fund'];
  await x(executable, [npm, ...options], { throwOnError: true, nodeOptions: { cwd: place, env } });
  return { name: 'Node', folder: place, command: [executable] };
}
