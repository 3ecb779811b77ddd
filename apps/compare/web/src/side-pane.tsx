import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { HandoffPane } from './handoff/handoff-pane.tsx';
import { MessageList } from './messages/message-list.tsx';
import { usePage } from './page.ts';
import { EngineReading } from './reading/engine-reading.tsx';
import { Scrolling } from './scrolling.tsx';
import { selectionOf } from './selection.ts';
import { type PaneTab, questionOf } from './store/state.ts';
import { useNewest } from './store/use-newest.ts';
import { roleOf } from './words.ts';

const tabs: readonly { readonly id: PaneTab; readonly name: string; Content(): JSX.Element }[] = [
  { id: 'message', name: 'Message', Content: MessagePane },
  { id: 'handoff', name: 'Handoff', Content: HandoffPane },
  { id: 'messages', name: 'All messages', Content: MessageList },
];

/** The pane next to the strips: the selected message, the handoffs, and the list of messages. It stays in view. */
export function SidePane(): JSX.Element {
  const { store, state } = usePage();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { Content } = tabs.find((tab) => tab.id === state.tab)!;
  const shown = useRef(state.tab);
  useLayoutEffect(() => {
    const isLost = shown.current !== state.tab && document.activeElement === document.body;
    shown.current = state.tab;
    // A link to another tab is removed together with its own tab, and the focus with it.
    if (isLost) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus({ preventScroll: true });
  }, [state.tab]);
  const walk = (event: KeyboardEvent): void => {
    const to = destination(
      event.key,
      tabs.findIndex((tab) => tab.id === state.tab),
    );
    if (to === null) return;
    event.preventDefault();
    store.showTab(tabs[to]!.id);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <aside class="side" aria-label="Reader" inert={state.reading}>
      <div ref={list} class="tabs" role="tablist" aria-label="Reader" onKeyDown={walk}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === state.tab}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === state.tab ? 0 : -1}
            onClick={() => store.showTab(tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="panel" role="tabpanel" aria-labelledby={`${id}-${state.tab}`}>
        <Content />
      </div>
    </aside>
  );
}

function destination(key: string, at: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % tabs.length;
    case 'ArrowLeft':
      return (at + tabs.length - 1) % tabs.length;
    case 'Home':
      return 0;
    case 'End':
      return tabs.length - 1;
    default:
      return null;
  }
}

/** The message under the pointer, or else the selected one, and its outcome under each engine. */
function MessagePane(): JSX.Element {
  const { store, state, opened, engines } = usePage();
  const { index } = selectionOf(state.selection);
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
