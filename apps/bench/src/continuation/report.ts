import type { Half } from '../fidelity/index.ts';
import { markdownTable } from '../markdown-table.ts';
import { type Measures, meanOf, measureNames, sharesOf, type ToldPoint } from './measure-told.ts';
import { sessionKinds } from './session-kind.ts';
import type { Size } from './ways.ts';

const titles: Readonly<Record<keyof Measures, string>> = {
  files: 'files changed',
  userLog: 'user log',
  verdicts: 'last verdicts',
  conclusions: 'conclusions',
  todos: 'open todos',
  facts: 'facts',
  verbatim: 'verbatim',
};
const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(0));
const sizeName = (size: Size): string => (size === null ? 'defaults' : `${size * 100} %`);
const cells = (shares: Measures): string[] => measureNames.map((name) => percent(shares[name]));
const heading = (first: string, ...more: string[]): string[] => [
  first,
  ...more,
  ...measureNames.map((name) => titles[name]),
];
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Formats the main table of one half: every method at every size. */
export function halfTable(points: readonly ToldPoint[], half: Half): string {
  const own = points.filter(({ cut }) => cut.half === half);
  const rows = unique(own.map(({ size }) => size)).flatMap((size) =>
    unique(own.filter((point) => point.size === size).map(({ way }) => way)).map((way) => {
      const some = own.filter((point) => point.way === way && point.size === size);
      return [`${way}, ${sizeName(size)}`, percent(meanOf(some.map(({ used }) => used))), ...cells(sharesOf(some))];
    }),
  );
  return markdownTable(heading(`${half} half, %`, 'tokens used'), rows);
}

/** Formats one row per kind of session, over both halves. */
export function kindTable(points: readonly ToldPoint[], way: string, size: Size): string {
  const own = points.filter((point) => point.way === way && point.size === size);
  const rows = Object.keys(sessionKinds).flatMap((kind) => {
    const some = own.filter(({ cut }) => cut.kind === kind);
    const sessions = new Set(some.map(({ cut }) => cut.name)).size;
    return some.length === 0 ? [] : [[kind, String(sessions), String(some.length), ...cells(sharesOf(some))]];
  });
  return markdownTable(heading(`${way}, ${sizeName(size)}, %`, 'sessions', 'cuts'), rows);
}

/** For each measure, the lowest value with one family left out, and that family. */
function leaveOneOut(
  points: readonly ToldPoint[],
  way: string,
  size: Size,
): Map<keyof Measures, { value: number; without: string }> {
  const own = points.filter((point) => point.way === way && point.size === size);
  const lowest = new Map<keyof Measures, { value: number; without: string }>();
  for (const family of unique(own.map(({ cut }) => cut.family))) {
    const shares = sharesOf(own.filter(({ cut }) => cut.family !== family));
    for (const name of measureNames)
      if (!(shares[name] >= (lowest.get(name)?.value ?? Number.POSITIVE_INFINITY)) && !Number.isNaN(shares[name]))
        lowest.set(name, { value: shares[name], without: family });
  }
  return lowest;
}

export function leaveOneOutTable(
  points: readonly ToldPoint[],
  ways: readonly string[],
  sizes: readonly Size[],
): string {
  const rows = ways.flatMap((way) =>
    sizes.map((size) => {
      const lowest = leaveOneOut(points, way, size);
      return [
        `${way}, ${sizeName(size)}`,
        ...measureNames.map((name) => {
          const one = lowest.get(name);
          return one ? `${percent(one.value)} (${one.without})` : 'n/a';
        }),
      ];
    }),
  );
  return markdownTable(heading('lowest value, %'), rows);
}

export const kindDefinitions = (): string =>
  `Kinds of sessions, the first that fits: ${Object.entries(sessionKinds)
    .map(([kind, definition]) => `*${kind}*: ${definition}`)
    .join('; ')}.`;

export const method = `Share of what an agent must know to continue that an output still tells, of what stood in the messages before a cut. The whole output counts: handoff, excerpts, stubs, kept messages. Read these measures together with facts and verbatim (what the agent needed later), which are measured on the same outputs. A value is the share of all items over all cuts, so that long sessions count by what they hold; facts and verbatim are means over cuts, as in the fidelity section.

- *Files changed*: files that tools or shell commands changed, found by readers of the bench's own, not those of the engines. Told if a kept call changes the path, or if a line names the path (at least its last two segments) within 120 characters of a word such as "edited" or "deleted", or under a heading with such a word. A bare list of paths tells nothing. Not seen: files changed by scripts and generators, log files and files in temporary folders; a path that is abbreviated, or a folder with a count.
- *User log*: the first 80 characters of each message that a person wrote, without duplicates. Messages of up to 23 characters must stand alone. Not seen: paraphrases; what a long message says after its beginning.
- *Last verdicts*: of each command family (\`cargo test\`, \`git push\`), a line of its last result that says passed or failed, whole or its first 120 characters; for a failure also the name of a failed test beside a word that says so. Not seen: "all tests pass" in other words; commands that print nothing; whether an output also quotes an outdated verdict.
- *Conclusions*: the first sentence, up to 120 characters, of what the agent told the user at the end of each turn, without Markdown marks. Not seen: paraphrases, later sentences.
- *Open todos*: the unfinished items of the last todo list that a tool wrote, the first 80 characters of each. Not seen: plans in prose.

Who wrote a user message is decided by the reader of \`@palimpsest/agents\`, as in the other sections.`;
