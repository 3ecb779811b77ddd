import { fingerprint } from '@palimpsest/core/authoring';
import type { SessionCore, View, Work } from '../session-core.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type Planned, planCompaction } from './plan-compaction.ts';

/** A plan made while the agent goes on, at most one at a time. */
export class BackgroundPlanner {
  readonly #core: SessionCore;
  #running: { readonly done: Promise<Planned | null>; readonly stop: AbortController } | null = null;
  #ready: Planned | null = null;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** Starts planning when the prompt has come near the threshold and nothing is planned yet. */
  start(work: Work, view: View): void {
    const { options, ready: engine } = this.#core;
    const { thresholdTokens } = engine.state;
    if (
      options.background === null ||
      !options.auto ||
      this.#running ||
      this.#ready ||
      thresholdTokens <= 0 ||
      this.#core.held
    )
      return;
    const { tokens } = view.size;
    if (tokens < thresholdTokens * options.background || tokens >= thresholdTokens) return;
    if (!engine.explain(thresholdTokens).compress || this.#core.turns.blocked(this.#core.clock.now())) return;
    const stop = new AbortController();
    this.#core.publish({ type: 'plan-start' });
    const wish = { trigger: 'background', effort: 'full', force: true } as const;
    const done = planCompaction(this.#core, { ...work, signal: stop.signal }, view, wish)
      .catch(() => null)
      .then((planned) => {
        this.#running = null;
        this.#ready = planned?.edits ? planned : null;
        return this.#ready;
      });
    this.#running = { done, stop };
  }

  /** Waits for the plan under way: what it summarizes is not to be summarized twice. */
  async settle(): Promise<void> {
    await this.#running?.done;
  }

  /** Gives the plan under way up. */
  async cancel(reason: string): Promise<void> {
    this.#running?.stop.abort();
    await this.settle();
    if (this.#ready) this.#drop(this.#ready, reason);
  }

  /** Puts the plan into effect if its conversation still stands; else drops it. @returns true when it took effect */
  async swapIn(work: Work): Promise<boolean> {
    const planned = this.#ready;
    if (!planned) return false;
    const core = this.#core;
    const source = work.intake.messages;
    const covers = planned.covered.length;
    const stands = covers <= source.length && fingerprint(source, covers) === planned.fingerprint;
    if (!stands || core.chain.newest(source) !== planned.base) {
      this.#drop(planned, stands ? 'Another compaction came first.' : 'The conversation it was made for was changed.');
      return false;
    }
    this.#ready = null;
    await commitCompaction(core, work, planned);
    return true;
  }

  #drop(planned: Planned, reason: string): void {
    this.#ready = null;
    // The engine goes back to before the plan, unless another compaction has built on its state since.
    const built = this.#core.records.some(({ number }) => number > planned.number);
    if (planned.engineBefore && !built) this.#core.ready.restore(planned.engineBefore);
    this.#core.publish({ type: 'plan-drop', reason });
  }
}
