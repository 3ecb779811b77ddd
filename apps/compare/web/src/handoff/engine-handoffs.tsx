import { count, formatCount } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import type { HandoffText, RequestHandoffs } from '../worker/request-reading.ts';
import { HandoffDocument } from './handoff-document.tsx';
import { MessageLinks } from './message-links.tsx';

interface EngineHandoffsProps {
  readonly engine: string;
  readonly written: RequestHandoffs;
  /** Highlighted wherever it occurs; `''` for nothing. */
  readonly query: string;
  /** Index of the selected message. */
  readonly selected: number;
  onMessage(index: number): void;
}

/** A long session may lose thousands of names. */
const maxNames = 500;

/** Every handoff of an engine, and the names that are in none of its messages. */
export function EngineHandoffs({
  engine,
  written: { handoffs, lost, isByModel },
  ...of
}: EngineHandoffsProps): JSX.Element {
  return (
    <>
      {handoffs.length === 0 && <p class="soft">{engine} writes no handoff here: nothing is summarized.</p>}
      {handoffs.length > 0 && (
        <p class="soft">
          {isByModel
            ? 'The model that continues reads this text. Another wrote it when the sample was recorded; rules added the user’s messages and the changed files. In your own files, rules write all of it, because no data leaves this page.'
            : 'The model that continues reads this text. Rules wrote it, because this page calls no model.'}
        </p>
      )}
      {handoffs.map((handoff, position) => (
        <article key={position} data-handoff={position}>
          <About handoff={handoff} onMessage={of.onMessage} />
          <HandoffDocument lines={handoff.lines} {...of} />
        </article>
      ))}
      {lost.length > 0 && (
        <details class="handoff-section lost-names">
          <summary>
            <span class="title">Lost names</span> <span class="soft">{count(lost.length)}</span>
          </summary>
          <p class="soft">
            {formatCount(lost.length, 'exact name')} that the user or the agent wrote, and that the model no longer
            sees. Each with the first message that names it.
            {lost.length > maxNames && ` The first ${count(maxNames)}:`}
          </p>
          <ul>
            {lost.slice(0, maxNames).map(({ name, at }) => (
              <li key={name} class="line" dir="auto">
                <code>{visibleText(name)}</code> <MessageLinks indices={[at]} onMessage={of.onMessage} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function About({
  handoff: { covers, carries },
  onMessage,
}: {
  readonly handoff: HandoffText;
  onMessage(index: number): void;
}): JSX.Element {
  return (
    <p class="soft">
      It replaces messages {count(covers.from + 1)} to {count(covers.to)}.
      {carries.length > 0 && (
        <>
          {' '}
          After it follow in full: message <MessageLinks indices={carries} onMessage={onMessage} />
        </>
      )}
    </p>
  );
}
