import type { Half } from './fidelity/halves.ts';
import type { Target } from './target.ts';

/** What a section may use: how thorough to be, and where the real data lies, when it is there. */
export interface BenchOptions {
  /** True for the short run of CI: fewer repetitions, smaller inputs, the same measurements. */
  readonly quick: boolean;
  /** Folder with real transcripts and cases; `null` when absent, and the section says what it could not measure. */
  readonly dataFolder: string | null;
  /** Which half of the transcripts fidelity is measured on. What is reported is held out; rules are tuned on the other. */
  readonly half: Half;
}

export interface SectionResult {
  /** A Markdown fragment, ratios first, without its top heading. */
  readonly markdown: string;
  /** The same figures as JSON. */
  readonly figures: unknown;
  /** Measurements that are broken (not merely slow or noisy); any of them fails the run. */
  readonly broken: readonly string[];
  /** What was promised of it; measured on full inputs only, so a short run has none. */
  readonly targets?: readonly Target[] | undefined;
}

/** One chapter of the report. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** True when it takes no times, and so may run while another like it does. */
  readonly isUntimed?: boolean | undefined;
  run(options: BenchOptions): Promise<SectionResult>;
}
