import { comparisonColumns, headingOf } from 'palimpsest/comparison/comparison-columns';
import { type EngineRow, isBroken } from 'palimpsest/comparison/run-engine';
import type { JSX } from 'preact';
import type { TermName } from './definitions.ts';
import { Scrolling } from './scrolling.tsx';
import { Term } from './term.tsx';

/** The columns of `compare`, without the engine itself and the replay, which has a table of its own. */
const [, ...figures] = comparisonColumns.filter(({ ofReplay }) => !ofReplay);

const terms: Readonly<Record<string, TermName>> = {
  threshold: 'threshold',
  'exact names': 'exact names',
  'wire violations': 'violations',
};

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
            {figures.map((figure) => {
              const name = headingOf(figure);
              const term = terms[name];
              return (
                <tr key={name} data-figure={name}>
                  <th scope="row">{term ? <Term name={term}>{name}</Term> : name}</th>
                  {rows.map((row) => {
                    const compared = { ...row, replay: null };
                    return (
                      <td key={row.engine} data-of={row.engine} class={figure.isBad?.(compared) ? 'bad' : ''}>
                        {figure.cell(compared)}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolling>
    </details>
  );
}
