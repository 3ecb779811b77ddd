/** Share of the window below which a prompt is not suspected of being too long. */
const minShare = 0.2;
/** Tokens below which a prompt is never suspected. */
const minTokens = 4_000;
/** A later prompt with at least this share of a suspected one is suspected, too. */
const similar = 0.9;

interface Dropped {
  /** The smallest prompt that the server closed the connection on. Tokens. */
  readonly tokens: number;
  /** How often it did so in a row. */
  readonly times: number;
  /** True when a smaller prompt was answered since. */
  readonly isSuspected: boolean;
}

/**
 * Tracks connections that were closed without an answer. Some servers do that when a prompt is too long. A broken
 * network looks the same, so the size is suspected only after a second time in a row, and learned from only when it
 * happens again.
 */
export class DroppedRequests {
  readonly #dropped: Map<string, Dropped> = new Map();
  readonly #answered: Map<string, number> = new Map();

  /** @returns what to do about a closed connection: nothing, send a smaller request, or also lower the believed window */
  note(model: string, tokens: number, window: number): 'nothing' | 'compact' | 'learn' {
    const minPrompt = Math.max(minTokens, window * minShare, (this.#answered.get(model) ?? 0) + 1);
    if (tokens < minPrompt) return 'nothing';
    const before = this.#dropped.get(model);
    if (before?.isSuspected && tokens >= before.tokens * similar) return 'learn';
    const times = before && !before.isSuspected ? before.times + 1 : 1;
    this.#dropped.set(model, { tokens: Math.min(tokens, before?.tokens ?? tokens), times, isSuspected: false });
    return times > 1 ? 'compact' : 'nothing';
  }

  noteAnswered(model: string, tokens: number): void {
    this.#answered.set(model, Math.max(this.#answered.get(model) ?? 0, tokens));
    const before = this.#dropped.get(model);
    if (!before) return;
    if (before.times < 2 || tokens >= before.tokens) this.#dropped.delete(model);
    else this.#dropped.set(model, { ...before, isSuspected: true });
  }
}
