import { addReplays, type ReplayFigures } from '../../replay/replay-figures.ts';
import { verdictOnAll } from '../terminal/totals.ts';
import type { ComparedSample, Comparison } from '../to-comparison.ts';

/** A session on the card: its figures, and the sizes of its prompts. */
export type CardSession = Pick<Comparison, 'compared' | 'sent'>;

/** The figures of the card: no text of a transcript is in them. */
export interface CardFigures {
  readonly engine: string;
  readonly samples: readonly Pick<ComparedSample, 'messages' | 'window' | 'prices'>[];
  readonly before: ReplayFigures;
  readonly after: ReplayFigures;
  /** The prompt of each request as a share of the window, one session after the other. */
  readonly requests: readonly { readonly before: number; readonly after: number }[];
}

/**
 * The figures of the engine that the verdict on these sessions names. If it names none, of the one that costs least.
 * @returns `null` if a session was not replayed
 */
export function cardFigures(sessions: readonly CardSession[]): CardFigures | null {
  const samples = sessions.map(({ compared }) => compared);
  const best = samples.length === 1 ? samples[0]!.verdict.best : verdictOnAll(samples)?.best;
  const before = addReplays(samples.map(({ recorded }) => recorded));
  const engines = (samples[0]?.engines ?? []).flatMap(({ engine }, at) => {
    const after = addReplays(samples.map((sample) => sample.engines[at]!.replay));
    return after ? [{ engine, at, after }] : [];
  });
  engines.sort((a, b) => a.after.overWindow - b.after.overWindow || a.after.dollars - b.after.dollars);
  const chosen = engines.find(({ engine }) => engine === best) ?? engines[0];
  if (!before || !chosen) return null;
  const { engine, at, after } = chosen;
  const requests = sessions.flatMap(({ compared: { window }, sent }) =>
    sent.recorded!.map((tokens, turn) => ({
      before: tokens / window.tokens,
      after: sent.engines[at]![turn]! / window.tokens,
    })),
  );
  return { engine, samples, before, after, requests };
}
