import { verdictOnAll } from '../terminal/totals.ts';
import type { ComparedSample, Comparison } from '../to-comparison.ts';

/** A session on the card: its figures, and the sizes of its prompts. */
export type CardSession = Pick<Comparison, 'compared' | 'sent'>;

/** What a session was sent, or would have been sent, in all its requests. */
interface Sums {
  readonly tokens: number;
  readonly dollars: number;
  /** Requests that do not fit the window. */
  readonly over: number;
}

/** One request: the size of its prompt as a share of the window. */
interface RequestSize {
  readonly before: number;
  readonly after: number;
}

/** The figures of the card: no text of a transcript is in them. */
export interface CardFigures {
  readonly engine: string;
  readonly sessions: number;
  readonly messages: number;
  /** The windows of the sessions, each once. */
  readonly windows: readonly number[];
  readonly before: Sums;
  readonly after: Sums;
  /** The requests of all sessions, one session after the other. */
  readonly requests: readonly RequestSize[];
  readonly prices: ComparedSample['prices'];
}

/**
 * The figures of the engine that the verdict on these sessions names. If it names none, of the one that costs least.
 * @returns `null` if a session was not replayed
 */
export function cardFigures(sessions: readonly CardSession[]): CardFigures | null {
  const [first] = sessions;
  if (!first) return null;
  const best =
    sessions.length === 1 ? first.compared.verdict.best : verdictOnAll(sessions.map(({ compared }) => compared))?.best;
  const names = first.compared.engines.map(({ engine }) => engine);
  const sums = names.map((name) => addSums(sessions.map((one) => replayOf(one.compared, name))));
  const before = addSums(sessions.map(({ compared }) => compared.recorded));
  const all = names.flatMap((engine, at) => (sums[at] ? [{ engine, after: sums[at] }] : []));
  const cheapest = all.toSorted((a, b) => a.after.over - b.after.over || a.after.dollars - b.after.dollars)[0];
  const chosen = all.find(({ engine }) => engine === best) ?? cheapest;
  if (!before || !chosen) return null;
  const at = names.indexOf(chosen.engine);
  return {
    ...chosen,
    sessions: sessions.length,
    messages: sessions.reduce((sum, { compared }) => sum + compared.messages, 0),
    windows: [...new Set(sessions.map(({ compared }) => compared.window.tokens))],
    before,
    requests: sessions.flatMap(({ compared, sent }) =>
      (sent.recorded ?? []).map((tokens, turn) => ({
        before: tokens / compared.window.tokens,
        after: (sent.engines[at]?.[turn] ?? tokens) / compared.window.tokens,
      })),
    ),
    prices: first.compared.prices,
  };
}

function replayOf({ engines }: ComparedSample, name: string): ComparedSample['recorded'] {
  return engines.find(({ engine }) => engine === name)?.replay ?? null;
}

function addSums(replays: readonly ComparedSample['recorded'][]): Sums | null {
  let sum: Sums = { tokens: 0, dollars: 0, over: 0 };
  for (const replay of replays) {
    if (!replay) return null;
    const { sentTokens, dollars, overWindow } = replay;
    sum = { tokens: sum.tokens + sentTokens, dollars: sum.dollars + dollars, over: sum.over + overWindow };
  }
  return sum;
}
