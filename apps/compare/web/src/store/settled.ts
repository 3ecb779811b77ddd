import type { EngineSettings } from 'palimpsest/comparison/engine-settings';
import type { StoreState } from './state.ts';

/** A snapshot of the page with complete figures. */
export interface Settled {
  readonly loadId: number;
  readonly settings: EngineSettings;
  readonly figures: string;
}

/** A page whose results all match its settings. */
export function settledAt({ loadId, settings, answers }: StoreState): Settled {
  // All figures that a setting could change, as text for comparison.
  const figures = JSON.stringify(
    Object.values(answers).map(({ row, replay }) => [
      row?.tokensAfter,
      row?.messagesAfter,
      row?.reachedThreshold,
      row?.fitsWindow,
      row?.outcomes,
      replay?.sent,
    ]),
  );
  return { loadId, settings, figures };
}

/** The setting that differs between two complete pages with the same figures; `null` unless exactly one does. */
export function withoutEffect(before: Settled, after: Settled): keyof EngineSettings | null {
  if (before.loadId !== after.loadId || before.figures !== after.figures) return null;
  const names = Object.keys(after.settings) as (keyof EngineSettings)[];
  const changed = names.filter((name) => before.settings[name] !== after.settings[name]);
  return changed.length === 1 ? changed[0]! : null;
}
