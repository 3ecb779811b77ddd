import type { Half } from '@palimpsest/eval/measures';
import type { Target } from './target.ts';

/** Options passed to every section: how thorough to be, and where to find real data. */
export interface BenchOptions {
  /** True for the short run of CI: fewer repetitions, smaller inputs, the same measurements. */
  readonly quick: boolean;
  /** Folder with real transcripts and cases. `null` when absent: the section then reports what it could not measure. */
  readonly dataFolder: string | null;
  /** Half of the transcripts to measure on. Results are reported on `held-out`; rules are tuned on `development`. */
  readonly half: Half;
}

/** A table of the report. Without rows, it is left out. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Number of columns with text; those after them have numbers. @default 1 */
  readonly texts?: number;
}

/** What a section measured. The runner formats it, compares it with the targets and writes it as JSON. */
export interface Measured {
  /** Paragraphs of Markdown, and tables. */
  readonly report: readonly (string | Table)[];
  /** The part that RESULTS.md shows, too. */
  readonly summary?: readonly (string | Table)[] | undefined;
  /** The same figures as JSON. */
  readonly figures: unknown;
  /** Values that have a limit. */
  readonly targets?: readonly Target[] | undefined;
  /** Other failed checks (not merely slow or noisy measurements). Any of them fails the run. */
  readonly broken?: readonly string[] | undefined;
}

/** One section of the report. It only declares what it measures, and computes it. */
export interface Section {
  /** Name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** True when the section measures no times and may run in parallel with other untimed sections. */
  readonly isUntimed?: boolean | undefined;
  measure(options: BenchOptions): Promise<Measured>;
}

/** Formats paragraphs and tables as Markdown. */
export function markdownOf(blocks: readonly (string | Table)[]): string {
  const text = (block: string | Table): string => {
    if (typeof block === 'string') return block;
    const { head, rows, texts = 1 } = block;
    if (rows.length === 0) return '';
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    return [head, head.map((_, at) => (at < texts ? '---' : '---:')), ...rows].map(line).join('\n');
  };
  return blocks
    .map(text)
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Formats a list. */
export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** Formats a number with separators, such as `16,000`. */
export const count = (value: number): string => value.toLocaleString('en-US');
