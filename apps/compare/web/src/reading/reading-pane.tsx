import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/comparison/page/visible-text';
import type { JSX } from 'preact';
import { Scrolling } from '../scrolling.tsx';
import { type Selection, selected } from '../selection.ts';
import type { Store, StoreState } from '../store/store.ts';
import { outcomeOf, roleOf } from '../words.ts';
import type { Opened } from '../worker/reader.ts';
import type { EngineView } from '../worker/runner.ts';
import { useText } from './use-text.ts';

interface ReadingPaneProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly opened: Opened;
  readonly engines: readonly string[];
}

/** The selected message before, and after each engine. Always rendered as plain text. */
export function ReadingPane({ store, state, opened, engines }: ReadingPaneProps): JSX.Element {
  const selection = selected(state.selection);
  const { index } = selection;
  const block = opened.blocks[index];
  const text = useText(block ? `${opened.id} ${opened.ordinal} ${index}` : null, () => store.before(index));
  return (
    <section class="reading" aria-label="The message before and after">
      <div class="column before">
        <h3>Before</h3>
        <p class="soft" data-reading="source">
          {block ? `Message ${index + 1}, ${roleOf(block)}, ${count(block.tokens)} tokens` : 'No message'}
        </p>
        <MessageText text={text} label="The message before" />
      </div>
      {engines.map((engine) => {
        const answer = state.answers[engine];
        return answer?.view ? (
          <After
            key={engine}
            store={store}
            engine={engine}
            view={answer.view}
            of={{ settings: answer.of, turn: answer.turn }}
            selection={selection}
          />
        ) : null;
      })}
    </section>
  );
}

interface AfterProps {
  readonly store: Store;
  readonly engine: string;
  readonly view: EngineView;
  readonly of: object;
  readonly selection: Selection;
}

function After({ store, engine, view, of, selection: { index, written } }: AfterProps): JSX.Element {
  const outcome = view.outcomes[index];
  const own = written?.engine === engine ? written.at : null;
  const changed = outcome && outcome.look !== 'kept' ? outcome.at : null;
  const at = own ?? changed;
  const text = useText(at === null ? null : `${JSON.stringify(of)} ${at}`, () => store.after(engine, at!));
  const tokens = at === null ? null : view.output[at]?.tokens;
  const size = tokens === null || tokens === undefined ? '' : `, ${count(tokens)} tokens`;
  return (
    <div class="column">
      <h3>After {engine}</h3>
      <p class="soft" data-reading={engine}>
        {own === null ? describe(view, index) : 'Written by the engine'}
        {size}
      </p>
      {at === null ? (
        <p class="nothing">{outcome?.look === 'kept' ? 'Unchanged.' : 'Nothing of it is left.'}</p>
      ) : (
        <MessageText text={text} label={`The message after ${engine}`} />
      )}
    </div>
  );
}

function MessageText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <Scrolling label={label} className="text">
      <pre dir="auto">{visibleText(text)}</pre>
    </Scrolling>
  );
}

function describe(view: EngineView, index: number): string {
  const outcome = view.outcomes[index];
  if (outcome?.look === 'summarized') return 'Summarized, with others, into this handoff';
  const notes = [...new Set(outcome?.notes ?? [])];
  return `${capital(outcomeOf(view, index))}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
