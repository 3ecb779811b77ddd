import type { ModelPrices } from '@palimpsest/tokens/models';
import type { ReplaySizes } from './replay.ts';
import { replayCost } from './replay-cost.ts';

/** The figures of a replayed session, as `--json` prints them. */
export interface ReplayFigures {
  readonly requests: number;
  readonly compactions: number;
  /** Pages that a model wrote for them. */
  readonly pages: number;
  /** Prompt tokens of all requests. */
  readonly sentTokens: number;
  /** Tokens of the largest prompt. */
  readonly largestPrompt: number;
  /** Number of requests whose prompt exceeds the window. */
  readonly overWindow: number;
  /** Cost of all prompts with a cache, in dollars. */
  readonly dollars: number;
}

/** Tokens of the largest prompt of a replay. */
export function largestPrompt({ sent }: Pick<ReplaySizes, 'sent'>): number {
  return sent.reduce((largest, tokens) => Math.max(largest, tokens), 0);
}

/** Number of requests of a replay whose prompt exceeds the window. */
export function overWindow({ sent }: Pick<ReplaySizes, 'sent'>, windowTokens: number): number {
  return sent.filter((tokens) => tokens > windowTokens).length;
}

/** Adds up a replay. The cost is in dollars at the given prices. */
export function replayFigures(replay: ReplaySizes, windowTokens: number, prices: ModelPrices): ReplayFigures {
  const { sent, compactions } = replay;
  return {
    requests: sent.length,
    compactions: compactions.length,
    pages: compactions.filter(({ page }) => page).length,
    sentTokens: sent.reduce((sum, tokens) => sum + tokens, 0),
    largestPrompt: largestPrompt(replay),
    overWindow: overWindow(replay, windowTokens),
    dollars: Math.round((replayCost(replay, prices).cached.at(-1) ?? 0) * 1e6) / 1e6,
  };
}

/** Adds up the figures of several sessions; `null` if a session was not replayed. */
export function addReplays(replays: readonly (ReplayFigures | null)[]): ReplayFigures | null {
  const known = replays.flatMap((figures) => figures ?? []);
  if (known.length < replays.length) return null;
  const sum = (name: keyof ReplayFigures): number => known.reduce((total, figures) => total + figures[name], 0);
  return {
    requests: sum('requests'),
    compactions: sum('compactions'),
    pages: sum('pages'),
    sentTokens: sum('sentTokens'),
    largestPrompt: Math.max(0, ...known.map((figures) => figures.largestPrompt)),
    overWindow: sum('overWindow'),
    dollars: sum('dollars'),
  };
}
