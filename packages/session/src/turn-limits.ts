import type { ResolvedOptions } from './session-options.ts';

/** Why no model may be called for a compaction now. */
export interface Blocked {
  readonly reason: 'attempts' | 'rapid' | 'auto-off';
  readonly message: string;
  /** Milliseconds since the epoch; `null` when only an answer or a new request changes it. */
  readonly retryAt: number | null;
}

/** What one user turn has used up. */
interface Budget {
  /** Compactions that called a model and were not given back. */
  spent: number;
  /** How many of them took effect. */
  helped: number;
  /** Answers since the last one that took effect, or since one was given back. */
  answers: number;
}

/** A compaction that took effect is given back after so many answers. */
const answersForOne = 8;
/** Turns that are remembered, for conversations that take turns on one session. */
const mostTurns = 8;

/**
 * Keeps compactions from running in circles. Two things are counted: passes and refusals in a row without an answer, and
 * compactions of a user turn that call a model. The second budget is refilled by progress only, so an agent that works
 * for hundreds of rounds is compacted as often as it gets on, and one whose window is full again at once is not: in a turn
 * with `n` answers at most `attempts + n / 8` compactions call a model.
 */
export class TurnLimits {
  readonly #options: Pick<ResolvedOptions, 'attempts' | 'rapid'>;
  /** By what the user asked; the current turn is last. */
  readonly #budgets: Map<string, Budget> = new Map();
  #current: Budget = { spent: 0, helped: 0, answers: 0 };
  #turn: string | null = null;
  #inARow = 0;
  #requests = 0;
  #recent: { readonly at: number; readonly request: number }[] = [];

  constructor(options: Pick<ResolvedOptions, 'attempts' | 'rapid'>) {
    this.#options = options;
  }

  /** Passes and refusals since the last answer. */
  get attempts(): number {
    return this.#inARow;
  }

  /** What the user asked last, as a key; `null` before the first request. */
  get turn(): string | null {
    return this.#turn;
  }

  /** A request is prepared. @param turn identifies what the user asked last */
  begin(turn: string): void {
    this.#requests++;
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#inARow = 0;
    this.#current = this.#budgets.get(turn) ?? { spent: 0, helped: 0, answers: 0 };
    this.#budgets.delete(turn);
    this.#budgets.set(turn, this.#current);
    const [oldest] = this.#budgets.keys();
    if (this.#budgets.size > mostTurns) this.#budgets.delete(oldest!);
  }

  /** A provider answered: what was done so far was enough. */
  answered(): void {
    this.#inARow = 0;
    const budget = this.#current;
    if (budget.helped === 0) return;
    budget.answers++;
    if (budget.answers < answersForOne) return;
    budget.answers = 0;
    budget.helped--;
    budget.spent--;
  }

  /** Why nothing more may be tried for this request; `null` while something may. */
  exhausted(): Blocked | null {
    const { attempts } = this.#options;
    if (this.#inARow < attempts) return null;
    return { reason: 'attempts', message: `${attempts} attempts for one user turn were not enough.`, retryAt: null };
  }

  /** Why no model may be called for a compaction; `null` while one may. */
  blocked(now: number): Blocked | null {
    const { attempts, rapid } = this.#options;
    if (this.#current.spent >= attempts)
      return {
        reason: 'attempts',
        message: `${attempts} compactions of this user turn called a model, and the window is filling up again too fast. Until the agent gets on, only what needs no model is done.`,
        retryAt: null,
      };
    const first = this.#recent.at(-rapid.compactions);
    const soon =
      first && now - first.at < rapid.withinMs && this.#requests - first.request < rapid.requests ? first : undefined;
    if (!soon) return null;
    return {
      reason: 'rapid',
      message: `${rapid.compactions} compactions within ${this.#requests - soon.request + 1} requests: what is kept fills the window again at once. Use a larger window, or have tools return less.`,
      retryAt: soon.at + rapid.withinMs,
    };
  }

  /** A pass is tried, or a refusal answered. */
  tried(): void {
    this.#inARow++;
  }

  /** A model was called for a compaction, and did not fail. */
  called(): void {
    this.#current.spent++;
  }

  /** Such a compaction took effect. */
  succeeded(now: number): void {
    this.#current.helped++;
    this.#current.answers = 0;
    this.#recent = [...this.#recent, { at: now, request: this.#requests }].slice(-this.#options.rapid.compactions);
  }
}
