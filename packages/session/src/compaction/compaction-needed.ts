import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { AskedCompaction } from './asked-compaction.ts';
import { findCompactCall } from './compact-tool.ts';
import { countUnreadTokens, targetOfPass } from './target.ts';

type SizedInput = Pick<RequestInput, 'intake' | 'maxTokens'>;

/**
 * Decides whether the conversation should be compacted soon. This happens in the background, so a model may write.
 * @param tokens size of the prompt, or of a later one
 * @returns `null` when nothing is due
 */
export function compactionWanted(
  parts: SessionParts,
  { intake, maxTokens }: SizedInput,
  view: RequestView,
  tokens: number = view.size.tokens,
): AskedCompaction | null {
  const { automatic } = parts.compactions;
  if (parts.options.auto !== true || automatic.isHeld || automatic.pendingRefusal) return null;
  const asked = findCompactCall(parts, intake.messages);
  const { cooldownUntil } = parts.engine.ready.status();
  const effort = cooldownUntil !== null && parts.clock.now() < cooldownUntil ? 'free' : 'full';
  // Rules write at once where a page has to wait for the user's turn.
  const isLater = parts.pages?.isServerBusy ?? false;
  if (asked) return { trigger: 'agent', effort: isLater ? 'free' : effort, force: true, nextStep: asked.next };
  if (parts.engine.ready.explain(tokens).compact) return { trigger: 'threshold', effort, force: false };
  // A full window does not wait for a model.
  if (isFull(parts, maxTokens, view)) return null;
  const hygiene = hygieneDue(parts, maxTokens, view);
  return hygiene && { trigger: hygiene, effort, force: true, targetTokens: targetFor(parts, maxTokens, view, 1) };
}

/** The passes over a request so far. */
interface PassState {
  /** 1 for the first pass. */
  readonly pass: number;
  /** True if rules wrote the handoff of the previous pass; only then is another pass made for the threshold. */
  readonly isByRules: boolean;
}

/**
 * Decides whether a request must be compacted before it is sent. This calls no model, because the request waits.
 * @returns `null` when it can be sent
 */
export function compactionNeeded(
  parts: SessionParts,
  { maxTokens }: SizedInput,
  view: RequestView,
  { pass, isByRules }: PassState,
): AskedCompaction | null {
  const { automatic } = parts.compactions;
  const { model } = parts.provider;
  const engine = parts.engine.ready;
  const { tokens } = view.size;
  const { thresholdTokens } = engine.state;
  const rules = { effort: 'free', force: true } as const;
  if (automatic.pendingRefusal && pass === 1) {
    const size = Math.min(ceilingOf(parts, maxTokens), tokens);
    return { ...rules, trigger: 'overflow', targetTokens: targetOfPass(size, 1, countUnreadTokens(parts, view)) };
  }
  if (model.isExceeded(view.size, maxTokens)) {
    automatic.isHeld = false;
    // The engine's own target first: it keeps more of the newest turns than a target to fill.
    const own = pass === 1 && thresholdTokens > 0;
    return { ...rules, trigger: 'window', ...(own ? {} : { targetTokens: targetFor(parts, maxTokens, view, pass) }) };
  }
  if (automatic.isHeld || parts.options.auto === 'window') return null;
  const targetTokens = targetFor(parts, maxTokens, view, pass);
  if (pass === 1 && isFull(parts, maxTokens, view)) return { ...rules, trigger: 'hygiene', targetTokens };
  if (pass === 1 || !isByRules || !engine.explain(tokens).compact) return null;
  return { trigger: 'threshold', effort: 'free', force: false, targetTokens };
}

/** True for a prompt that has nearly filled the window. */
function isFull(
  { clock, compactions: { hygiene }, provider: { model } }: SessionParts,
  maxTokens: number | undefined,
  { size }: RequestView,
): boolean {
  return hygiene.isFull(size.tokens, model.room(maxTokens), clock.now());
}

/** A model is asked at the latest at this share of the size at which rules write. */
export const timelyShare = 0.85;

/** Tokens of a prompt from which it is compacted automatically; `null` when that is not known, or never happens. */
export function compactsAt(parts: SessionParts, maxTokens: number | undefined): number | null {
  const { automatic, hygiene } = parts.compactions;
  const { auto } = parts.options;
  if (!auto || !parts.engine.current) return null;
  const room = parts.provider.model.room(maxTokens);
  const isLate = automatic.isHeld || auto === 'window';
  const full = hygiene.fullAt(room) * (parts.pages?.isModel ? timelyShare : 1);
  const tokens = isLate ? room : Math.min(ceilingOf(parts, maxTokens), full);
  return Number.isFinite(tokens) ? Math.floor(tokens) : null;
}

/** The largest prompt that needs no compaction, in tokens; `Infinity` when it is not known. */
function ceilingOf({ engine, provider: { model } }: SessionParts, maxTokens: number | undefined): number {
  const { thresholdTokens } = engine.ready.state;
  return Math.min(model.room(maxTokens), thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY);
}

function targetFor(
  parts: SessionParts,
  maxTokens: number | undefined,
  view: RequestView,
  pass: number,
): number | undefined {
  const ceiling = ceilingOf(parts, maxTokens);
  return Number.isFinite(ceiling) ? targetOfPass(ceiling, pass, countUnreadTokens(parts, view)) : undefined;
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
