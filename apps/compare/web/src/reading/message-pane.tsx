import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { Scrolling } from '../scrolling.tsx';
import { selected } from '../selection.ts';
import { questionOf, type StoreState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { useNewest } from '../store/use-newest.ts';
import { roleOf } from '../words.ts';
import type { Opened } from '../worker/reader.ts';
import { EngineReading } from './engine-reading.tsx';

interface MessagePaneProps {
  readonly store: Store;
  readonly state: StoreState;
  readonly opened: Opened;
  /** The visible engines. */
  readonly engines: readonly string[];
}

/** The message under the pointer, or else the selected one, and what became of it under each engine. */
export function MessagePane({ store, state, opened, engines }: MessagePaneProps): JSX.Element {
  const selection = selected(state.selection);
  const { index } = selection;
  const block = opened.blocks[index];
  const text = useNewest(block ? `${state.loadId} ${index}` : null, () => store.reader.text(index)) ?? '';
  return (
    <section class="message-pane" aria-label="The message before and after">
      <p data-reading="source">
        {block ? (
          <>
            <strong>Message {count(index + 1)}</strong>, {visibleText(roleOf(block))},{' '}
            <span class="nowrap">{count(block.tokens)} tokens</span>
          </>
        ) : (
          'No message'
        )}
      </p>
      <Scrolling label="The message before" className="text">
        <pre dir="auto">{visibleText(text)}</pre>
      </Scrolling>
      {engines.map((engine) => {
        const answers = state.answers[engine];
        return answers?.view ? (
          <EngineReading
            key={engine}
            store={store}
            engine={engine}
            view={answers.view}
            question={questionOf(state, engine)!}
            selection={selection}
          />
        ) : null;
      })}
    </section>
  );
}
