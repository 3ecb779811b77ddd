import type { ManualClock } from './manual-clock.ts';

/** How a promise ended. */
export type Settled<T> =
  | { readonly kind: 'fulfilled'; readonly value: T }
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'hanging' };

/** Turns of the event loop after which a promise counts as hanging. */
const maxTurns = 400;

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
  for (let turn = 0; turn < 200 && !outcome(); turn++) await undefined;
  for (let turn = 0; turn < maxTurns && !outcome(); turn++) {
    await new Promise((resolve) => setTimeout(resolve, turn < 20 ? 0 : 2));
    if (!outcome() && turn > 1 && clock.pending > 0) clock.advance(Math.min(60_000, 1_000 * turn));
  }
  return outcome() ?? { kind: 'hanging' };
}
