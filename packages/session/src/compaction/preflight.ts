import type { SessionCore, View, Work } from '../session-core.ts';
import type { Blocked } from '../turn-limits.ts';
import { type Compacted, compact } from './compact.ts';
import { compactionNeeded, noteHygiene } from './need.ts';

/** What was done before a request. */
export interface Preflight {
  readonly view: View;
  /** The compactions that took effect, oldest first. */
  readonly compacted: readonly Compacted[];
  /** Set when more was needed than was allowed. */
  readonly blocked: Blocked | null;
}

/** A pass that takes no message away has to save more than this for another to follow. */
const leastSaving = 0.05;

/** Compacts a request until it is small enough, no longer achieves anything, or may not go on. */
export async function preflight(core: SessionCore, work: Work): Promise<Preflight> {
  const compacted: Compacted[] = [];
  let view = core.view(work);
  for (let pass = 1; ; pass++) {
    const wish = compactionNeeded(core, work, view, pass);
    if (!wish) return { view, compacted, blocked: null };
    const blocked = core.turns.blocked(core.clock.now());
    if (blocked) {
      const { reason, message, retryAt } = blocked;
      core.publish({ type: 'compress-blocked', reason, message, retryAt });
      return { view, compacted, blocked };
    }
    // Pruning without a model call is no attempt: it may run each turn while the summarizer rests.
    if (wish.effort === 'full') core.turns.spend();
    const done = await compact(core, work, view, wish);
    const hygienic = wish.trigger === 'hygiene' || wish.trigger === 'idle';
    if (hygienic) noteHygiene(core, done.checkpoint !== null);
    core.pendingRefusal = null;
    if (!done.checkpoint) return { view, compacted, blocked: null };
    compacted.push(done);
    const next = core.view(work);
    const fewer = next.assembled.messages.length < view.assembled.messages.length;
    const saved = 1 - next.size.tokens / Math.max(1, view.size.tokens);
    view = next;
    if (!fewer && saved <= leastSaving) return { view, compacted, blocked: null };
  }
}
