import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { usePage } from '../page.ts';
import { Scrolling } from '../scrolling.tsx';
import { selected } from '../selection.ts';
import { questionOf } from '../store/state.ts';
import { useNewest } from '../store/use-newest.ts';
import { roleOf } from '../words.ts';
import { EngineReading } from './engine-reading.tsx';

/** The message under the pointer, or else the selected one, and what became of it under each engine. */
export function MessagePane(): JSX.Element {
  const { store, state, opened, engines } = usePage();
  const { index } = selected(state.selection);
  const block = opened.blocks[index];
  const text = useNewest(block ? `${state.loadId} ${index}` : null, () => store.texts.text(index)) ?? '';
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
      {engines.map(([engine]) => {
        const view = state.answers[engine]?.view;
        const question = questionOf(state, engine);
        return view && question !== null ? <EngineReading key={engine} {...{ engine, view, question }} /> : null;
      })}
    </section>
  );
}
