import { count, formatCount } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { Folded } from '../folded.tsx';
import { usePage } from '../page.ts';
import { Scrolling } from '../scrolling.tsx';
import { selectionOf } from '../selection.ts';
import { useNewest } from '../store/use-newest.ts';
import { outcomeOf } from '../words.ts';
import type { MessageReading } from '../worker/request-reading.ts';
import type { EngineView } from '../worker/runner.ts';
import type { Change } from '../worker/text-changes.ts';
import { SurvivingLines } from './surviving-lines.tsx';

/** Names shown at once; the rest is folded. */
const shown = 6;

/** A listing may hold thousands. */
const maxLines = 500;

interface EngineReadingProps {
  readonly engine: string;
  readonly view: EngineView;
  /** Identifies the request that the view is of. */
  readonly question: string;
}

/** What became of a message under one engine. */
export function EngineReading({ engine, view, question }: EngineReadingProps): JSX.Element {
  const { store, state } = usePage();
  const { index, written } = selectionOf(state.selection);
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
        {size !== undefined && `${isWritten ? ',' : into[look!]} ${formatCount(size, 'token')}`}
        {!isWritten && look === 'rewritten' && [...new Set(notes)].map((note) => `. ${visibleText(note)}`)}
      </p>
      {isWritten ? (
        <button
          type="button"
          class="link"
          onClick={() => store.showLine({ engine, handoff: countInsertedBefore(view, written.at), line: null })}
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

function countInsertedBefore({ output }: EngineView, at: number): number {
  return output.slice(0, at).filter(({ look }) => look === 'inserted').length;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Exact names of a message that are nowhere in the request. @param of how many the message has */
function Names({ names, of }: { readonly names: readonly string[]; readonly of: number }): JSX.Element {
  return (
    <div class="names">
      <p>
        Lost {count(names.length)} of {formatCount(of, 'exact name')}
        {names.length > maxLines && `, of which the first ${count(maxLines)} are listed`}:
      </p>
      <Folded items={names.slice(0, maxLines)} shown={shown}>
        {(some) => (
          <ul>
            {some.map((name) => (
              <li key={name}>
                <code dir="auto">{visibleText(name)}</code>
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </div>
  );
}

/** The differences of a shortened message: what was removed, and what was added. */
function Changes({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }): JSX.Element {
  return (
    <Scrolling label={label} className="text changes">
      <pre dir="auto">
        {changes.map(({ kind, text }, index) => {
          const shown = visibleText(text);
          if (kind === 'same') return shown;
          return kind === 'removed' ? <del key={index}>{shown}</del> : <ins key={index}>{shown}</ins>;
        })}
      </pre>
    </Scrolling>
  );
}
