import { compactionsKey, importantKey } from './merge-snapshots.ts';
import type { SessionSnapshot } from './session-snapshot.ts';

/** The stored state that the one in memory was made from. */
export interface StoredBase {
  /** `null` for nothing stored. */
  readonly version: string | null;
  readonly revision: number;
  /** The compactions, as a text to compare. */
  readonly compactions: string;
  /** The part of the state that changes later requests, as a text to compare. */
  readonly important: string;
}

/** @param version the version under which the snapshot is stored */
export function baseOf(snapshot: SessionSnapshot, version: string | null): StoredBase {
  const { revision = 0 } = snapshot;
  return { version, revision, compactions: compactionsKey(snapshot), important: importantKey(snapshot) };
}
