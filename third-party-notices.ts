import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The folder and the name of a package, from the path of one of its files. The folder of the store comes first. */
const packageOf: RegExp = /^(?<folder>.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+))\//;
const licenceFile: RegExp = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/** The bundled packages of all builds of this process, with their licences, by name and version. */
const notices: Map<string, string> = new Map();

/**
 * Writes `dist/THIRD-PARTY-NOTICES` with the licences of all packages whose code esbuild puts into a build: the licences
 * ask for it. A build without such code writes nothing. A bundled package without a licence is an error.
 */
export const thirdPartyNotices: Plugin = {
  name: 'third-party-notices',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(async ({ metafile }) => {
      const outputs = Object.values(metafile?.outputs ?? {});
      const files = outputs.flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
      );
      const folders = new Set(files.flatMap((path) => packageOf.exec(path)?.groups?.folder ?? []));
      for (const folder of folders) await addNotice(folder);
      if (notices.size === 0) return;
      await mkdir('dist', { recursive: true });
      const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, notice]) => notice);
      const lead = 'The files in this folder contain code of the following packages, under these licences.';
      await writeFile('dist/THIRD-PARTY-NOTICES', `${[lead, ...sorted].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
    });
  },
};

async function addNotice(folder: string): Promise<void> {
  const manifest: { name: string; version: string; license?: string } = JSON.parse(
    await readFile(`${folder}/package.json`, 'utf8'),
  );
  const title = `${manifest.name}@${manifest.version}`;
  if (notices.has(title)) return;
  const files = (await readdir(folder)).filter((file) => licenceFile.test(basename(file))).sort();
  if (files.length === 0) throw new Error(`${title} is bundled, but has no file with its licence. Do not bundle it.`);
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
  notices.set(title, [`${title} (${manifest.license})`, ...texts.map((text) => text.trim())].join('\n\n'));
}
