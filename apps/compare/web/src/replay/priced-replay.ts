import { type InputCost, type InputPrices, inputCost } from '../../../src/replay/input-cost.ts';
import type { Replay } from '../../../src/replay/replay.ts';

/** One way the session could have gone: as recorded, or with an engine. */
export interface PricedReplay {
  readonly name: string;
  /** A colour of the palette, by name. */
  readonly colour: string;
  readonly replay: Replay;
  readonly cost: InputCost;
}

export function priceReplay(name: string, colour: string, replay: Replay, prices: InputPrices): PricedReplay {
  return { name, colour, replay, cost: inputCost(replay, prices) };
}

/** The largest prompt of a session, in tokens. */
export function peak({ sent }: Replay): number {
  return sent.reduce((largest, tokens) => Math.max(largest, tokens), 0);
}

/** Requests whose prompt the window could not hold. */
export function tooLarge({ sent }: Replay, windowTokens: number): number {
  return sent.filter((tokens) => tokens > windowTokens).length;
}

const mills = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** An amount of money, to the cent, and below a dollar to a tenth of one. */
export function dollars(amount: number): string {
  return `$${(amount < 1 ? mills : cents).format(amount)}`;
}

/** An amount of money, as short as an axis wants it. */
export function shortDollars(amount: number): string {
  return `$${short.format(amount)}`;
}
