import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { SourceBlock } from 'palimpsest/strips/strip-blocks';
import type { JSX } from 'preact';
import { outcomeOf, roleOf } from '../words.ts';
import type { EngineView } from '../worker/runner.ts';

interface MessageRowProps {
  readonly id: string;
  readonly index: number;
  /** Its place in the list, from 0. */
  readonly row: number;
  readonly rows: number;
  readonly block: SourceBlock;
  readonly beginning: string;
  readonly views: readonly (readonly [engine: string, view: EngineView])[];
  readonly selected: boolean;
  onLook(chosen: boolean): void;
}

/** One message in the list: its number, role, size and beginning, and its outcome under each engine. */
export function MessageRow(props: MessageRowProps): JSX.Element {
  const { id, index, row, rows, block, beginning, views, selected, onLook } = props;
  const outcomes = views.map(([engine, view]) => `${engine}: ${outcomeOf(view, index)}`);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the row by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={id}
      role="option"
      class="message-row"
      aria-selected={selected}
      aria-posinset={row + 1}
      aria-setsize={rows}
      data-message={index}
      onPointerMove={() => onLook(false)}
      onClick={() => onLook(true)}
    >
      <span class="number">{count(index + 1)}</span>
      <span class={`swatch ${block.look}`} />
      <span class="role">{visibleText(roleOf(block))}</span>
      <span class="tokens">
        {count(block.tokens)}
        <span class="unseen"> tokens</span>
      </span>
      <span class="outcomes">
        <span class="unseen">{outcomes.join(', ')}</span>
        {views.map(([engine, view]) => (
          <span key={engine} class={`swatch ${view.outcomes[index]?.look ?? ''}`} />
        ))}
      </span>
      <span class="beginning" dir="auto">
        {visibleText(beginning)}
      </span>
    </div>
  );
}
