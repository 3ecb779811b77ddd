import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { defineConfig, type Options } from 'tsup';
import { thirdPartyNotices } from './third-party-notices.ts';

/**
 * The build of every package: ESM and CommonJS with types. Other packages are not bundled in.
 * @param sources the sources of the entries, whose files in `dist` have the same names
 */
export const packageBuild = (sources: string[] = ['src/index.ts'], overrides: Options = {}) => {
  const entry = Object.fromEntries(sources.map((source) => [basename(source, '.ts'), source]));
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    clean: true,
    sourcemap: false,
    splitting: true,
    treeshake: true,
    target: 'node20',
    platform: 'neutral',
    minifySyntax: true,
    esbuildPlugins: [thirdPartyNotices],
    ...overrides,
    onSuccess: () => writeTypes(entry),
  });
};

/**
 * Writes the declarations of the entries, for both formats. tsup would compile the whole package for them, which takes ten
 * times as long; every export has an explicit type (`isolatedDeclarations`), so each file is read by itself.
 */
async function writeTypes(input: Record<string, string>): Promise<void> {
  const bundle = await rolldown({
    input,
    external: /^[^./]/,
    plugins: [dts({ oxc: true, emitDtsOnly: true })],
  });
  await bundle.write({ dir: 'dist', format: 'es' });
  await bundle.close();
  const files = (await readdir('dist')).filter((name) => name.endsWith('.d.ts'));
  for (const file of files) {
    const text = await readFile(`dist/${file}`, 'utf8');
    await writeFile(
      `dist/${file.replace(/ts$/, 'cts')}`,
      text.replace(/^((?:import|export)\b.*?["']\.\/[^"']+)\.js(?=["'])/gm, '$1.cjs'),
    );
  }
}
