import { count, formatCount } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { selectionOf } from '../selection.ts';
import { stepTo } from '../step-to.ts';
import { useNewest } from '../store/use-newest.ts';
import { useSize } from '../use-size.ts';
import { Filters } from './filters.tsx';
import { filterMessages, noFilter, visibleFilter } from './message-filter.ts';
import { MessageRow } from './message-row.tsx';
import { scrollTopFor, visibleRows } from './visible-rows.ts';

/** Height of a row as in `messages.css`, in root font sizes. */
const rowRems = 2.75;

/** All messages as a list that can be searched and filtered. Only the rows in view are rendered. */
export function MessageList(): JSX.Element {
  const { store, state, opened, engines: shown } = usePage();
  const { blocks } = opened;
  const engines = shown.map(([engine]) => engine);
  const id = useId();
  const [chosenFilter, setFilter] = useState(noFilter);
  const filter = visibleFilter(chosenFilter, engines);
  const [scrollTop, setScrollTop] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { height } = useSize(list);
  const rowHeight = useMemo(() => rowRems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), []);
  const beginnings = useNewest(`${state.loadId}`, () => store.texts.beginnings());
  const { query } = filter;
  const found = useNewest(query === '' ? null : `${state.loadId} ${query}`, () => store.texts.find(query));
  const views = engines.flatMap((engine) => {
    const view = state.answers[engine]?.view;
    return view ? [[engine, view] as const] : [];
  });
  const indices = useMemo(
    () => filterMessages(blocks, new Map(views), filter, query === '' ? null : found),
    [blocks, state.answers, engines.join(), chosenFilter, found],
  );
  const chosen = state.selection.chosen.index;
  const current = selectionOf(state.selection).index;
  const row = indices.indexOf(chosen);
  const { from, to } = visibleRows(indices.length, rowHeight, scrollTop, height);
  const scrollTo = (target: number): void => {
    if (list.current && height > 0)
      list.current.scrollTop = scrollTopFor(target, rowHeight, list.current.scrollTop, height);
  };
  // Shows the message that was selected elsewhere, in the strips for example.
  useEffect(() => {
    if (row >= 0) scrollTo(row);
  }, [row, height > 0]);
  // A shorter list may have been scrolled beyond its end.
  useLayoutEffect(() => setScrollTop(list.current?.scrollTop ?? 0), [indices.length]);
  // Keys may be pressed faster than the page is rendered.
  const at = useRef(row);
  at.current = row;
  const choose = (index: number, isChosen: boolean): void => store.select({ index, written: null }, isChosen);
  const walk = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      store.showTab('message');
      return;
    }
    const next = stepTo(event.key, at.current, indices.length, Math.max(1, Math.floor(height / rowHeight) - 1));
    if (next === null) return;
    event.preventDefault();
    at.current = next;
    choose(indices[next]!, true);
  };
  const rowId = (index: number): string => `${id}-${index}`;
  return (
    <section class="message-list" aria-label="All messages">
      <Filters
        blocks={blocks}
        engines={engines}
        filter={filter}
        onChange={(change) => setFilter({ ...filter, ...change })}
      />
      <p class="soft" aria-live="polite">
        {indices.length === blocks.length
          ? formatCount(blocks.length, 'message')
          : `${count(indices.length)} of ${formatCount(blocks.length, 'message')}`}
      </p>
      <div
        ref={list}
        class="rows"
        role="listbox"
        tabIndex={0}
        aria-label="Messages"
        aria-activedescendant={row >= from && row < to ? rowId(chosen) : undefined}
        onKeyDown={walk}
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
        onPointerLeave={() => store.leave()}
        onDblClick={() => store.showTab('message')}
      >
        <div class="all-rows" style={{ height: `${indices.length * rowHeight}px` }} role="presentation">
          <div style={{ transform: `translateY(${from * rowHeight}px)` }} role="presentation">
            {indices.slice(from, to).map((index, place) => (
              <MessageRow
                key={index}
                id={rowId(index)}
                index={index}
                row={from + place}
                rows={indices.length}
                block={blocks[index]!}
                beginning={beginnings?.[index] ?? ''}
                views={views}
                selected={index === current}
                onLook={(isChosen) => choose(index, isChosen)}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}
