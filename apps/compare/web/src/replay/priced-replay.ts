import type { EngineReplay } from 'palimpsest/replay/replay';
import type { ModelPrices } from 'palimpsest/replay/replay-cost';
import { type ReplayCost, replayCost } from 'palimpsest/replay/replay-cost';

/** A replay with its cost: the session as recorded, or with one engine. */
export interface PricedReplay {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly replay: EngineReplay;
  readonly cost: ReplayCost;
}

/** @param colour a colour of the palette, by name */
export function priceReplay(name: string, colour: string, replay: EngineReplay, prices: ModelPrices): PricedReplay {
  return { name, colour, replay, cost: replayCost(replay, prices) };
}

const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Formats dollars briefly, for an axis. */
export function shortDollars(amount: number): string {
  return `$${short.format(amount)}`;
}
