import type { NameBounds } from './name.ts';
import { closingQuote } from './place.ts';
import type { Source } from './source.ts';
import { matchAt, startsAt } from './sticky.ts';

export interface ListItem {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** A list is followed this far. */
const LONGEST_LIST = 8192;
const OPENS = /(?:\\{0,15}["'`])?[ \t]{0,8}(?:=>|:=|[:=])\s{0,40}[[({]/y;
const QUOTED_ITEM = /,?(?:\s|\\{1,15}[rnt]){0,80}(\\{0,15})["'`]/y;
const OPENS_BLOCK = /["']?[ \t]{0,8}:[ \t]{0,8}(?=(?:\r?\n|\\{1,8}n)[ \t]{0,80}- )/y;
const BLOCK_ITEM =
  /(?:\r?\n|\\{1,8}n)[ \t]{0,80}-[ \t]{1,8}(\\{0,15}["']|)([^\s"'\\#:]{3,512})\1[ \t]{0,8}(?=\r?\n|\\{1,8}n|["']|$)/y;

/** The items of the list that is the value of a name: quoted ones in brackets, any on lines that begin with a dash. */
export function listItems(source: Source, name: NameBounds): ListItem[] {
  const { text } = source;
  // What stands in a list already read is not read again.
  // Behind most names stands something else.
  if (!' \t:="\'\\'.includes(text.charAt(name.end)) || name.start < (source.searched.get('list') ?? 0)) return [];
  const items: ListItem[] = [];
  let at = name.end;
  if (startsAt(OPENS, text, name.end)) {
    at = OPENS.lastIndex;
    for (let item = matchAt(QUOTED_ITEM, text, at); item; item = matchAt(QUOTED_ITEM, text, at)) {
      const start = QUOTED_ITEM.lastIndex;
      const depth = item[1]!.length;
      const end = closingQuote(source, start, depth);
      if (end < 0 || end > name.end + LONGEST_LIST) break;
      at = end + depth + 1;
      items.push({ start, end, isQuoted: true });
      // What is followed by a colon was a name.
      if (text[at] === ':' || text[at] === '=') return [];
    }
  } else if (startsAt(OPENS_BLOCK, text, name.end)) {
    at = OPENS_BLOCK.lastIndex;
    for (let item = matchAt(BLOCK_ITEM, text, at); item; item = matchAt(BLOCK_ITEM, text, at)) {
      const end = at + item[0].trimEnd().length - item[1]!.length;
      items.push({ start: end - item[2]!.length, end, isQuoted: item[1] !== '' });
      at = BLOCK_ITEM.lastIndex;
      if (at > name.end + LONGEST_LIST) break;
    }
  }
  source.searched.set('list', at);
  return items;
}
