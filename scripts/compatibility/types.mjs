// Checks our declarations with many versions of TypeScript and every module resolution that reads `exports`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { x } from 'tinyexec';
import { readManifest } from '../pack.mjs';

export const compilers = ['5.5', '5.6', '5.7', '5.8', '5.9', '6.0', '7.0'];
const resolutions = [
  { name: 'node16', module: 'node16', moduleResolution: 'node16' },
  { name: 'nodenext', module: 'nodenext', moduleResolution: 'nodenext' },
  { name: 'bundler', module: 'esnext', moduleResolution: 'bundler' },
];

// Checks our declarations only: those of the SDKs take minutes. TypeScript 7 is fast, and has no such interface.
const check = `const ts = require(process.argv[2]);
const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile('tsconfig.json', ts.sys.readFile).config, ts.sys, '.');
const program = ts.createProgram(fileNames, options);
const ours = program.getSourceFiles().filter(({ fileName }) => /all\\.ts$|node_modules\\/@?palimpsest\\//.test(fileName));
const found = ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => '\\n' };
if (ours.length < 50) console.log('error: the declarations were not found');
console.log(ts.formatDiagnostics([...program.getOptionsDiagnostics(), ...found], host));
`;

/**
 * Imports all entry points in a folder where our packages and the compilers are installed.
 * @returns a table, and whether there was no error
 */
export async function checkTypes(folder, entries) {
  const write = (file, text) => writeFile(join(folder, file), text);
  await write('all.ts', entries.map((entry, at) => `export * as entry${at} from '${entry}';`).join('\n'));
  await write('check.cjs', check);
  const rows = [];
  let isFine = true;
  for (const version of compilers) {
    const { version: installed } = await readManifest(join(folder, `node_modules/typescript-${version}`));
    const cells = [];
    for (const { name, module, moduleResolution } of resolutions) {
      const compilerOptions = {
        noEmit: true,
        strict: true,
        target: 'es2022',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
        module,
        moduleResolution,
      };
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.ts'] }));
      const command = version.startsWith('7')
        ? [`node_modules/typescript-${version}/bin/tsc`]
        : ['check.cjs', `typescript-${version}`];
      const { stdout } = await x('node', command, { nodeOptions: { cwd: folder } });
      const errors = stdout
        .split('\n')
        .filter((line) => /^(?:all\.ts|tsconfig|error|(?:\.\.\/)*node_modules\/@?palimpsest)/.test(line));
      isFine &&= errors.length === 0;
      cells.push(errors.length === 0 ? 'yes' : `${errors.length} errors`);
      console.log(`TypeScript ${installed}, ${name}: ${errors.length === 0 ? 'works' : errors.slice(0, 5).join('\n')}`);
    }
    rows.push(`| ${installed} | ${cells.join(' | ')} |`);
  }
  const head = `| version | ${resolutions.map(({ name }) => `\`${name}\``).join(' | ')} |`;
  return { isFine, table: [head, `| --- | ${resolutions.map(() => '---').join(' | ')} |`, ...rows].join('\n') };
}
