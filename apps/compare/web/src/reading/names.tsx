import { count, counted } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import { Folded } from '../folded.tsx';

/** Names shown at once; the rest is folded. */
const shown = 6;
/** A listing may hold thousands. */
const most = 500;

/** Exact names of a message that are nowhere in the request. @param of how many the message has */
export function Names({ names, of }: { readonly names: readonly string[]; readonly of: number }): JSX.Element {
  return (
    <div class="names">
      <p>
        Lost {count(names.length)} of {counted(of, 'exact name')}
        {names.length > most && `, of which the first ${count(most)} are listed`}:
      </p>
      <Folded items={names.slice(0, most)} shown={shown}>
        {(some) => (
          <ul>
            {some.map((name) => (
              <li key={name}>
                <code dir="auto">{visibleText(name)}</code>
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </div>
  );
}
