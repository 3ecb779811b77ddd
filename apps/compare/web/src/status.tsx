import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { isSettled, type StoreState } from './store/state.ts';

/** The live status for screen readers and tests, set once all results match the current settings. */
export function Status({ state }: { readonly state: StoreState }): JSX.Element {
  const settled = isSettled(state);
  return (
    <p
      class="unseen"
      role="status"
      data-settled={settled}
      data-settings={settled ? JSON.stringify(state.settings) : ''}
    >
      {state.reading ? 'Reading the file' : settled ? describe(state) : ''}
    </p>
  );
}

function describe({ answers, opened }: StoreState): string {
  const engines = Object.entries(answers).map(([engine, { row }]) =>
    row ? `${engine} leaves ${count(row.tokensAfter)}` : `${engine} could not be run`,
  );
  return `Of ${count(opened?.promptTokens ?? 0)} tokens ${engines.join(', ')}.`;
}
