import { count, formatCount } from '@palimpsest/command-line/count';
import { wrapText } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import type { Colours } from '@palimpsest/command-line/terminal';
import type { LiveBlock } from '../blocks.ts';
import type { LiveConversation } from '../live-view.ts';
import { agoWords, clockTime, modeWords } from '../words.ts';
import type { FoundConversation, FoundView } from './proxies.ts';

/** What `palimpsest top` shows, and what its user does. */
export interface ScreenState {
  readonly view: FoundView;
  /** The id of the selected conversation. @default the most recently used one */
  readonly selected: string | null;
  /** The answer to the last key, or what a search found; `null` for none. */
  readonly said: string | null;
  /** What is typed to search for; `null` when nothing is. */
  readonly query: string | null;
}

/** Number of conversations, compactions and refusals that are listed. */
const maxConversations = 8;
const maxCompactions = 5;
const maxTroubles = 3;

const keys = 'c compact   u undo   p pause or resume   / search   up, down choose   q quit';

/** The conversation that keys act on. */
export function findSelected({ view: { conversations }, selected }: ScreenState): FoundConversation | undefined {
  return conversations.find(({ id }) => id === selected) ?? conversations[0];
}

/** The lines of the screen. @param hasKeys false for a pipe, which has no keyboard */
export function screen(state: ScreenState, columns: number, colours: Colours, hasKeys: boolean): string {
  const { view, said, query } = state;
  const wrap = (text: string): string => wrapText(text, columns);
  const chosen = findSelected(state);
  if (!chosen) return `${wrap(emptyWords(view.proxies))}\n`;
  const listed = view.conversations.slice(0, maxConversations);
  const list = listed.map((one) => {
    const line = `${one === chosen ? '>' : ' '} ${printable(listWords(one), columns - 2)}`;
    return one === chosen ? colours.bold(line) : line;
  });
  const more = view.conversations.length - listed.length;
  const blocks = [
    ...view.problems.map((problem) => colours.red(wrap(problem))),
    [...(listed.length > 1 ? list : []), ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'),
    detail(chosen, view.now, columns, colours),
    said === null
      ? ''
      : wrap(
          said
            .split('\n')
            .map((line) => printable(line, 2_000))
            .join('\n'),
        ),
    query === null ? '' : printable(`Search: ${query}_`, columns),
    hasKeys ? colours.dim(wrap(keys)) : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function emptyWords(proxies: number): string {
  return proxies === 0
    ? 'No proxy of this user is running. Start one: palimpsest run -- claude'
    : 'No conversation yet. Short requests without tools are passed on and not listed.';
}

function listWords({ title, sizes, compactions, mode }: FoundConversation): string {
  const { tokens = 0, windowTokens = 0 } = sizes.at(-1) ?? {};
  const size = windowTokens > 0 ? `${count(tokens)} of ${count(windowTokens)}` : count(tokens);
  return `${title}  ${size}  ${formatCount(compactions.length, 'compaction')}${mode === 'automatic' ? '' : `  ${mode}`}`;
}

/** One conversation: the same sentences as on the page. */
function detail(conversation: FoundConversation, now: number, columns: number, colours: Colours): string {
  const { title, id, mode, words, lastUsed, history, troubles, notice } = conversation;
  const wrap = (text: string): string => wrapText(text, columns);
  const newest = troubles
    .slice(0, maxTroubles)
    .map(({ at, words: what, times }) =>
      colours.red(wrap(`${clockTime(at)} ${what}${times > 1 ? ` (${times} times)` : ''}`)),
    );
  const compactions = history
    .slice(0, maxCompactions)
    .map(({ at, words: why, tokensBefore, tokensAfter }) =>
      wrap(`${clockTime(at)} ${count(tokensBefore)} -> ${count(tokensAfter)} tokens, ${why}`),
    );
  return [
    colours.bold(wrap(`${title} (${id.slice(0, 8)}), ${agoWords(lastUsed, now)}`)),
    wrap(words.saved.join(' ')),
    wrap(words.context),
    contextBar(conversation, columns, colours),
    ...(mode === 'automatic' ? [] : [colours.yellow(wrap(modeWords[mode]))]),
    ...(words.left === null ? [] : [wrap(words.left)]),
    ...compactions,
    ...newest,
    ...(notice ? [wrap(`${clockTime(notice.at)} ${notice.words}`)] : []),
  ].join('\n');
}

/** A letter, words and a colour for each kind of block. Letters tell them apart without colours. */
const looks: Readonly<
  Partial<Record<LiveBlock['look'], readonly [letter: string, words: string, colour: keyof Colours]>>
> = {
  system: ['i', 'instructions and tools', 'gray'],
  user: ['u', 'user', 'blue'],
  assistant: ['a', 'assistant', 'green'],
  tool: ['t', 'tool results', 'yellow'],
  rewritten: ['s', 'shortened results', 'cyan'],
  inserted: ['h', 'handoff', 'magenta'],
};

/** What the context holds, as wide as the window, with `|` at the next compaction; and what the letters mean. */
function contextBar(
  { now, sizes, compactsAt }: Pick<LiveConversation, 'now' | 'sizes' | 'compactsAt'>,
  columns: number,
  colours: Colours,
): string {
  const { tokens = 0, windowTokens = 0 } = sizes.at(-1) ?? {};
  const scale = Math.max(windowTokens, tokens, compactsAt ?? 0, 1);
  const width = columns - 2;
  const cells = Array.from({ length: width }, (_, at) => lookAt(now, ((at + 0.5) / width) * scale));
  const line = compactsAt === null ? -1 : Math.min(width - 1, Math.floor((compactsAt / scale) * width));
  const drawn = cells.map((look, at) => (at === line ? '|' : look ? paintLook(look, colours) : '.'));
  const seen = new Set(now.map(({ look }) => look));
  const legend = Object.entries(looks).flatMap(([look, [letter, words]]) =>
    seen.has(look as LiveBlock['look']) ? [`${letter} ${words}`] : [],
  );
  const next = line < 0 ? [] : ['| next compaction'];
  return `[${drawn.join('')}]\n${colours.dim(wrapText([...legend, ...next].join(', '), columns))}`;
}

/** The block at a place of the strip; `null` behind the last one. */
function lookAt(blocks: readonly LiveBlock[], place: number): LiveBlock['look'] | null {
  let end = 0;
  for (const { look, tokens } of blocks) {
    end += tokens;
    if (place < end) return look;
  }
  return null;
}

function paintLook(look: LiveBlock['look'], colours: Colours): string {
  const [letter, , colour] = looks[look] ?? ['?', '', 'gray' as const];
  const paint = colours[colour] as (text: string) => string;
  return paint(letter);
}
