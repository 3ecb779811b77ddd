import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { usePage } from '../page.ts';
import { useNewest } from '../store/use-newest.ts';
import { Term } from '../term.tsx';

interface RecallQueryProps {
  readonly engine: string;
  readonly index: number;
  /** Identifies the request. */
  readonly question: string;
  /** What the query finds. */
  readonly what: string;
}

/** The first search of a request builds an index, so none is made while the pointer moves or the replay plays. */
const restMs = 250;

/** The words with which the tool `recall` finds a hidden message. Nothing, if no search found it. */
export function RecallQuery({ engine, index, question, what }: RecallQueryProps): JSX.Element | null {
  const { store } = usePage();
  const query = useNewest(`${question} ${index}`, () => store.recallQuery(engine, index), restMs);
  if (query === null) return null;
  return (
    <p class="recall">
      The <Term name="recall">recall tool</Term> finds {what}: <code dir="auto">{visibleText(query)}</code>
    </p>
  );
}
