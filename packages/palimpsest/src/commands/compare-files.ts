import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { openAtomic } from '@palimpsest/eval/output/atomic-file';
import { comparisonHead, pageFoot } from '@palimpsest/eval/page/page';
import { comparisonCard } from '../comparison/card/card.ts';
import { type CardSession, cardFigures } from '../comparison/card/card-figures.ts';
import { loadResvg } from '../comparison/card/load-resvg.ts';
import { indexLink, sampleSection, sessionIndex } from '../comparison/page/sample-section.ts';
import { verdictOnAll } from '../comparison/terminal/totals.ts';
import type { Comparison } from '../comparison/to-comparison.ts';

/** The files that `compare` writes next to its output. */
export interface CompareFiles {
  /** The paths by option; `null` for a file that is not written. */
  readonly paths: Readonly<Record<string, string | null>>;
  add(sample: Sample, comparison: Comparison): void;
  /** Completes the files, and says so. */
  commit(): void;
  /** Deletes what is not complete. */
  discard(): void;
}

/** @throws {CliError} for a file that cannot be written, and for a PNG without `@resvg/resvg-js` */
export async function openCompareFiles(
  { html, card }: { readonly html?: string; readonly card?: string },
  { cwd, err }: Terminal,
): Promise<CompareFiles> {
  const Resvg = card !== undefined && /\.png$/i.test(card) ? await loadResvg() : null;
  const page = html === undefined ? null : openAtomic(html, cwd);
  const picture = card === undefined ? null : openAtomic(card, cwd);
  const sessions: CardSession[] = [];
  let first = '';
  page?.write(comparisonHead);
  const endPage = (): void => {
    const samples = sessions.map(({ compared }) => compared);
    page?.write(samples.length > 1 ? sessionIndex(samples, verdictOnAll(samples)) : first);
    page?.write(pageFoot);
  };
  const drawPicture = (): void => {
    const figures = cardFigures(sessions);
    if (!figures)
      throw CliError.badInput('--card: a session could not be replayed, so no picture was drawn; compare it alone');
    const svg = comparisonCard(figures);
    picture?.write(Resvg ? new Resvg(svg).render().asPng() : svg);
  };
  return {
    paths: { '--html': page?.path ?? null, '--card': picture?.path ?? null },
    add(sample, { compared, ...comparison }) {
      sessions.push({ compared, sent: comparison.sent });
      if (!page) return;
      // The first section waits for a second one, which needs the link to the list of sessions.
      const section = sampleSection(sample, { compared, ...comparison }, sessions.length);
      if (sessions.length === 1) first = section;
      else page.write(sessions.length === 2 ? `${indexLink}${first}${section}` : section);
    },
    commit() {
      if (page) endPage();
      if (picture) drawPicture();
      for (const file of [page, picture]) {
        file?.commit();
        if (file) err(`palimpsest: wrote ${printable(file.path, 300)}\n`);
      }
    },
    discard() {
      page?.discard();
      picture?.discard();
    },
  };
}
