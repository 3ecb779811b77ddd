import { type ComparisonVerdict, type VerdictInput, verdictOn } from 'palimpsest/comparison/verdict';
import type { VerdictPart, Words } from 'palimpsest/comparison/verdict/words';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from './page.ts';
import { Term } from './term.tsx';

/** The verdict on the visible engines. */
export function useVerdict(): ComparisonVerdict {
  const { state, opened, engines } = usePage();
  const { answers, settings, prices } = state;
  return useMemo(() => {
    const judged: VerdictInput['engines'] = engines.flatMap(([engine]) => {
      const { row, replay } = answers[engine]!;
      return row ? [{ row, replay }] : [];
    });
    const { windowTokens } = Object.values(answers).find(({ of }) => of !== null)?.of ?? settings;
    return verdictOn({ windowTokens, engines: judged, recorded: opened.recorded, prices });
  }, [answers, opened, prices, engines.length]);
}

/** Which engine is better for this session, and why, in a few sentences about the whole session. */
export function VerdictLine(): JSX.Element {
  const { engines } = usePage();
  const verdict = useVerdict();
  const colours = new Map(engines);
  const [gain = [], choice = [], ...reasons] = verdict.sentences;
  const showWords = (parts: Words): readonly (JSX.Element | string)[] => [
    ...parts.map((part, at) => <VerdictWords key={at} part={part} colour={colours.get(part.text)} />),
    ' ',
  ];
  return (
    // New elements for a new text: words that move within a sentence would count as a layout shift.
    <section key={verdict.text} class="verdict" aria-label="Verdict">
      <p class="headline">{[gain, choice].map(showWords)}</p>
      <p>{reasons.map(showWords)}</p>
    </section>
  );
}

interface VerdictWordsProps {
  readonly part: VerdictPart;
  /** The colour of the engine that the part names. */
  readonly colour: string | undefined;
}

function VerdictWords({ part, colour }: VerdictWordsProps): JSX.Element {
  switch (part.kind) {
    case 'winner':
      return <strong class={`winner ${colour}`}>{part.text}</strong>;
    case 'engine':
      return <strong class={colour}>{part.text}</strong>;
    case 'bad':
      return <strong class="bad">{part.text}</strong>;
    case 'term':
      return <Term name="exact names">{part.text}</Term>;
    case 'name':
      return <code>{part.text}</code>;
    default:
      return <>{part.text}</>;
  }
}
