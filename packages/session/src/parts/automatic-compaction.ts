import type { ProviderFailure } from '../failure/provider-failure.ts';

/** State that affects the next automatic compaction. */
export class AutomaticCompaction {
  /** True after `undo`, until the prompt no longer fits the window. Pauses automatic compaction. */
  isHeld = false;
  /** An overflow that was reported inside a stream. The next request is compacted first. */
  pendingRefusal: ProviderFailure | null = null;

  clear(): void {
    this.isHeld = false;
    this.pendingRefusal = null;
  }
}
