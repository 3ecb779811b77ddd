import { fingerprint } from '@palimpsest/core/authoring';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type PlannedCompaction, planCompaction } from './plan-compaction.ts';

/** Plans a compaction in the background. Makes at most one plan at a time. */
export class BackgroundPlanner {
  readonly #parts: SessionParts;
  #running: { readonly done: Promise<PlannedCompaction | null>; readonly stop: AbortController } | null = null;
  #ready: PlannedCompaction | null = null;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Starts planning when the prompt is near the threshold and there is no plan yet. */
  start(input: RequestInput, view: RequestView): void {
    if (this.#running || this.#ready || !this.#isDue(view.size.tokens)) return;
    const stop = new AbortController();
    this.#parts.events.publish({ type: 'plan-start' });
    const request = { trigger: 'background', effort: 'full', force: true } as const;
    const done = planCompaction(this.#parts, { ...input, signal: stop.signal }, view, request)
      .catch(() => null)
      .then((planned) => {
        this.#running = null;
        this.#ready = planned?.edits ? planned : null;
        return this.#ready;
      });
    this.#running = { done, stop };
  }

  #isDue(tokens: number): boolean {
    const { clock, engine, options } = this.#parts;
    const { automatic, turns } = this.#parts.compactions;
    const { thresholdTokens } = engine.ready.state;
    if (options.background === null || !options.auto || automatic.isHeld || thresholdTokens <= 0) return false;
    if (tokens < thresholdTokens * options.background || tokens >= thresholdTokens) return false;
    return engine.ready.explain(thresholdTokens).compress && !turns.blocked(clock.now());
  }

  /** True while a plan is being made. */
  get isPlanning(): boolean {
    return this.#running !== null;
  }

  /** Waits for the running plan, so that nothing is summarized twice. */
  async settle(): Promise<void> {
    await this.#running?.done;
  }

  /** Cancels the running plan and drops a finished one. */
  async cancel(reason: string): Promise<void> {
    this.#running?.stop.abort();
    await this.settle();
    if (this.#ready) await this.#drop(this.#ready, reason);
  }

  /** Commits the finished plan if its conversation is unchanged; otherwise drops it. @returns true when it was committed */
  async swapIn(input: RequestInput): Promise<boolean> {
    const planned = this.#ready;
    if (!planned) return false;
    const source = input.intake.messages;
    const covers = planned.covered.length;
    const isUnchanged = covers <= source.length && fingerprint(source, covers) === planned.fingerprint;
    if (!isUnchanged || this.#parts.compactions.chain.newest(source) !== planned.base) {
      await this.#drop(planned, isUnchanged ? 'Another compaction came first.' : 'Its conversation was changed.');
      return false;
    }
    this.#ready = null;
    await commitCompaction(this.#parts, input, planned);
    return true;
  }

  async #drop(planned: PlannedCompaction, reason: string): Promise<void> {
    const { engine, events } = this.#parts;
    const { log } = this.#parts.compactions;
    this.#ready = null;
    // The engine goes back to its state before the plan, unless another compaction has built on that state since.
    const isBuiltOn = log.records.some(({ number }) => number > planned.number);
    if (planned.engineBefore && !isBuiltOn) await engine.ready.restore(planned.engineBefore);
    events.publish({ type: 'plan-drop', reason });
  }
}
