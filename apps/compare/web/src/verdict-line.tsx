import { type VerdictInput, verdictOn } from '@palimpsest/comparison/verdict';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { StoreState } from './store/store.ts';
import { Term } from './term.tsx';
import type { Opened } from './worker/reader.ts';

interface VerdictLineProps {
  readonly state: StoreState;
  readonly opened: Opened;
  /** The visible engines, each with its colour. */
  readonly engines: readonly (readonly [engine: string, place: string])[];
}

type Part = ReturnType<typeof verdictOn>['sentences'][number][number];

/** Which engine is better for this session, and why, in a few sentences about the whole session. */
export function VerdictLine({ state, opened, engines }: VerdictLineProps): JSX.Element {
  const { answers, settings, prices } = state;
  const verdict = useMemo(() => {
    const judged: VerdictInput['engines'] = engines.flatMap(([engine]) => {
      const { row, replay } = answers[engine]!;
      return row ? [{ row, replay }] : [];
    });
    const { windowTokens } = Object.values(answers).find(({ of }) => of !== null)?.of ?? settings;
    return verdictOn({ windowTokens, engines: judged, recorded: opened.recorded, prices });
  }, [answers, opened, prices, engines.length]);
  const places = new Map(engines);
  const [first, ...others] = verdict.sentences;
  const shown = (parts: readonly Part[]): readonly JSX.Element[] =>
    parts.map((part, at) => <VerdictPart key={at} part={part} place={places.get(part.text)} />);
  return (
    <section class="verdict" aria-label="Verdict">
      {first && <p class="first-sentence">{shown(first)}</p>}
      <p>{others.map((parts) => [...shown(parts), ' '])}</p>
    </section>
  );
}

function VerdictPart({ part, place }: { readonly part: Part; readonly place: string | undefined }): JSX.Element {
  switch (part.kind) {
    case 'engine':
      return <strong class={place}>{part.text}</strong>;
    case 'best':
      return <strong>{part.text}</strong>;
    case 'bad':
      return <strong class="bad">{part.text}</strong>;
    case 'term':
      return <Term name="anchors">{part.text}</Term>;
    case 'name':
      return <code>{part.text}</code>;
    default:
      return <>{part.text}</>;
  }
}
