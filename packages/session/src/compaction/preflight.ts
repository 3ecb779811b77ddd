import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { Blocked } from '../parts/turn-limits.ts';
import type { RequestView } from '../projection/request-view.ts';
import { compact } from './compact.ts';
import { compactionNeeded } from './compaction-needed.ts';
import type { CompactionRequest } from './compaction-request.ts';
import { cutResults } from './cut-results.ts';

/** The result of the check before a request. */
export interface Preflight {
  readonly view: RequestView;
  /** Numbers of the compactions that took effect, oldest first. */
  readonly compacted: readonly number[];
  /** Set when another compaction was needed but not allowed. */
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

/**
 * Compacts a request until it is small enough, until a pass saves too little, or until a limit stops it.
 * @param before the request as it would be sent now
 */
export async function preflight(parts: SessionParts, input: RequestInput, before: RequestView): Promise<Preflight> {
  const { options, viewer } = parts;
  const { automatic } = parts.compactions;
  const { model } = parts.provider;
  const { maxTokens } = input;
  if (!options.auto) {
    automatic.pendingRefusal = null;
    const blocked = model.isExceeded(before.size, maxTokens) ? autoOff : null;
    if (blocked) reportBlock(parts, blocked);
    return { view: before, compacted: [], blocked };
  }
  const done = await passes(parts, input, before);
  automatic.pendingRefusal = null;
  if (!model.isExceeded(done.view.size, maxTokens)) return done;
  // Last resort: cut the largest results, because the provider would refuse the request.
  const cut = cutResults(parts, input, model.room(maxTokens));
  return cut === null ? done : { ...done, view: viewer.view(input), compacted: [...done.compacted, cut] };
}

async function passes(parts: SessionParts, input: RequestInput, before: RequestView): Promise<Preflight> {
  const { clock, viewer } = parts;
  const { automatic, hygiene, turns } = parts.compactions;
  const compacted: number[] = [];
  let view = before;
  for (let pass = 1; ; pass++) {
    const request = compactionNeeded(parts, input, view, pass);
    if (!request) return { view, compacted, blocked: null };
    const blocked = turns.blocked(clock.now());
    const stop = turns.exhausted() ?? (isUrgent(request) ? null : blocked);
    if (stop) {
      reportBlock(parts, stop);
      return { view, compacted, blocked: stop };
    }
    if (blocked) reportBlock(parts, blocked);
    const allowed: CompactionRequest = blocked ? { ...request, effort: 'free' } : request;
    // Pruning below the window does not count as an attempt: it may run each turn while the summarizer cools down.
    if (allowed.effort === 'full' || isUrgent(allowed)) turns.tried();
    const { checkpoint } = await compact(parts, input, view, allowed);
    if (request.trigger === 'hygiene' || request.trigger === 'idle')
      hygiene.noteResult(checkpoint !== null, clock.now());
    automatic.pendingRefusal = null;
    if (!checkpoint) {
      // The engine's own target may be met already, while the request does not fit the window.
      if (request.trigger === 'window' && request.targetTokens === undefined) continue;
      return { view, compacted, blocked };
    }
    compacted.push(checkpoint.number);
    const next = viewer.view(input);
    const isFewer = next.assembled.messages.length < view.assembled.messages.length;
    const isLittle = (view.size.tokens - next.size.tokens) * leastPart <= view.size.tokens;
    view = next;
    if (!isFewer && isLittle) return { view, compacted, blocked };
  }
}

/** True when the provider would refuse the request without this compaction. */
function isUrgent({ trigger }: CompactionRequest): boolean {
  return trigger === 'window' || trigger === 'overflow';
}

/** Publishes `compress-blocked`, once per reason and user turn. */
function reportBlock({ compactions: { turns }, events }: SessionParts, blocked: Blocked): void {
  const { reason, message, retryAt } = blocked;
  if (turns.isNewBlock(blocked)) events.publish({ type: 'compress-blocked', reason, message, retryAt });
}
