import { isWord } from '../scan/characters.ts';
import type { SearchState } from '../scan/search-state.ts';
import { matchAt, startsAt } from '../scan/sticky.ts';
import { closingQuote } from './find-value.ts';
import type { NameBounds } from './secret-name.ts';

export interface ListItem {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** Lists are read up to this many characters after the name. */
const maxListLength = 8192;
const opens = /(?:\\{0,15}["'`])?[ \t]{0,8}(?:=>|:=|[:=])\s{0,40}[[({]/y;
const quotedItem = /,?(?:\s|\\{1,15}[rnt]){0,80}(\\{0,15})["'`]/y;
const opensBlock = /["']?[ \t]{0,8}:[ \t]{0,8}(?=(?:\r?\n|\\{1,8}n)[ \t]{0,80}- )/y;
const blockItem =
  /(?:\r?\n|\\{1,8}n)[ \t]{0,80}-[ \t]{1,8}(\\{0,15}["']|)([^\s"'\\#:]{3,512})\1[ \t]{0,8}(?=\r?\n|\\{1,8}n|["']|$)/y;

/** Items of the list assigned to a name: quoted items in brackets, or any items on lines that begin with a dash. */
export function readListItems(state: SearchState, name: NameBounds): ListItem[] {
  const { text } = state;
  // Skips names in a list that was already read, and (as a quick test) names that no list can follow: most are words
  // in a sentence.
  if (text.charCodeAt(name.end) === 32 && isWord(text.charCodeAt(name.end + 1))) return [];
  if (!' \t:="\'\\'.includes(text.charAt(name.end)) || name.start < (state.searched.get('list') ?? 0)) return [];
  const items: ListItem[] = [];
  let at = name.end;
  if (startsAt(opens, text, name.end)) {
    at = opens.lastIndex;
    for (let item = matchAt(quotedItem, text, at); item; item = matchAt(quotedItem, text, at)) {
      const start = quotedItem.lastIndex;
      const depth = item[1]!.length;
      const end = closingQuote(state, start, depth);
      if (end < 0 || end > name.end + maxListLength) break;
      at = end + depth + 1;
      items.push({ start, end, isQuoted: true });
      // An item followed by `:` or `=` is a name, not a value.
      if (text[at] === ':' || text[at] === '=') return [];
    }
  } else if (startsAt(opensBlock, text, name.end)) {
    at = opensBlock.lastIndex;
    for (let item = matchAt(blockItem, text, at); item; item = matchAt(blockItem, text, at)) {
      const end = at + item[0].trimEnd().length - item[1]!.length;
      items.push({ start: end - item[2]!.length, end, isQuoted: item[1] !== '' });
      at = blockItem.lastIndex;
      if (at > name.end + maxListLength) break;
    }
  }
  state.searched.set('list', at);
  return items;
}
