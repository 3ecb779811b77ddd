/** A usage report and the session's own estimate of the same prompt, in tokens. */
export interface UsageReport {
  readonly promptTokens: number;
  readonly estimatedTokens: number;
  /** Estimate of the text only. */
  readonly estimatedText: number;
  readonly checkpoint: number | null;
  readonly model: string;
}

/** `doubted` for the first rejected report in a row, `still-doubted` for the ones after it. */
export type UsageVerdict = 'accepted' | 'doubted' | 'still-doubted';

/** Prompt growth below this is inconclusive; it accumulates over requests until it exceeds this. Tokens. */
const minGrowthTokens = 1_000;
/** Minimum growth of the reported size, as a share of the estimated growth. */
const minGrowthShare = 0.3;
/** Minimum reported size, as a share of the estimated text. Estimates of text are never this far off. */
const minTextShare = 0.4;

type Baseline = Omit<UsageReport, 'estimatedText'>;

/**
 * Detects usage reports that are too small for the whole prompt: the server truncated the prompt, or left out cached
 * tokens.
 */
export class TruncationCheck {
  #baseline: Baseline | null = null;
  #isDoubted = false;

  check({ estimatedText, ...report }: UsageReport): UsageVerdict {
    const last = this.#baseline;
    const before = last && last.checkpoint === report.checkpoint && last.model === report.model ? last : null;
    const isFarUnder = estimatedText > minGrowthTokens && report.promptTokens < estimatedText * minTextShare;
    if (isFarUnder || (before && isFlat(before, report))) {
      const verdict = this.#isDoubted ? 'still-doubted' : 'doubted';
      this.#baseline = before ?? report;
      this.#isDoubted = true;
      return verdict;
    }
    this.#isDoubted = false;
    // After a small step, keep the earlier report as the baseline, so that small steps add up.
    if (!before || !isSmallStep(before, report)) this.#baseline = report;
    return 'accepted';
  }
}

function isSmallStep(before: Baseline, now: Baseline): boolean {
  const growth = now.estimatedTokens - before.estimatedTokens;
  return growth >= 0 && growth <= minGrowthTokens;
}

/** True when the prompt grew and its reported size did not: the server keeps only a part of the prompt. */
function isFlat(before: Baseline, now: Baseline): boolean {
  const growth = now.estimatedTokens - before.estimatedTokens;
  return growth > minGrowthTokens && now.promptTokens - before.promptTokens < growth * minGrowthShare;
}
