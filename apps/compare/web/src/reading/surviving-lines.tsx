import { count } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { Folded } from '../folded.tsx';
import { LineText } from '../handoff/line-text.tsx';
import type { SurvivingLine } from '../worker/request-reading.ts';

/** Lines shown at once; the rest is folded. */
const shown = 4;

interface SurvivingLinesProps {
  readonly lines: readonly SurvivingLine[];
  onLine(line: SurvivingLine): void;
}

/** The lines of the handoff that come from a message, with its own words highlighted. Each leads to the handoff. */
export function SurvivingLines({ lines, onLine }: SurvivingLinesProps): JSX.Element | null {
  if (lines.length === 0) return null;
  const list = (some: readonly SurvivingLine[]): JSX.Element => (
    <ul class="surviving">
      {some.map((line) => (
        <li key={`${line.handoff} ${line.line}`}>
          <button type="button" onClick={() => onLine(line)}>
            {line.section !== null && <span class="soft">{visibleText(line.section)}</span>}
            <span class="line" dir="auto">
              <LineText text={line.text} marks={line.own} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <div>
      <p class="soft">{lines.length === 1 ? 'In the handoff:' : `In the handoff, ${count(lines.length)} lines:`}</p>
      <Folded items={lines} shown={shown}>
        {list}
      </Folded>
    </div>
  );
}
