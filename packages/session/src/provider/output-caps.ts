/** Tokens left free next to a lowered cap: the request may be larger than it was, or was estimated to be, by a few tokens. */
export const outputMargin = 64;

/** Smallest useful answer: half of what was asked for, or this many tokens. With less, the prompt has to shrink. */
const minOutputTokens = 1_000;

/**
 * The lowest output cap worth a request, in tokens.
 * @param asked the requested cap
 * @param minTokens the shortest answer that the caller can use
 */
export function minAnswerTokens(asked: number, minTokens: number = 1): number {
  return Math.max(minTokens, Math.min(asked / 2, minOutputTokens));
}

/** Limits of answers: the largest that each model allows, and a cap that was lowered for lack of room. */
export class OutputCaps {
  /** Largest answer a model allows, in tokens, by model id. */
  readonly #ofModels: Map<string, number> = new Map();
  #lowered: { readonly from: number; readonly to: number } | null = null;

  /** The requested cap, if a refusal for lack of room lowered it to the given one; otherwise the given one. */
  originalOf(maxTokens: number | undefined): number | undefined {
    return this.#lowered?.to === maxTokens ? this.#lowered?.from : maxTokens;
  }

  /** The cap to send: the requested one, or a smaller one that the model allows. */
  apply(model: string, asked: number | undefined): number | undefined {
    const cap = this.#ofModels.get(model);
    return cap !== undefined && asked !== undefined ? Math.min(cap, asked) : asked;
  }

  /** Records the largest answer a model allows. */
  learn(model: string, tokens: number): void {
    this.#ofModels.set(model, tokens);
  }

  /** Records that a cap was lowered for lack of room, maybe again. */
  noteLowered(from: number, to: number): void {
    this.#lowered = { from: this.#lowered?.to === from ? this.#lowered.from : from, to };
  }

  /** Forgets the lowered cap, because the provider answered. */
  noteAnswer(): void {
    this.#lowered = null;
  }

  snapshot(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#ofModels);
  }

  restore(caps: Readonly<Record<string, number>>): void {
    this.#ofModels.clear();
    for (const [model, tokens] of Object.entries(caps)) this.#ofModels.set(model, tokens);
  }
}
