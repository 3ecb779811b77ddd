import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { Blocked } from '../parts/turn-limits.ts';
import type { RequestView } from '../projection/request-view.ts';
import { compactionNeeded } from './compaction-needed.ts';
import type { PlanningParts } from './compaction-planner.ts';
import { cutResults } from './cut-results.ts';
import type { PlannedCompaction } from './plan-compaction.ts';

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
const minPart = 20;

const autoOff: Blocked = {
  reason: 'auto-off',
  message:
    'The prompt does not fit the window, and automatic compaction is off (auto: false). Call compact(), or use a model with a larger window.',
  retryAt: null,
};

/** A request before the check. */
interface NextRequest {
  readonly input: RequestInput;
  /** The request as it would be sent now. */
  readonly next: RequestView;
  /** The plan that was put into effect for it, and the request before that; `null` for none. */
  readonly swapped: { readonly plan: PlannedCompaction; readonly before: RequestView } | null;
}

/** Compacts a request until it is small enough, until a pass saves too little, or until a limit stops it. Calls no model. */
export async function preflight(parts: PlanningParts, request: NextRequest): Promise<Preflight> {
  const { input, next } = request;
  const { options, viewer } = parts;
  const { automatic } = parts.compactions;
  const { model } = parts.provider;
  const { maxTokens } = input;
  if (!options.auto) {
    automatic.pendingRefusal = null;
    const blocked = model.isExceeded(next.size, maxTokens) ? autoOff : null;
    if (blocked) reportBlock(parts, blocked);
    return { view: next, compacted: [], blocked };
  }
  const done = await passes(parts, request);
  automatic.pendingRefusal = null;
  if (!model.isExceeded(done.view.size, maxTokens)) return done;
  // Last resort: cut the largest results, because the provider would refuse the request.
  const cut = cutResults(parts, input, model.room(maxTokens));
  return cut === null ? done : { ...done, view: viewer.view(input), compacted: [...done.compacted, cut] };
}

async function passes(parts: PlanningParts, { input, next, swapped }: NextRequest): Promise<Preflight> {
  const { clock, viewer } = parts;
  const { automatic, hygiene, turns } = parts.compactions;
  const compacted = swapped ? [swapped.plan.number] : [];
  let isByRules = swapped?.plan.result.report.modelCalls === 0;
  let view = next;
  const isOver = parts.provider.model.isExceeded(view.size, input.maxTokens);
  if (swapped && !isOver && isStalled(swapped.before, view)) return { view, compacted, blocked: null };
  for (let pass = swapped ? 2 : 1; ; pass++) {
    const asked = compactionNeeded(parts, input, view, { pass, isByRules });
    if (!asked) return { view, compacted, blocked: null };
    const blocked = turns.attemptsBlock();
    if (blocked) {
      reportBlock(parts, blocked);
      return { view, compacted, blocked };
    }
    // Pruning below the window does not count as an attempt.
    if (asked.trigger === 'window' || asked.trigger === 'overflow') turns.countAttempt();
    const { checkpoint } = await parts.planner.compact(input, view, asked);
    isByRules = true;
    if (asked.trigger === 'hygiene') hygiene.noteResult(checkpoint !== null, clock.now());
    automatic.pendingRefusal = null;
    if (!checkpoint) {
      // The engine's own target may be met already, while the request does not fit the window.
      if (asked.trigger === 'window' && asked.targetTokens === undefined) continue;
      return { view, compacted, blocked: null };
    }
    compacted.push(checkpoint.number);
    const after = viewer.view(input);
    const hasStalled = isStalled(view, after);
    view = after;
    if (hasStalled) return { view, compacted, blocked: null };
  }
}

/** True for a pass that removed no message and saved little. */
function isStalled(before: RequestView, after: RequestView): boolean {
  const isFewer = after.assembled.messages.length < before.assembled.messages.length;
  return !isFewer && (before.size.tokens - after.size.tokens) * minPart <= before.size.tokens;
}

/** Publishes `compaction-blocked`, once per reason and user turn. */
export function reportBlock({ compactions: { turns }, events }: SessionParts, blocked: Blocked): void {
  const { reason, message, retryAt } = blocked;
  if (turns.isNewBlock(blocked)) events.publish({ type: 'compaction-blocked', reason, message, retryAt });
}
