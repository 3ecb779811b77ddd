import type { ManualClock } from './manual-clock.ts';

/** Outcome of a promise. */
export type Settled<T> =
  | { readonly kind: 'fulfilled'; readonly value: T }
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'hanging' };

/** Ticks of the event loop after which a promise counts as hanging. */
const maxTicks = 400;

/**
 * Waits for a promise that may sleep on a manual clock. While it is pending and the clock has scheduled callbacks, the
 * clock advances in growing steps of up to a minute. Returns `hanging` after about a second of real time.
 */
export async function settle<T>(promise: Promise<T>, clock: ManualClock): Promise<Settled<T>> {
  let settled: Settled<T> | null = null;
  promise.then(
    (value) => {
      settled = { kind: 'fulfilled', value };
    },
    (error: unknown) => {
      settled = { kind: 'rejected', error };
    },
  );
  const outcome = (): Settled<T> | null => settled;
  for (let tick = 0; tick < 200 && !outcome(); tick++) await undefined;
  for (let tick = 0; tick < maxTicks && !outcome(); tick++) {
    await new Promise((resolve) => setTimeout(resolve, tick < 20 ? 0 : 2));
    if (!outcome() && tick > 1 && clock.pending > 0) clock.advance(Math.min(60_000, 1_000 * tick));
  }
  return outcome() ?? { kind: 'hanging' };
}
