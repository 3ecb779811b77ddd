import { type InputCost, type InputPrices, inputCost } from 'palimpsest/comparison/replay/input-cost';
import type { EngineReplay } from 'palimpsest/comparison/replay/replay';

/** A replay with its cost: the session as recorded, or with one engine. */
export interface PricedReplay {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly replay: EngineReplay;
  readonly cost: InputCost;
}

/** @param colour a colour of the palette, by name */
export function priceReplay(name: string, colour: string, replay: EngineReplay, prices: InputPrices): PricedReplay {
  return { name, colour, replay, cost: inputCost(replay, prices) };
}

const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** Formats dollars briefly, for an axis. */
export function shortDollars(amount: number): string {
  return `$${short.format(amount)}`;
}
