import type { Share } from '../kept.ts';
import { type InputPrices, inputCost } from '../replay/input-cost.ts';
import type { ReplaySizes } from '../replay/replay.ts';
import { overWindow } from '../replay/replay-figures.ts';
import type { JudgedEngine } from './judged-engine.ts';

/** An engine with the figures by which the engines of one session are compared. */
export interface Candidate {
  readonly engine: string;
  /** The cost of the replay in dollars; the tokens that are left if a session was not replayed. Less is better. */
  readonly price: number;
  readonly changedFiles: Share;
  readonly userMessages: Share;
  readonly names: Share;
  /** False if a provider would reject a prompt, or if the request is lost. */
  readonly isUsable: boolean;
}

/** @param isPriced true if every engine that is compared was replayed */
export function candidateOf(
  { row, replay }: JudgedEngine,
  isPriced: boolean,
  windowTokens: number,
  prices: InputPrices,
): Candidate {
  const { userMessages, changedFiles, anchors } = row.kept;
  const over = replay ? overWindow(replay, windowTokens) : 0;
  return {
    engine: row.engine,
    price: isPriced ? costOf(replay!, prices) : row.tokensAfter,
    changedFiles,
    userMessages,
    names: anchors,
    isUsable: row.fitsWindow && row.lastRequestKept !== false && row.wireViolations === 0 && over === 0,
  };
}

/** The cost of all prompts of a replay, with a cache, in dollars. */
export function costOf(replay: ReplaySizes, prices: InputPrices): number {
  return inputCost(replay, prices).cached.at(-1) ?? 0;
}
