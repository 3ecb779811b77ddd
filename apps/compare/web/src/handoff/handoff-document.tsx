import { formatCount } from '@palimpsest/command-line/count';
import type { HandoffLine } from '@palimpsest/session';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { rangesOf } from './find.ts';
import { LineText } from './line-text.tsx';
import { MessageLinks } from './message-links.tsx';
import { type Block, parseHandoff, readItem, type Section } from './parse-handoff.ts';

interface LineProps {
  /** Highlighted wherever it occurs; `''` for nothing. */
  readonly query: string;
  /** Index of the selected message. The lines that come from it are marked. */
  readonly selected: number;
  onMessage(index: number): void;
}

/** A handoff as a document: foldable sections, and links from each line to the messages it comes from. */
export function HandoffDocument({ lines, ...of }: LineProps & { readonly lines: readonly HandoffLine[] }): JSX.Element {
  const sections = useMemo(() => parseHandoff(lines), [lines]);
  return (
    <>
      {sections.map((section) => (
        <SectionView key={section.line} section={section} {...of} />
      ))}
    </>
  );
}

function SectionView({ section, ...of }: LineProps & { readonly section: Section }): JSX.Element {
  const { title, line, blocks } = section;
  const lines = blocks.reduce((sum, block) => sum + block.lines.length, 0);
  return (
    <details class="handoff-section" data-line={line} open>
      <summary>
        <span class="title">
          {title === null ? 'Beginning' : <LineText text={title} marks={rangesOf(title, of.query)} />}
        </span>{' '}
        <span class="soft">{formatCount(lines, 'line')}</span>
      </summary>
      {blocks.map((block) => (
        <BlockView key={block.lines[0]!.line} block={block} {...of} />
      ))}
    </details>
  );
}

function BlockView({ block: { kind, lines }, ...of }: LineProps & { readonly block: Block }): JSX.Element {
  const texts = lines.map((line) => <LineView key={line.line} line={line} kind={kind} {...of} />);
  return kind === 'list' ? <ul>{texts}</ul> : <div class={kind}>{texts}</div>;
}

function LineView({
  line: { line, text, from },
  kind,
  query,
  selected,
  onMessage,
}: LineProps & { readonly line: HandoffLine; readonly kind: Block['kind'] }): JSX.Element {
  const item = kind === 'list' ? readItem(text) : { text, depth: 0, mark: null };
  const about = {
    'data-line': line,
    class: from?.includes(selected) ? 'line of-selected' : 'line',
    dir: 'auto' as const,
    // Focused by script when a link leads here.
    tabIndex: -1,
  };
  const content = (
    <>
      {item.mark !== null && `${item.mark} `}
      <LineText text={item.text} marks={rangesOf(item.text, query)} />
      {from && <MessageLinks indices={from} onMessage={onMessage} />}
    </>
  );
  return kind === 'list' ? (
    <li {...about} data-depth={item.depth} data-numbered={item.mark !== null}>
      {content}
    </li>
  ) : (
    <div {...about}>{content}</div>
  );
}
