import { count, counted } from '@palimpsest/command-line/count';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';

/** Names shown at once; the rest is folded. */
const shown = 6;
/** A listing may hold thousands. */
const most = 500;

/** Exact names of a message that are nowhere in the request. @param of how many the message has */
export function Names({ names, of }: { readonly names: readonly string[]; readonly of: number }): JSX.Element {
  const [first, rest] = [names.slice(0, shown), names.slice(shown, most)];
  return (
    <div class="names">
      <p>
        Lost {count(names.length)} of {counted(of, 'exact name')}:
      </p>
      <NameList names={first} />
      {rest.length > 0 && (
        <details>
          <summary>{count(names.length - shown)} more</summary>
          <NameList names={rest} />
          {names.length > most && <p class="soft">Only the first {count(most)} are shown.</p>}
        </details>
      )}
    </div>
  );
}

function NameList({ names }: { readonly names: readonly string[] }): JSX.Element {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <code dir="auto">{visibleText(name)}</code>
        </li>
      ))}
    </ul>
  );
}
