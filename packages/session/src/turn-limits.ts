import type { ResolvedOptions } from './session-options.ts';

/** Why no further compaction is allowed now. */
export interface Blocked {
  readonly reason: 'attempts' | 'rapid';
  readonly message: string;
  /** Milliseconds since the epoch; `null` when only an answer or a new request changes it. */
  readonly retryAt: number | null;
}

/** Keeps compactions from running in circles: a few for each user turn, and not many in a row that achieve nothing lasting. */
export class TurnLimits {
  readonly #options: Pick<ResolvedOptions, 'attempts' | 'rapid'>;
  #turn: string | null = null;
  #attempts = 0;
  #requests = 0;
  #recent: { readonly at: number; readonly request: number }[] = [];

  constructor(options: Pick<ResolvedOptions, 'attempts' | 'rapid'>) {
    this.#options = options;
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** A request is prepared. @param turn identifies what the user asked last */
  begin(turn: string): void {
    this.#requests++;
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#attempts = 0;
  }

  /** A provider answered: what was done so far was enough. */
  answered(): void {
    this.#attempts = 0;
  }

  blocked(now: number): Blocked | null {
    const { attempts, rapid } = this.#options;
    if (this.#attempts >= attempts)
      return {
        reason: 'attempts',
        message: `${attempts} compactions for one user turn were not enough.`,
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

  /** A compaction is tried. */
  spend(): void {
    this.#attempts++;
  }

  /** A compaction succeeded by itself, not on a user's wish. */
  succeeded(now: number): void {
    this.#recent = [...this.#recent, { at: now, request: this.#requests }].slice(-this.#options.rapid.compactions);
  }
}
