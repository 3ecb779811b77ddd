import type { Half } from '@palimpsest/eval/measures';
import type { Target } from './target.ts';

/** Options passed to every section: how thorough to be, and where to find real data. */
export interface BenchOptions {
  /** True for the short run of CI: fewer repetitions, smaller inputs, the same measurements. */
  readonly quick: boolean;
  /** Folder with real transcripts and cases. `null` when absent: the section then reports what it could not measure. */
  readonly dataFolder: string | null;
  /** Half of the transcripts to measure fidelity on. Results are reported on `held-out`; rules are tuned on `development`. */
  readonly half: Half;
}

/** The outcome of one section. */
export interface SectionResult {
  /** Markdown fragment without its top heading, ratios first. */
  readonly markdown: string;
  /** The part that RESULTS.md shows, too. */
  readonly summary?: string | undefined;
  /** The same figures as JSON. */
  readonly figures: unknown;
  /** Failed checks (not merely slow or noisy measurements). Any of them fails the run. */
  readonly broken: readonly string[];
  /** Targets with their measured values. `main.ts` ignores them in a quick run, which does not use full inputs. */
  readonly targets?: readonly Target[] | undefined;
}

/** One section of the report. */
export interface Section {
  /** Name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** True when the section measures no times and may run in parallel with other untimed sections. */
  readonly isUntimed?: boolean | undefined;
  run(options: BenchOptions): Promise<SectionResult>;
}
