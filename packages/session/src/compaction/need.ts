import type { SessionCore, View, Work } from '../session-core.ts';
import type { Wish } from './plan-compaction.ts';

/** The error of an estimate that is reckoned with where a refusal would follow. */
const margin = 0.05;
/** Shares of the room a further pass is to land at, when the one before was not enough. */
const landings = [0.6, 0.45, 0.3] as const;

/** Where a pass is to land so that it asks for less than the one before. @param pass 1 for the first */
export function landing(room: number, pass: number): number {
  return Math.floor(room * landings[Math.min(pass, landings.length) - 1]!);
}

/** Whether a request has to be compacted before it goes out, and how; `null` when not. */
export function compactionNeeded(core: SessionCore, work: Work, view: View, pass: number): Wish | null {
  const { ready: engine, options } = core;
  const { tokens, estimatedTokens } = view.size;
  const room = core.room(work);
  const { thresholdTokens } = engine.state;
  const ceiling = Math.min(room, thresholdTokens > 0 ? thresholdTokens : Number.POSITIVE_INFINITY);
  const targetTokens = Number.isFinite(ceiling) ? landing(ceiling, pass) : undefined;
  if (core.pendingRefusal && pass === 1)
    return { trigger: 'overflow', effort: 'full', force: true, targetTokens: landing(Math.min(ceiling, tokens), 1) };
  if (tokens + estimatedTokens * margin > room) {
    core.held = false;
    return { trigger: 'window', effort: 'full', force: true, targetTokens };
  }
  if (core.held) {
    if (tokens < room * Math.min(1, options.hygieneShare)) return null;
    core.held = false;
  }
  const decision = engine.explain(tokens);
  if (decision.compress || (decision.effort === 'free' && pass === 1))
    return {
      trigger: 'threshold',
      effort: decision.effort === 'free' ? 'free' : 'full',
      force: false,
      ...(pass > 1 ? { targetTokens } : {}),
    };
  const hygiene = hygieneNeeded(core, work, view);
  return hygiene && pass === 1 ? { trigger: hygiene, effort: 'full', force: true, targetTokens } : null;
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
