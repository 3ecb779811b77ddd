import { fingerprint, orAborted, withinDeadline } from '@palimpsest/core/authoring';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { AskedCompaction } from './asked-compaction.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type PlannedCompaction, planCompaction } from './plan-compaction.ts';
import { rebasePlan } from './rebase-plan.ts';

/** Longest time that a request waits for its own plan, in milliseconds. Rules finish within it. */
const maxWaitMs = 50;

interface RunningPlan {
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

/** How plans are made where several processes serve a conversation. */
export interface SharedPlans {
  /** Reserves the next page of a model. @returns `null` if another process is asking for one */
  reserve(): Promise<(() => Promise<void>) | null>;
  /** Puts a finished plan into effect and stores it, so that any process uses it. Rejects if that fails. */
  commit(swapIn: () => Promise<PlannedCompaction | null>): Promise<void>;
}

type Release = () => Promise<void>;

/** The parts of a session, and its planner. */
export interface PlanningParts extends SessionParts {
  readonly planner: CompactionPlanner;
}

/** The result of a compaction. */
export interface Compacted {
  /** `null` when the engine failed. */
  readonly planned: PlannedCompaction | null;
  /** `null` when nothing changed. */
  readonly checkpoint: Checkpoint | null;
}

/** Minimum saving of pruning without a model, as a share. A smaller one is not worth breaking the prompt cache. */
const minFreeSaving = 0.05;

/** Plans compactions, one at a time: in the background, so that no request waits for a model, or at once by rules. */
export class CompactionPlanner {
  readonly #parts: SessionParts;
  readonly #shared: SharedPlans | null;
  #running: RunningPlan | null = null;
  #ready: PlannedCompaction | null = null;
  /** True after the end of the session, until it gets another request. */
  #isOver = false;
  /** Numbers of the compactions that were put into effect since the last request. */
  #sinceRequest: readonly number[] = [];

  /** @param shared `null` if this process is the only one */
  constructor(parts: SessionParts, shared: SharedPlans | null) {
    this.#parts = parts;
    this.#shared = shared;
  }

  /** True while a finished plan waits for the next request. */
  get hasPlan(): boolean {
    return this.#ready !== null;
  }

  /** Numbers of the compactions that were put into effect after the last request, before this one. */
  get sinceRequest(): readonly number[] {
    return this.#sinceRequest;
  }

  noteRequest(): void {
    this.#sinceRequest = [];
  }

  /** Prevents new plans until `resume` is called. */
  end(): void {
    this.#isOver = true;
  }

  resume(): void {
    this.#isOver = false;
  }

  /** Starts planning. @returns false if there is a plan already, or a page is still being written */
  start(input: RequestInput, view: RequestView, asked: AskedCompaction): boolean {
    const { clock, compactions, events, options, pages } = this.#parts;
    const isByRules = asked.trigger === 'agent' && asked.effort === 'free';
    if (this.#isOver || this.#running || this.#ready || !(isByRules || (pages?.mayAsk ?? true))) return false;
    const stop = new AbortController();
    const shared = isByRules || !pages ? null : this.#shared;
    let release: Release | null = null;
    let isReserved = true;
    const plan = async (): Promise<PlannedCompaction | null> => {
      if (shared) release = await shared.reserve();
      isReserved = !shared || release !== null;
      if (!isReserved) return null;
      return planCompaction(this.#parts, { ...input, signal: stop.signal }, view, asked);
    };
    const done = plan()
      .catch(() => null)
      .then((planned) => {
        this.#running = null;
        this.#ready = planned?.edits ? planned : null;
        const isChat = asked.trigger === 'hygiene' || asked.trigger === 'idle';
        if (isChat && isReserved && !stop.signal.aborted)
          compactions.hygiene.noteResult(this.#ready !== null, clock.now());
      });
    this.#running = { done, stop };
    const whole = shared ? done.then(() => this.#finish(shared, input, asked.trigger, () => release?.())) : done;
    try {
      options.waitUntil?.(whole);
    } catch (error) {
      events.publish({ type: 'hook-failed', hook: 'waitUntil', reason: errorReason(error) });
    }
    return true;
  }

  /** Puts the plan that is ready into effect, unless a request has done so already. */
  async #finish(
    shared: SharedPlans,
    input: RequestInput,
    trigger: AskedCompaction['trigger'],
    release: () => Promise<void> | undefined,
  ): Promise<void> {
    const planned = this.#ready;
    try {
      if (planned)
        await shared.commit(async () => {
          const own = this.#ready === planned ? await this.swapIn(input) : null;
          if (own) this.#sinceRequest = [...this.#sinceRequest, own.number];
          return own;
        });
    } catch (error) {
      this.#parts.events.publish({ type: 'compaction-failed', trigger, reason: errorReason(error) });
    }
    // A lease that cannot be released ends by itself.
    await release()?.catch(() => undefined);
  }

  /** Waits for the running plan, at most 50 ms. @param signal ends the wait */
  async settle(signal: AbortSignal | undefined): Promise<void> {
    const { done } = this.#running ?? {};
    if (!done) return;
    const settled = withinDeadline(() => done, maxWaitMs, this.#parts.clock);
    await orAborted(settled, signal).catch(() => undefined);
  }

  /**
   * Plans a compaction by rules and puts it into effect. A plan that is being made in the background is stopped; its
   * page is kept for the next one.
   */
  async compact(input: RequestInput, view: RequestView, asked: AskedCompaction): Promise<Compacted> {
    this.#parts.pages?.release();
    await this.#stop();
    const planned = await planCompaction(this.#parts, input, view, asked);
    if (!planned?.edits) return { planned, checkpoint: null };
    const { report } = planned.result;
    const isLittle = report.tokensAfter > report.tokensBefore * (1 - minFreeSaving);
    if (asked.effort === 'free' && !asked.force && isLittle) return { planned, checkpoint: null };
    return { planned, checkpoint: await commitCompaction(this.#parts, input, planned) };
  }

  /** Stops a plan whose page would make the next request wait for its server. */
  async leaveServer(): Promise<void> {
    if (this.#parts.pages?.leaveServer()) await this.#stop();
  }

  /** Cancels the running plan and drops a finished one. */
  async cancel(reason: string): Promise<void> {
    await this.#stop();
    this.#parts.pages?.cancel();
    if (this.#ready) this.#drop(reason);
  }

  async #stop(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.done;
  }

  /** Commits the finished plan if its conversation is unchanged; otherwise drops it. @returns the plan that was committed */
  async swapIn(input: RequestInput): Promise<PlannedCompaction | null> {
    const planned = this.#ready;
    if (!planned) return null;
    const source = input.intake.messages;
    const covers = planned.covered.length;
    const isUnchanged = covers <= source.length && fingerprint(source, covers) === planned.fingerprint;
    const current = isUnchanged ? rebasePlan(planned, this.#parts.compactions.chain, source) : null;
    if (!current) {
      // A page about the old conversation must not get into the new one.
      if (!isUnchanged) this.#parts.pages?.cancel();
      this.#drop(isUnchanged ? 'Another compaction came first.' : 'Its conversation was changed.');
      return null;
    }
    this.#ready = null;
    // Another process may have used its number.
    const { log } = this.#parts.compactions;
    const own = log.has(current.number) ? { ...current, number: log.takeNumber() } : current;
    await commitCompaction(this.#parts, input, own);
    return own;
  }

  #drop(reason: string): void {
    this.#ready = null;
    this.#parts.events.publish({ type: 'plan-drop', reason });
  }
}
