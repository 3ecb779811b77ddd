import type { Source } from './source.ts';

/**
 * What recognises one kind of secret. `match` is called where one of the keywords stands; it may look around,
 * but only a bounded way, so that the whole stays linear.
 */
export interface Matcher {
  readonly keywords: readonly string[];
  /** True: the keywords' case counts. @default false */
  readonly caseSensitive?: boolean | undefined;
  /** Which character may stand directly before a keyword; all signs are alike to it, except dash, underscore, slash and bar. @default any */
  readonly after?: ((code: number) => boolean) | undefined;
  /**
   * True to search for each keyword separately and case-sensitively, because it has too few letters for the shared
   * scan, which would stop too often. The matcher gets its own {@link Source}. @default false
   */
  readonly isRare?: boolean | undefined;
  readonly match: (source: Source, at: number, length: number) => void;
}
