import type { SessionCore, View, Work } from '../session-core.ts';
import type { Blocked } from '../turn-limits.ts';
import { compact } from './compact.ts';
import { cutResults } from './cut-results.ts';
import { compactionNeeded, isOverWindow, noteHygiene } from './need.ts';
import type { Wish } from './plan-compaction.ts';

/** What was done before a request. */
export interface Preflight {
  readonly view: View;
  /** Numbers of the compactions that took effect, oldest first. */
  readonly compacted: readonly number[];
  /** Set when more was needed than was allowed. */
  readonly blocked: Blocked | null;
}

/**
 * Minimum savings, as one part in twenty (5 %), for another pass to follow one that removed no message. The check
 * multiplies instead of dividing, so that exactly 5 % stops: 1 - 9,500 / 10,000 evaluates to more than 0.05.
 */
const leastPart = 20;

const autoOff: Blocked = {
  reason: 'auto-off',
  message:
    'The prompt does not fit the window, and automatic compression is off (auto: false). Call compact(), or use a model with a larger window.',
  retryAt: null,
};

/** Compacts a request until it is small enough, no longer achieves anything, or may not go on. */
export async function preflight(core: SessionCore, work: Work): Promise<Preflight> {
  const before = core.view(work);
  if (!core.options.auto) {
    core.pendingRefusal = null;
    const blocked = isOverWindow(core, work, before) ? autoOff : null;
    if (blocked) announce(core, blocked);
    return { view: before, compacted: [], blocked };
  }
  const done = await passes(core, work, before);
  core.pendingRefusal = null;
  if (!isOverWindow(core, work, done.view)) return { ...done, blocked: done.blocked };
  // Last resort: cut the largest results, because the provider would refuse the request.
  const cut = cutResults(core, work, core.room(work));
  return cut === null ? done : { view: core.view(work), compacted: [...done.compacted, cut], blocked: done.blocked };
}

async function passes(core: SessionCore, work: Work, before: View): Promise<Preflight> {
  const compacted: number[] = [];
  let view = before;
  for (let pass = 1; ; pass++) {
    const wish = compactionNeeded(core, work, view, pass);
    if (!wish) return { view, compacted, blocked: null };
    const blocked = core.turns.blocked(core.clock.now());
    const stop = core.turns.exhausted() ?? (isUrgent(wish) ? null : blocked);
    if (stop) {
      announce(core, stop);
      return { view, compacted, blocked: stop };
    }
    if (blocked) announce(core, blocked);
    const allowed: Wish = blocked ? { ...wish, effort: 'free' } : wish;
    // Pruning below the window does not count as an attempt: it may run each turn while the summarizer cools down.
    if (allowed.effort === 'full' || isUrgent(allowed)) core.turns.tried();
    const done = await compact(core, work, view, allowed);
    const hygienic = wish.trigger === 'hygiene' || wish.trigger === 'idle';
    if (hygienic) noteHygiene(core, done.checkpoint !== null);
    core.pendingRefusal = null;
    if (!done.checkpoint) return { view, compacted, blocked };
    compacted.push(done.checkpoint.number);
    const next = core.view(work);
    const fewer = next.assembled.messages.length < view.assembled.messages.length;
    const isLittle = (view.size.tokens - next.size.tokens) * leastPart <= view.size.tokens;
    view = next;
    if (!fewer && isLittle) return { view, compacted, blocked };
  }
}

/** True when the provider would refuse the request without this compaction. */
function isUrgent({ trigger }: Wish): boolean {
  return trigger === 'window' || trigger === 'overflow';
}

/** Emits `compress-blocked`, once per reason and user turn. */
function announce(core: SessionCore, { reason, message, retryAt }: Blocked): void {
  const key = `${reason} ${core.turns.turn}`;
  if (core.announcedBlock === key) return;
  core.announcedBlock = key;
  core.publish({ type: 'compress-blocked', reason, message, retryAt });
}
