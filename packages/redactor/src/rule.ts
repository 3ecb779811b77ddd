import type { Source } from './source.ts';

/**
 * What recognises one kind of secret. `match` is called where one of the keywords stands; it may look around,
 * but only a bounded way, so that the whole stays linear.
 */
export interface Matcher {
  readonly keywords: readonly string[];
  /** True: the keywords' case counts. */
  readonly caseSensitive: boolean;
  readonly match: (source: Source, at: number, length: number) => void;
}
