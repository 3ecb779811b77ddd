import { counted } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { usePage } from '../page.ts';
import { selected } from '../selection.ts';
import { useNewest } from '../store/use-newest.ts';
import { outcomeOf } from '../words.ts';
import type { MessageReading } from '../worker/request-reading.ts';
import type { EngineView } from '../worker/runner.ts';
import { Changes } from './changes.tsx';
import { Names } from './names.tsx';
import { SurvivingLines } from './surviving-lines.tsx';

interface EngineReadingProps {
  readonly engine: string;
  readonly view: EngineView;
  /** Identifies the request that the view is of. */
  readonly question: string;
}

/** What became of a message under one engine. */
export function EngineReading({ engine, view, question }: EngineReadingProps): JSX.Element {
  const { store, state } = usePage();
  const { index, written } = selected(state.selection);
  const reading = useNewest(`${question} ${index}`, () => store.readMessage(engine, index));
  const isWritten = written?.engine === engine;
  const { look = null, at = null, notes = [] } = view.outcomes[index] ?? {};
  const place = isWritten ? written.at : look === null || look === 'kept' ? null : at;
  const size = place === null ? undefined : view.output[place]?.tokens;
  return (
    <section class="engine-reading" aria-label={`The message after ${engine}`}>
      <h3>
        <span class={`swatch ${isWritten ? 'inserted' : (look ?? '')}`} aria-hidden="true" />
        {engine}
      </h3>
      <p class="soft" data-reading={engine}>
        {isWritten ? 'Written by the engine' : capital(look === 'kept' ? 'kept, unchanged' : outcomeOf(view, index))}
        {size !== undefined && `${isWritten ? ',' : into[look!]} ${counted(size, 'token')}`}
        {!isWritten && look === 'rewritten' && [...new Set(notes)].map((note) => `. ${visibleText(note)}`)}
      </p>
      {isWritten ? (
        <button
          type="button"
          class="link"
          onClick={() => store.showLine({ engine, handoff: insertedBefore(view, written.at), line: null })}
        >
          Read the handoff
        </button>
      ) : (
        look !== null && reading && <Outcome {...{ engine, look, reading }} />
      )}
    </section>
  );
}

/** Joins an outcome to the size of the message that holds the rest. */
const into: Readonly<Record<EngineView['outcomes'][number]['look'], string>> = {
  kept: ',',
  rewritten: ' to',
  carried: ' of',
  summarized: ', with others, into a handoff of',
  dropped: ',',
};

interface OutcomeProps {
  readonly engine: string;
  readonly look: EngineView['outcomes'][number]['look'];
  readonly reading: MessageReading;
}

function Outcome({ engine, look, reading }: OutcomeProps): JSX.Element {
  const { store } = usePage();
  const { changes, lines, keptNames, lostNames } = reading;
  const isRemoved = look === 'summarized' || look === 'dropped';
  return (
    <>
      {look === 'rewritten' && !changes && <p class="soft">It is too long to compare.</p>}
      {changes && <Changes changes={changes} label={`What changed under ${engine}`} />}
      {isRemoved && lines.length === 0 && (
        <p>{keptNames.length > 0 ? 'No line of the handoff comes from it.' : 'Nothing of it survived.'}</p>
      )}
      {look !== 'kept' && <SurvivingLines lines={lines} onLine={(line) => store.showLine({ engine, ...line })} />}
      {lostNames.length > 0 && <Names names={lostNames} of={keptNames.length + lostNames.length} />}
    </>
  );
}

function insertedBefore({ output }: EngineView, at: number): number {
  return output.slice(0, at).filter(({ look }) => look === 'inserted').length;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
