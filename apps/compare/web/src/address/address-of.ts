import { defaultSettings, type EngineSettings } from 'palimpsest/comparison/engine-settings';
import { initialSelection } from '../selection.ts';
import type { StoreState } from '../store/state.ts';
import type { PageAddress } from './address.ts';

/** Returns the part of the address that restores what the page shows. Defaults are left out. `null` until a session is open. */
export function addressOf({ given, opened, settings, turn, selection }: StoreState): PageAddress | null {
  if (!given || !opened) return null;
  const { index } = selection.chosen;
  const defaults: EngineSettings = { ...defaultSettings, windowTokens: opened.window.tokens };
  const names = Object.keys(settings) as (keyof EngineSettings)[];
  const changed = names.filter((name) => settings[name] !== defaults[name]);
  return {
    session: given.name,
    ordinal: opened.ordinal,
    settings: Object.fromEntries(changed.map((name) => [name, settings[name]])),
    ...(turn === null ? {} : { turn }),
    ...(index === initialSelection(opened.blocks).chosen.index ? {} : { message: index }),
  };
}
