import type { ResolvedOptions } from '../options/resolve-options.ts';

/** Why a compaction may not run, or may not call a model. */
export interface Blocked {
  readonly reason: 'attempts' | 'rapid' | 'auto-off';
  readonly message: string;
  /** Milliseconds since the epoch; `null` when only an answer or a new request changes it. */
  readonly retryAt: number | null;
}

/** Compaction budget used by one user turn. */
interface Budget {
  /** Compactions that called a model and were not given back. */
  spent: number;
  /** How many of these took effect. */
  helped: number;
  /** Answers since a compaction last took effect or was given back. */
  answers: number;
  /** Refusals for size. Unlike passes, answers do not give them back. */
  refused: number;
  /** True after an answer. */
  isAnswered: boolean;
  /** Reason of the last block that was reported. */
  reported: Blocked['reason'] | null;
}

const unused: Budget = { spent: 0, helped: 0, answers: 0, refused: 0, isAnswered: false, reported: null };

/** Number of answers after which a compaction that took effect is given back. */
const answersForOne = 8;
/** Number of user turns remembered, for several conversations that alternate on one session. */
const maxTurns = 8;

/**
 * Prevents compaction loops. It counts passes and refusals in a row without an answer, refusals per user turn, and
 * compactions per user turn that call a model. Only progress refills the last budget: a turn with `n` answers allows at most `attempts + n / 8`
 * model compactions. An agent that makes progress for hundreds of rounds keeps being compacted; one that immediately
 * refills its window does not.
 */
export class TurnLimits {
  readonly #options: Pick<ResolvedOptions, 'attempts' | 'rapid'>;
  /** Budgets by user turn; the current turn is last. */
  readonly #budgets: Map<string, Budget> = new Map();
  #current: Budget = { ...unused };
  #inARow = 0;
  #requests = 0;
  #recent: { readonly at: number; readonly request: number }[] = [];

  constructor(options: Pick<ResolvedOptions, 'attempts' | 'rapid'>) {
    this.#options = options;
  }

  /** Forgets the conversation. */
  clear(): void {
    this.#budgets.clear();
    this.#current = { ...unused };
    this.#inARow = 0;
    this.#recent = [];
  }

  /** Passes and refusals since the last answer. */
  get attempts(): number {
    return this.#inARow;
  }

  /**
   * Starts a request.
   * @param turn identifies the user's last message by its words
   * @param isFirst true if the agent has done nothing for it yet. If the same words were answered before, this is a new turn.
   */
  begin(turn: string, isFirst: boolean): void {
    this.#requests++;
    const known = this.#budgets.get(turn);
    const budget = known && !(isFirst && known.isAnswered) ? known : { ...unused };
    if (budget === this.#current) return;
    this.#current = budget;
    this.#inARow = 0;
    this.#budgets.delete(turn);
    this.#budgets.set(turn, this.#current);
    const [oldest] = this.#budgets.keys();
    if (this.#budgets.size > maxTurns) this.#budgets.delete(oldest!);
  }

  /** Records an answer of the provider: the attempts so far were enough. */
  noteAnswer(): void {
    this.#inARow = 0;
    const budget = this.#current;
    budget.isAnswered = true;
    if (budget.helped === 0) return;
    budget.answers++;
    if (budget.answers < answersForOne) return;
    budget.answers = 0;
    budget.helped--;
    // A plan that another turn paid for may have helped.
    budget.spent = Math.max(0, budget.spent - 1);
  }

  /** Why this request must not be tried again; `null` while attempts are left. */
  attemptsBlock(): Blocked | null {
    return this.#inARow < this.#options.attempts ? null : this.#noAttempts;
  }

  get #noAttempts(): Blocked {
    const { attempts } = this.#options;
    return { reason: 'attempts', message: `${attempts} attempts for one user turn were not enough.`, retryAt: null };
  }

  /** Why a refused request must not be tried again; `null` while attempts are left. Answers in between do not give any back. */
  refusalsBlock(): Blocked | null {
    return this.#current.refused < this.#options.attempts ? this.attemptsBlock() : this.#noAttempts;
  }

  /** Why a compaction must not call a model; `null` while it may. */
  modelBlock(now: number): Blocked | null {
    const { attempts, rapid } = this.#options;
    if (this.#current.spent >= attempts)
      return {
        reason: 'attempts',
        message: `${attempts} compactions of this user turn called a model, and the window filled up again too fast. Until the agent makes progress, it is compacted without a model.`,
        retryAt: null,
      };
    const first = this.#recent.at(-rapid.compactions);
    const soon =
      first && now - first.at < rapid.withinMs && this.#requests - first.request < rapid.requests ? first : undefined;
    if (!soon) return null;
    return {
      reason: 'rapid',
      message: `${rapid.compactions} compactions within ${this.#requests - soon.request + 1} requests: the kept messages fill the window again immediately. Use a model with a larger window, or let tools return less.`,
      retryAt: soon.at + rapid.withinMs,
    };
  }

  /** True the first time it is called with a reason in a user turn, so that a block is reported once. */
  isNewBlock({ reason }: Blocked): boolean {
    if (this.#current.reported === reason) return false;
    this.#current.reported = reason;
    return true;
  }

  /** Counts a pass, or a handled refusal of content. */
  countAttempt(): void {
    this.#inARow++;
  }

  /** Counts a refusal for size that is handled. */
  countRefusal(): void {
    this.#current.refused++;
    this.countAttempt();
  }

  /** Counts a compaction that called a model without a failure. */
  countModelCall(): void {
    this.#current.spent++;
  }

  /** Records that a counted compaction took effect. */
  noteSuccess(now: number): void {
    this.#current.helped++;
    this.#current.answers = 0;
    this.#recent = [...this.#recent, { at: now, request: this.#requests }].slice(-this.#options.rapid.compactions);
  }
}
