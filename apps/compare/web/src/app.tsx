import { samples } from 'virtual:samples';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Controls } from './controls/controls.tsx';
import { useDroppedFiles } from './dropped-files.ts';
import { Install } from './install.tsx';
import { ReplayPanel } from './replay/replay-panel.tsx';
import { Results } from './results.tsx';
import { SidePane } from './side-pane.tsx';
import { SourceBar } from './source-bar.tsx';
import { Status } from './status.tsx';
import { useStore } from './store/use-store.ts';
import { VerdictLine } from './verdict-line.tsx';

/** Colours for engines, in the order in which the registry lists them. */
const places = ['first', 'second', 'third'];

export function App(): JSX.Element {
  const joined = useStore();
  const store = joined?.store;
  const [sample, setSample] = useState<string | null>(null);
  // The sample requested last, while it is loading.
  const [awaited, setAwaited] = useState<string | null>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const asked = useRef(0);
  // The name of a session changes together with its figures: if loading fails, both stay as they were.
  const open = async (name: string, load: () => Promise<string | Blob>): Promise<void> => {
    const ask = ++asked.current;
    const isSample = samples.some(({ file }) => file === name);
    setAwaited(isSample ? name : null);
    try {
      const data = await load();
      if (ask === asked.current && (await store!.open({ name, data }))) setSample(isSample ? name : null);
    } catch {
      if (ask === asked.current)
        store!.showProblem(`${name} could not be loaded; check the connection and choose it again`);
    }
    if (ask === asked.current) setAwaited(null);
  };
  const openSample = (name: string): void => {
    const entry = samples.find(({ file }) => file === name);
    if (entry) void open(name, async () => (await entry.load()).default);
  };
  const openFiles = (files: readonly File[]): void => {
    const [file] = files;
    if (!file) return;
    void open(file.name, async () => file).then(() => {
      if (files.length > 1)
        store!.showProblem(`${files.length} files were dropped, but only one is read at a time: ${file.name}`);
    });
  };
  const dropping = useDroppedFiles((files) => {
    if (store) openFiles(files);
  });
  useEffect(() => {
    const first = samples.at(-1);
    if (store && first) openSample(first.file);
  }, [store]);

  const state = joined?.state;
  const engines = (state?.engines ?? []).map((engine, index) => [engine, places[index % places.length]!] as const);
  const shown = engines.filter(([engine]) => !hidden.has(engine));
  return (
    <>
      <header class="masthead">
        <h1>
          <span class="wordmark">Palimpsest</span> See what a context engine keeps
        </h1>
        <p>
          The engines run in this page; no data leaves it. <a href="#install">Use them in your agent</a>
        </p>
      </header>
      <main class={dropping ? 'dropping' : ''}>
        {store && state && (state.opened || state.problem) ? (
          <>
            <SourceBar
              state={state}
              sample={sample}
              awaited={awaited}
              onSample={openSample}
              onFile={(file) => openFiles([file])}
              onOrdinal={(ordinal) => state.given && void store.open(state.given, ordinal)}
            />
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
            {state.opened && (
              <>
                <VerdictLine state={state} opened={state.opened} engines={shown} />
                <div class="experiment">
                  <Results
                    key={`results ${state.loadId}`}
                    store={store}
                    state={state}
                    opened={state.opened}
                    engines={shown}
                  />
                  <SidePane
                    store={store}
                    state={state}
                    opened={state.opened}
                    engines={shown.map(([engine]) => engine)}
                  />
                  <ReplayPanel
                    key={`replay ${state.loadId}`}
                    store={store}
                    state={state}
                    opened={state.opened}
                    engines={shown}
                  />
                </div>
              </>
            )}
            <Install engine={shown[0]?.[0] ?? 'compressor'} settings={state.settings} />
            <Status state={state} />
          </>
        ) : (
          <p class="soft starting">Starting the engines …</p>
        )}
      </main>
    </>
  );
}
