/** Without an answered prompt, the window is believed to be this share of the refused prompt. */
const shareOfRefused = 0.75;
/** The window is believed to be at most this share of the refused prompt. */
const maxOfRefused = 0.9;
/** An answered prompt that is larger than the refused one by this factor shows that its size was not the problem. */
const disproof = 1.1;
/** Answers after a first refusal until its belief is tested: many, because a test may end in another refusal. */
const answersUntilProbe = 100;

/** What one model refused and answered, in tokens as the session measures them. */
interface Evidence {
  /** The smallest refused prompt with its answer; `Infinity` before a refusal. */
  readonly refused: number;
  /** The largest answered prompt with its answer. */
  readonly answered: number;
  /** The largest answered prompt alone. */
  readonly read: number;
  /** The size that longer prompts are silently cut to; `Infinity` when there is no sign of that. */
  readonly cutTo: number;
  /** False after a prompt larger than `cutTo` was read whole: small reports have another cause. */
  readonly mayCut: boolean;
  /** Answers since the last refusal. */
  readonly answers: number;
  /** True after a refusal that confirmed an earlier one: the belief is not tested again. */
  readonly isSettled: boolean;
}

const unlimited: number = Number.POSITIVE_INFINITY;
const noEvidence: Evidence = {
  refused: unlimited,
  answered: 0,
  read: 0,
  cutTo: unlimited,
  mayCut: true,
  answers: 0,
  isSettled: false,
};
/** Prompts of a server that cuts are reported with about the same size. A much smaller report than an earlier one is something else. */
const minOfRead = 0.8;

/**
 * The windows of models whose providers refuse prompts without a usable limit, or cut them silently. A refusal lowers the
 * window to between the largest answered and the smallest refused prompt. Answers raise it again, and a much larger one
 * ends the belief.
 *
 * Compaction below a belief would prevent the larger prompt that could disprove it. So a belief from a single refusal is
 * suspended after some answers, and the prompt may grow again. An answer to a larger prompt than the refused one ends
 * the belief. A second refusal settles it, and it is never tested again.
 */
export class BelievedWindow {
  readonly #evidence: Map<string, Evidence> = new Map();

  /** The believed window of a model in tokens; `Infinity` without evidence. */
  of(model: string): number {
    const { answered, answers, cutTo, isSettled, refused } = this.#of(model);
    const isSuspended = !isSettled && answers >= answersUntilProbe;
    if (!Number.isFinite(refused) || isSuspended) return cutTo;
    if (answered === 0) return Math.min(cutTo, Math.floor(refused * shareOfRefused));
    const between = Math.min(refused * maxOfRefused, Math.sqrt(answered * refused));
    return Math.min(cutTo, Math.floor(Math.max(answered, between)));
  }

  /** @param isConfirmed true if earlier refusals that were not recorded agree, so that the belief need not be tested */
  noteRefused(model: string, tokens: number, isConfirmed: boolean = false): void {
    const before = this.#of(model);
    const isSettled = before.isSettled || isConfirmed || Number.isFinite(before.refused);
    // A larger prompt was answered before, so the provider's limit is lower now, or depends on more than the size.
    const answered = before.answered < tokens ? before.answered : 0;
    const refused = Math.min(before.refused, tokens);
    this.#evidence.set(model, { ...before, refused, answered, answers: 0, isSettled });
  }

  /**
   * @param tokens of the prompt with its answer
   * @param promptTokens of the prompt alone
   */
  noteAnswered(model: string, tokens: number, promptTokens: number): void {
    const before = this.#of(model);
    const refused = tokens >= before.refused * disproof ? unlimited : before.refused;
    const isWhole = promptTokens >= before.cutTo * disproof;
    const { cutTo, mayCut } = isWhole ? { cutTo: unlimited, mayCut: false } : before;
    const answered = Math.max(tokens, before.answered);
    const read = Math.max(promptTokens, before.read);
    this.#evidence.set(model, { ...before, refused, answered, read, cutTo, mayCut, answers: before.answers + 1 });
  }

  /** Records a prompt that was reported with far fewer tokens than were sent, not for the first time in a row. */
  noteCut(model: string, reported: number): void {
    const before = this.#of(model);
    if (!before.mayCut || reported < before.read * minOfRead) return;
    const cutTo = Number.isFinite(before.cutTo) ? Math.max(before.cutTo, reported) : reported;
    this.#evidence.set(model, { ...before, cutTo });
  }

  /** Forgets what a model refused and cut: its window is larger now. */
  forget(model: string): void {
    this.#evidence.delete(model);
  }

  /** The smallest refused prompts, by model id. */
  snapshot(): Readonly<Record<string, number>> {
    const entries = [...this.#evidence].filter(([, { refused }]) => Number.isFinite(refused));
    return Object.fromEntries(entries.map(([model, { refused }]) => [model, refused]));
  }

  /** Ids of the models whose belief is not tested again. */
  get settled(): readonly string[] {
    return [...this.#evidence].flatMap(([model, { isSettled }]) => (isSettled ? [model] : []));
  }

  restore(refused: Readonly<Record<string, number>>, settled: readonly string[]): void {
    this.#evidence.clear();
    for (const [model, tokens] of Object.entries(refused))
      this.#evidence.set(model, { ...noEvidence, refused: tokens, isSettled: settled.includes(model) });
  }

  #of(model: string): Evidence {
    return this.#evidence.get(model) ?? noEvidence;
  }
}
