import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { Scrolling } from '../scrolling.tsx';
import type { Change } from '../worker/text-changes.ts';

/** The differences of a shortened message: what was removed, and what was added. */
export function Changes({
  changes,
  label,
}: {
  readonly changes: readonly Change[];
  readonly label: string;
}): JSX.Element {
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
