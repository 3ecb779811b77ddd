import { count } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from './address/use-address.ts';
import { Controls } from './controls/controls.tsx';
import { ExportMenu } from './exports/export-menu.tsx';
import { Install } from './install.tsx';
import { assignColours, PageContext } from './page.ts';
import { ReplayPanel } from './replay/replay-panel.tsx';
import { Results } from './results.tsx';
import { SidePane } from './side-pane.tsx';
import { SourceBar } from './source/source-bar.tsx';
import { useGiven } from './source/use-given.ts';
import { useSession } from './source/use-session.ts';
import { isSettled, type StoreState } from './store/state.ts';
import { useStore } from './store/use-store.ts';
import { Term } from './term.tsx';
import { VerdictLine } from './verdict-line.tsx';

export function App(): JSX.Element {
  const { page, problem } = useStore();
  const store = page?.store;
  const session = useSession(store);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const dropping = useGiven({
    onFiles: (files) => store && session.openFiles(files),
    onText: (text) => store && session.openText(text),
  });
  const state = page?.state;
  useAddress(state, session.openAddress);
  const shown = assignColours(state?.engines ?? []).filter(([engine]) => !hidden.has(engine));
  const opened = state?.opened;
  return (
    <PageContext.Provider value={store && opened ? { store, state, opened, engines: shown } : null}>
      <header class="masthead">
        <h1>
          <span class="wordmark">Palimpsest</span> Compare context engines
        </h1>
        <p>
          A <Term name="engine">context engine</Term> shortens what an agent sends.{' '}
          <span class="wide">compressor summarizes old messages; prune-compact first shortens old tool output. </span>
          No data leaves this page.
        </p>
        <button type="button" class="button" onClick={() => document.getElementById('install')?.focus()}>
          Use one in your agent
        </button>
      </header>
      <main class={dropping ? 'dropping' : ''}>
        {store && state && (opened || state.problem) ? (
          <>
            <SourceBar
              state={state}
              session={session}
              onOrdinal={(ordinal) => state.given && void store.open(state.given, { ordinal })}
            >
              {opened && <ExportMenu />}
            </SourceBar>
            {opened && <VerdictLine />}
            <Controls
              state={state}
              shown={new Set(shown.map(([engine]) => engine))}
              onChange={(change) => store.change(change)}
              onShow={(engine, visible) => {
                const next = new Set(hidden);
                if (visible) next.delete(engine);
                else next.add(engine);
                setHidden(next);
              }}
            />
            {opened && (
              <div class="experiment">
                <Results key={`results ${state.loadId}`} />
                <SidePane />
                <ReplayPanel key={`replay ${state.loadId}`} />
              </div>
            )}
            {opened && <Install />}
            <Status state={state} />
          </>
        ) : (
          <Starting problem={problem} />
        )}
      </main>
    </PageContext.Provider>
  );
}

function Starting({ problem }: { readonly problem: string | null }): JSX.Element {
  if (problem === null) return <p class="soft">Starting the engines …</p>;
  return (
    <p class="problem" role="alert">
      {`The engines could not be started: ${problem}. Allow this page to start web workers, and reload it.`}
    </p>
  );
}

/** The live status for screen readers and tests, set once all results match the current settings. */
function Status({ state }: { readonly state: StoreState }): JSX.Element {
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
