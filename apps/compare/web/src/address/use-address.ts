import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';
import { useEffect } from 'preact/hooks';
import type { StoreState } from '../store/state.ts';
import { useLatest } from '../use-latest.ts';
import { type PageAddress, readAddress, writeAddress } from './address.ts';

/** Browsers limit how often a page changes its address. */
const restMs = 300;

/**
 * Keeps the address of the page up to date, so that a reload or a copied link shows the same.
 * @param onAddress called when the user enters another address
 */
export function useAddress(state: StoreState | undefined, onAddress: (address: PageAddress) => void): void {
  const handler = useLatest(onAddress);
  const address = state && !state.reading ? addressOf(state) : null;
  const text = address === null ? null : writeAddress(address);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => history.replaceState(null, '', text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const enter = (): void => handler.current(readAddress(location.hash));
    addEventListener('hashchange', enter);
    return () => removeEventListener('hashchange', enter);
  }, []);
}

/** Returns the part of the address that restores what the page shows. Defaults are left out. `null` until a session is open. */
function addressOf({ given, opened, settings, turn, selection }: StoreState): PageAddress | null {
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
    ...(index === selection.first ? {} : { message: index }),
  };
}
