import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import { estimateError } from '../provider/model-window.ts';
import { askedCompaction } from './compact-tool.ts';
import type { CompactionRequest } from './compaction-request.ts';
import { targetOfPass, unreadTokens } from './target.ts';

/** Effort for an automatic compaction: `free` (no model call) while the summarizer cools down after a failure. */
export function effortNow({ clock, engine }: SessionParts): 'free' | 'full' {
  const { cooldownUntil } = engine.ready.status();
  return cooldownUntil !== null && clock.now() < cooldownUntil ? 'free' : 'full';
}

/**
 * Decides whether a request has to be compacted before it is sent, and how.
 * @param pass 1 for the first pass over the request
 * @returns `null` when it can be sent
 */
export function compactionNeeded(
  parts: SessionParts,
  { intake, maxTokens }: Pick<RequestInput, 'intake' | 'maxTokens'>,
  view: RequestView,
  pass: number,
): CompactionRequest | null {
  const { automatic } = parts.compactions;
  const { model } = parts.provider;
  const engine = parts.engine.ready;
  const { tokens } = view.size;
  const { thresholdTokens } = engine.state;
  const ceiling = Math.min(model.room(maxTokens), thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY);
  const target = (): number | undefined =>
    Number.isFinite(ceiling) ? targetOfPass(ceiling, pass, unreadTokens(parts, view)) : undefined;
  const effort = effortNow(parts);
  if (automatic.pendingRefusal && pass === 1)
    return {
      trigger: 'overflow',
      effort,
      force: true,
      targetTokens: targetOfPass(Math.min(ceiling, tokens), 1, unreadTokens(parts, view)),
    };
  if (model.isExceeded(view.size, maxTokens)) {
    automatic.isHeld = false;
    // The engine's own target first: it keeps more of the newest turns than a target to fill.
    const own = pass === 1 && thresholdTokens > 0;
    return { trigger: 'window', effort, force: true, ...(own ? {} : { targetTokens: target() }) };
  }
  if (automatic.isHeld) return null;
  const asked = pass === 1 ? askedCompaction(parts, intake.messages) : null;
  if (asked) return { trigger: 'agent', effort, force: true, nextStep: asked.next };
  const decision = engine.explain(tokens);
  if (decision.compress || (decision.effort === 'free' && pass === 1))
    return {
      trigger: 'threshold',
      effort: decision.effort === 'free' ? 'free' : 'full',
      force: false,
      ...(pass > 1 ? { targetTokens: target() } : {}),
    };
  const hygiene = hygieneDue(parts, maxTokens, view);
  return hygiene && pass === 1 ? { trigger: hygiene, effort, force: true, targetTokens: target() } : null;
}

/** Tokens by which a prompt may grow before it is compacted; 0 when that is not known. */
export function roomBeforeCompaction(
  { compactions: { automatic, hygiene }, engine, options, provider: { model } }: SessionParts,
  maxTokens: number | undefined,
  { assembled, size }: RequestView,
): number {
  const threshold = engine.current?.state.thresholdTokens ?? 0;
  const most = hygiene.mostTokens(assembled.messages.length, model.room(maxTokens));
  if (threshold <= 0 || automatic.pendingRefusal || !Number.isFinite(most)) return 0;
  const limit = Math.min(threshold * (options.background ?? 1), most);
  return Math.max(0, Math.floor(limit - size.tokens - size.estimatedTokens * estimateError));
}

/** Whether a long-lived chat is due for compaction, even below the engine's threshold. */
export function hygieneDue(
  { clock, compactions: { hygiene }, engine, provider: { model } }: SessionParts,
  maxTokens: number | undefined,
  { assembled, size }: RequestView,
): 'hygiene' | 'idle' | null {
  const { thresholdTokens } = engine.ready.state;
  const messages = assembled.messages.length;
  return hygiene.due(
    { tokens: size.tokens, messages, roomTokens: model.room(maxTokens), thresholdTokens },
    clock.now(),
  );
}
