import type { SessionCore, View, Work } from '../session-core.ts';
import type { Wish } from './plan-compaction.ts';

/** The error of an estimate that is reckoned with where a refusal would follow. */
const margin = 0.05;
/** Shares of the room a further pass is to land at, when the one before was not enough. */
const landings = [0.6, 0.45, 0.3] as const;

/** Where a pass is to land so that it asks for less than the one before. @param pass 1 for the first */
export function landing(room: number, pass: number): number {
  return Math.floor(room * landings[Math.max(0, Math.min(pass, landings.length) - 1)]!);
}

/** True when the prompt and the requested answer together do not fit the window. */
export function isOverWindow(core: SessionCore, work: Work, { size }: Pick<View, 'size'>): boolean {
  return size.tokens + size.estimatedTokens * margin > core.room(work);
}

/** Effort for an automatic compaction: `free` (no model call) while the summarizer cools down after a failure. */
export function effortNow({ ready: engine, clock }: SessionCore): 'free' | 'full' {
  const { cooldownUntil } = engine.status();
  return cooldownUntil !== null && clock.now() < cooldownUntil ? 'free' : 'full';
}

/** Whether a request has to be compacted before it goes out, and how; `null` when not. */
export function compactionNeeded(core: SessionCore, work: Work, view: View, pass: number): Wish | null {
  const { ready: engine } = core;
  const { tokens } = view.size;
  const { thresholdTokens } = engine.state;
  const ceiling = Math.min(core.room(work), thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY);
  const targetTokens = Number.isFinite(ceiling) ? landing(ceiling, pass) : undefined;
  const effort = effortNow(core);
  if (core.pendingRefusal && pass === 1)
    return { trigger: 'overflow', effort, force: true, targetTokens: landing(Math.min(ceiling, tokens), 1) };
  if (isOverWindow(core, work, view)) {
    core.held = false;
    return { trigger: 'window', effort, force: true, targetTokens };
  }
  if (core.held) return null;
  const decision = engine.explain(tokens);
  if (decision.compress || (decision.effort === 'free' && pass === 1))
    return {
      trigger: 'threshold',
      effort: decision.effort === 'free' ? 'free' : 'full',
      force: false,
      ...(pass > 1 ? { targetTokens } : {}),
    };
  const hygiene = hygieneNeeded(core, work, view);
  return hygiene && pass === 1 ? { trigger: hygiene, effort, force: true, targetTokens } : null;
}

/** Whether a long-lived chat is due, whatever the engine's threshold says. */
export function hygieneNeeded(core: SessionCore, work: Work, view: View): 'hygiene' | 'idle' | null {
  const { options, ready: engine, clock } = core;
  if (clock.now() < core.hygiene.until) return null;
  const { tokens } = view.size;
  const room = core.room(work);
  if (tokens >= room * options.hygieneShare || view.assembled.messages.length >= options.hygieneMessages)
    return 'hygiene';
  const { idle } = options;
  const { thresholdTokens } = engine.state;
  if (!idle || core.lastActivity === null || thresholdTokens <= 0) return null;
  return clock.now() - core.lastActivity >= idle.afterMs && tokens >= thresholdTokens * idle.at ? 'idle' : null;
}

/** Notes how a hygiene compaction went: failures in a row wait longer and longer. */
export function noteHygiene(core: SessionCore, achieved: boolean): void {
  const { cooldownMs } = core.options;
  const { failures } = core.hygiene;
  core.hygiene = achieved
    ? { failures: 0, until: 0 }
    : { failures: failures + 1, until: core.clock.now() + cooldownMs[Math.min(failures, cooldownMs.length - 1)]! };
}
