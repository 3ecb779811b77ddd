import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StoreState } from './store/state.ts';
import type { Store } from './store/store.ts';
import type { Opened } from './worker/page-worker.ts';

/** An engine, and its colour of the palette by name. */
export type ColouredEngine = readonly [engine: string, colour: string];

/** What every part of the page shows. */
export interface Page {
  readonly store: Store;
  readonly state: StoreState;
  readonly opened: Opened;
  /** The visible engines. */
  readonly engines: readonly ColouredEngine[];
}

/** `null` until a session is open. */
export const PageContext = createContext<Page | null>(null);

/** The page, in components that are shown while a session is open. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('no session is open');
  return page;
}

const colours = ['first', 'second', 'third'] as const;

/** Gives each engine its colour, in the order in which the registry lists them. */
export function assignColours(engines: readonly string[]): readonly ColouredEngine[] {
  return engines.map((engine, index) => [engine, colours[index % colours.length]!]);
}
