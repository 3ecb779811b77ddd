import type { SessionParts } from '../parts/session-parts.ts';

/** What to do about a refused request. */
export type Recovery =
  /** Prepare the same messages again: the request is now smaller, or asks for a shorter answer. */
  | { readonly retry: true; readonly maxTokens: number | undefined }
  /** Handle the refusal yourself. `exhausted` says why no smaller request is possible; `null` when none was tried. */
  | { readonly retry: false; readonly exhausted: string | null };

/** Reports that nothing is left to try. */
export function reportExhausted({ compactions: { turns }, events }: SessionParts, reason: string): Recovery {
  events.publish({ type: 'compaction-exhausted', attempts: turns.attempts, reason });
  return { retry: false, exhausted: reason };
}
