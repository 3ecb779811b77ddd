import { count, formatCount } from '@palimpsest/command-line/count';
import { dollars } from 'palimpsest/printing/dollars';
import { largestPrompt, overWindow } from 'palimpsest/replay/replay-figures';
import type { JSX } from 'preact';
import { Scrolling } from '../scrolling.tsx';
import type { PricedReplay } from './priced-replay.ts';

interface ReplayTableProps {
  readonly replays: readonly PricedReplay[];
  readonly turn: number;
  readonly windowTokens: number;
}

/** The figures behind the charts: at the selected request, and for the whole session. */
export function ReplayTable({ replays, turn, windowTokens }: ReplayTableProps): JSX.Element {
  const headings = [
    'prompt',
    'cost so far',
    'largest prompt',
    'compactions',
    'over the window',
    'tokens sent',
    'cost, no cache',
    'cost, cached',
  ];
  return (
    <Scrolling label="Figures of the replay" className="wide">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={2}>
              {`at request ${count(turn + 1)}`}
            </th>
            <th scope="colgroup" colSpan={headings.length - 2}>
              in the whole session
            </th>
          </tr>
          <tr>
            <th scope="col">session</th>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {replays.map(({ name, colour, replay, cost }) => {
            const over = overWindow(replay, windowTokens);
            return (
              <tr key={name} data-replay={name}>
                <th scope="row">
                  <span class={`swatch ${colour}`} aria-hidden="true" />
                  {name}
                </th>
                <td>{count(replay.sent[turn] ?? 0)}</td>
                <td>{dollars(cost.cached[turn] ?? 0)}</td>
                <td>{count(largestPrompt(replay))}</td>
                <td>{count(replay.compactions.length)}</td>
                <td class={over > 0 ? 'bad' : ''}>{over === 0 ? 'never' : formatCount(over, 'request')}</td>
                <td>{count(replay.sent.reduce((sum, tokens) => sum + tokens, 0))}</td>
                <td>{dollars(cost.uncached.at(-1) ?? 0)}</td>
                <td>{dollars(cost.cached.at(-1) ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrolling>
  );
}
