import { samples } from 'virtual:samples';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Controls } from './controls/controls.tsx';
import { useDroppedFile } from './dropped-file.ts';
import { Install } from './install.tsx';
import { useLab } from './lab/use-lab.ts';
import { ReplayPanel } from './replay/replay-panel.tsx';
import { Results } from './results.tsx';
import { SourceBar } from './source-bar.tsx';
import { Status } from './status.tsx';

/** Colours for engines, in the order in which the registry lists them. */
const places = ['first', 'second', 'third'];

export function App(): JSX.Element {
  const joined = useLab();
  const lab = joined?.lab;
  const [sample, setSample] = useState<string | null>(samples.at(-1)?.file ?? null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const openFile = (file: File): void => {
    setSample(null);
    void lab?.open({ name: file.name, data: file });
  };
  const dropping = useDroppedFile(openFile);
  useEffect(() => {
    const entry = samples.find(({ file }) => file === sample);
    let wanted = true;
    if (lab && entry)
      void entry.load().then((text) => {
        if (wanted) void lab.open({ name: entry.file, data: text.default });
      });
    return () => {
      wanted = false;
    };
  }, [lab, sample]);

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
          A long session outgrows its model’s window. Turn the limits, and read what became of every message. The
          engines run in this page; nothing leaves it. <a href="#install">Have them in your agent</a>
        </p>
      </header>
      <main class={dropping ? 'dropping' : ''}>
        {lab && state ? (
          <>
            <SourceBar
              state={state}
              sample={sample}
              onSample={setSample}
              onFile={openFile}
              onOrdinal={(ordinal) => state.given && void lab.open(state.given, ordinal)}
            />
            <Controls
              settings={state.settings}
              engines={state.engines}
              shown={new Set(shown.map(([engine]) => engine))}
              onChange={(change) => lab.change(change)}
              onShow={(engine, visible) => {
                const next = new Set(hidden);
                if (visible) next.delete(engine);
                else next.add(engine);
                setHidden(next);
              }}
            />
            {state.opened && (
              <>
                <Results
                  key={`results ${state.opening}`}
                  lab={lab}
                  state={state}
                  opened={state.opened}
                  engines={shown}
                />
                <ReplayPanel key={`replay ${state.opening}`} state={state} opened={state.opened} engines={shown} />
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
