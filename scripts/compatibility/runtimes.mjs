// Runs the packed packages in several versions of Node, in Bun and in Deno: every entry point, and the examples of the READMEs.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { x } from 'tinyexec';
import ts from 'typescript';
import { root, run } from '../pack.mjs';

const nodes = ['20', '22', '24', '26'];

/** Loads every entry point in both ways and compares its names. */
const useEntries = (entries) => `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const names = (loaded) => Object.keys(loaded).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort().join();
const wrong = [];
for (const entry of ${JSON.stringify(entries)}) {
  const [imported, required] = [names(await import(entry)), names(require(entry))];
  if (imported !== required) wrong.push(entry + ': import gives ' + imported + ', require gives ' + required);
}
if (wrong.length > 0) throw new Error(wrong.join('; '));
`;

/** Runs modules one after the other, in one process. The last line is a list of those that failed. */
const runAll = (files) => `const failed = [];
for (const file of ${JSON.stringify(files)}) {
  try {
    await import('./' + file);
  } catch (error) {
    failed.push({ file, reason: String(error) });
  }
}
console.log(JSON.stringify(failed));
process.exit(0);
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
  const examples = files.size - 1;
  files.set('run-all.mjs', runAll([...files.keys()]));

  const program = (name) => join(folder, 'node_modules/.bin', name);
  const rows = [];
  let isFine = true;
  const check = async (name, place, command) => {
    const version = /\d+\.\d+\.\d+/.exec(await run(command[0], ['--version'], place))[0];
    for (const [file, text] of files) await writeFile(join(place, file), text);
    const output = await run(command[0], [...command.slice(1), 'run-all.mjs'], place);
    const failed = JSON.parse(output.trimEnd().split('\n').at(-1));
    isFine &&= failed.length === 0;
    console.log(`${name} ${version}: ${failed.length} failed`);
    for (const { file, reason } of failed) console.log(`  ${file}: ${reason}`);
    const names = failed.map(({ file }) => file.replace(/-\d+\.mjs$/, '')).filter((file) => file !== 'entries.mjs');
    const loaded = failed.length > names.length ? 'no' : 'yes';
    rows.push(`| ${name} ${version} | ${loaded} | ${examples - names.length} | ${names.join(', ') || 'none'} |`);
  };
  for (const version of nodes) {
    const { place, executable } = await installWithNode(version, folder);
    await check('Node', place, [executable]);
  }
  await check('Bun', folder, [program('bun'), 'run']);
  await check('Deno', folder, [program('deno'), 'run', '--allow-all', '--no-check', '--node-modules-dir=manual']);
  return { isFine, rows: rows.join('\n'), examples };
}

/** Installs what `folder` has in a folder of its own, with npm in another version of Node. */
async function installWithNode(version, folder) {
  const executable = (await run('npx', ['-y', `node@${version}`, '-p', 'process.execPath'], folder)).trim();
  const place = join(folder, `with-node-${version}`);
  await mkdir(place, { recursive: true });
  await cp(join(folder, 'package.json'), join(place, 'package.json'));
  const npm = join((await run('npm', ['root', '--global'], folder)).trim(), 'npm/bin/npm-cli.js');
  // The scripts of a package are run by the first Node on the path.
  const env = { PATH: dirname(executable) + delimiter + process.env.PATH };
  const options = ['install', '--omit=dev', '--legacy-peer-deps', '--prefer-offline', '--no-audit', '--no-fund'];
  await x(executable, [npm, ...options], { throwOnError: true, nodeOptions: { cwd: place, env } });
  return { place, executable };
}
