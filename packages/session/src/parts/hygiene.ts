import type { ResolvedOptions } from '../options/resolve-options.ts';

/** State of the hygiene schedule that is stored. */
export interface HygieneState {
  /** Failures in a row. */
  readonly failures: number;
  /** End of the current wait, in milliseconds since the epoch, or 0. */
  readonly until: number;
}

/** Data to decide whether a long-lived chat is due. Sizes are in tokens. */
export interface ChatSize {
  readonly tokens: number;
  readonly messages: number;
  readonly roomTokens: number;
  /** 0 when the engine has no threshold. */
  readonly thresholdTokens: number;
}

/** Schedules compactions of long-lived chats, with growing waits after failures. */
export class Hygiene {
  readonly #options: Pick<ResolvedOptions, 'hygieneShare' | 'hygieneMessages' | 'idle' | 'cooldownMs'>;
  #state: HygieneState = { failures: 0, until: 0 };
  #lastActivity: number | null = null;

  constructor(options: Pick<ResolvedOptions, 'hygieneShare' | 'hygieneMessages' | 'idle' | 'cooldownMs'>) {
    this.#options = options;
  }

  get state(): HygieneState {
    return this.#state;
  }

  /** Time of the last request or answer, in milliseconds since the epoch; `null` before the first. */
  get lastActivity(): number | null {
    return this.#lastActivity;
  }

  noteActivity(now: number): void {
    this.#lastActivity = now;
  }

  /** Why the chat has to be compacted even below the engine's threshold; `null` when it is not due. */
  due({ tokens, messages, roomTokens, thresholdTokens }: ChatSize, now: number): 'hygiene' | 'idle' | null {
    const { hygieneMessages, idle } = this.#options;
    if (now < this.#state.until) return null;
    if (tokens >= this.fullAt(roomTokens) || messages >= hygieneMessages) return 'hygiene';
    if (!idle || this.#lastActivity === null || thresholdTokens <= 0) return null;
    return now - this.#lastActivity >= idle.afterMs && tokens >= thresholdTokens * idle.at ? 'idle' : null;
  }

  /** Size in tokens at which a chat is compacted at once, before the request is sent. */
  fullAt(roomTokens: number): number {
    return roomTokens * this.#options.hygieneShare;
  }

  /** True for a chat of that size, outside the wait after a failure. */
  isFull(tokens: number, roomTokens: number, now: number): boolean {
    return now >= this.#state.until && tokens >= this.fullAt(roomTokens);
  }

  /** Records the result of a hygiene compaction. Each failure in a row makes the wait longer. */
  noteResult(isCompacted: boolean, now: number): void {
    const { cooldownMs } = this.#options;
    const { failures } = this.#state;
    this.#state = isCompacted
      ? { failures: 0, until: 0 }
      : { failures: failures + 1, until: now + cooldownMs[Math.min(failures, cooldownMs.length - 1)]! };
  }

  restore(state: HygieneState, lastActivity: number | null): void {
    this.#state = state;
    this.#lastActivity = lastActivity;
  }
}
