import { wrapText } from '@palimpsest/command-line/plain-table';
import type { Colours } from '@palimpsest/command-line/terminal';
import type { LiveBlock } from '../blocks.ts';
import type { LiveConversation } from '../live-view.ts';

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
export function contextBar(
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
