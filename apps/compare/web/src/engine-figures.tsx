import { count } from '@palimpsest/command-line/count';
import { type EngineRow, isBroken } from 'palimpsest/comparison/run-engine';
import type { JSX } from 'preact';
import type { TermName } from './definitions.ts';
import { Scrolling } from './scrolling.tsx';
import { Term } from './term.tsx';

interface Figure {
  readonly name: string;
  readonly term?: TermName;
  value(row: EngineRow): string;
  isBad?(row: EngineRow): boolean;
}

const figures: readonly Figure[] = [
  {
    name: 'threshold',
    term: 'threshold',
    value: (row) => `${count(row.thresholdTokens)}${row.reachedThreshold ? '' : ' (not reached)'}`,
  },
  { name: 'fits the window', value: (row) => (row.fitsWindow ? 'yes' : 'NO'), isBad: (row) => !row.fitsWindow },
  { name: 'messages', value: (row) => `${count(row.messagesBefore)} → ${count(row.messagesAfter)}` },
  { name: 'last phase', value: (row) => row.phaseThatWasEnough ?? row.outcome },
  { name: 'model calls', value: (row) => count(row.modelCalls) },
  {
    name: 'request',
    value: (row) => (row.lastRequestKept === null ? 'none' : row.lastRequestKept ? 'kept' : 'LOST'),
    isBad: (row) => row.lastRequestKept === false,
  },
  { name: 'user messages', value: (row) => shareOf(row.kept.userMessages) },
  { name: 'changed files', value: (row) => shareOf(row.kept.changedFiles) },
  { name: 'exact names', term: 'exact names', value: (row) => shareOf(row.kept.anchors) },
  {
    name: 'violations',
    term: 'violations',
    value: (row) => count(row.wireViolations),
    isBad: (row) => row.wireViolations > 0,
  },
  {
    name: 'time of the engine',
    value: ({ milliseconds }) => `${milliseconds < 10 ? milliseconds.toFixed(1) : count(milliseconds)} ms`,
  },
];

/** The figures of all engines at the last request, side by side. Open if something is wrong. */
export function EngineFigures({ rows }: { readonly rows: readonly EngineRow[] }): JSX.Element {
  return (
    <details class="more" open={rows.some((row) => isBroken(row) || !row.fitsWindow)}>
      <summary>Figures of the last request</summary>
      <Scrolling label="Figures of the last request" className="wide">
        <table>
          <thead>
            <tr>
              <td />
              {rows.map(({ engine }) => (
                <th key={engine} scope="col">
                  {engine}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map(({ name, term, value, isBad }) => (
              <tr key={name} data-figure={name}>
                <th scope="row">{term ? <Term name={term}>{name}</Term> : name}</th>
                {rows.map((row) => (
                  <td key={row.engine} data-of={row.engine} class={isBad?.(row) ? 'bad' : ''}>
                    {value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </details>
  );
}

function shareOf({ kept, of }: { readonly kept: number; readonly of: number }): string {
  return of === 0 ? 'none' : `${count(kept)} of ${count(of)}`;
}
