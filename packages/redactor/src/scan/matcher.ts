import type { SearchState } from './search-state.ts';

/**
 * Recognizes one kind of secret. `match` is called at each occurrence of a keyword and may read only a bounded range around
 * it, so that the search stays linear.
 */
export interface Matcher {
  readonly keywords: readonly string[];
  /** True if the keywords are case-sensitive. @default false */
  readonly caseSensitive?: boolean | undefined;
  /** Tests the character before a keyword. All signs except `-`, `_`, `/` and `|` must get the same answer. @default any */
  readonly after?: ((code: number) => boolean) | undefined;
  /**
   * True to search for each keyword separately and case-sensitively. For keywords with so few letters that the shared scan
   * would stop too often. The matcher gets its own {@link SearchState}. @default false
   */
  readonly isRare?: boolean | undefined;
  readonly match: (state: SearchState, at: number, length: number) => void;
}
