import { oneLine } from '@palimpsest/pruner/salience';
import { withoutOuterTags } from '../rules/pasted-lines.ts';
import { cutText } from '../text/cut-text.ts';
import { sentenceEnds, withoutListMark } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';

// All lengths are in characters.
const longest = 300;
/** Minimum length of a conclusion; a shorter one is joined with the next sentence. */
const shortest = 60;
/** Maximum characters to read at the beginning of a text. */
const searched = 4_000;
/** Maximum number of lines to join: an introduction and its first items. */
const mostLines = 4;

/** Matches a line that is a heading, a horizontal rule, part of a table, or entirely bold. */
const headingLine: RegExp = /^\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|__[^_]+__:?|[-*_=]{3,}|\|.*)\s*$/;
const fence: RegExp = /^\s*(?:```|~~~)/;

/** Matches a sentence without content of its own: praise, an announcement, "Done!", "Here is a summary:". */
const emptySentence = wordExpression(
  [
    String.raw`^(?:[^\p{L}]*(?:(?:all )?done|great|perfect|excellent|good|nice|sure|certainly|of course|absolutely|got it|understood|okay|ok|fixed|updated|thanks|thank you|exactly|right|yes|no|you(?:'|\u2019)re (?:absolutely )?(?:right|welcome)|(?:that'?s |that\u2019s )?(?:a )?(?:really |very )?(?:good|great|excellent|fair|interesting) (?:question|point|catch|idea|call|thinking|progress|observation|news)|no response requested|fertig|erledigt|gute frage|c['\u2019]est fait|bien s\u00fbr|parfait|listo|hecho|claro|perfecto|feito|pronto|fatto|certo|klaar|klart|gotowe|\u0433\u043e\u0442\u043e\u0432\u043e|\u043a\u043e\u043d\u0435\u0447\u043d\u043e|\u5b8c\u4e86(?:\u3057\u307e\u3057\u305f)?|\u627f\u77e5\u3057\u307e\u3057\u305f|\u5b8c\u6210(?:\u4e86)?|\u597d\u7684|\u5f53\u7136|\uc54c\uaca0\uc2b5\ub2c8\ub2e4|\uc644\ub8cc(?:\ud588\uc2b5\ub2c8\ub2e4)?)(?!\p{L}))+[^\p{L}\p{N}]*$`,
    String.raw`^[^\p{L}]*(?:now[,]? )?(?:let me|let['\u2019]s|i['\u2019]ll|i will|i['\u2019]m going to|i am going to|now i|next,? i|first,? i['\u2019]ll|ich werde|je vais|voy a|vou|ik ga|\u0441\u0435\u0439\u0447\u0430\u0441 \u044f)(?!\p{L})[^.!?]*[.!:\u2026]*$`,
    String.raw`^[^\p{L}]*(?:(?:based|according) [^,]{1,60}, ?)?(?:here(?:['\u2019]s| is| are| was)|below (?:is|are)|this is|the following|in summary|to summarize|(?:final |implementation |quick )?summary|(?:the |main |key )?changes(?: made)?|overview|what (?:i|we|was) (?:did|changed|done)|zusammenfassung|hier (?:ist|sind)|voici|r\u00e9sum\u00e9|aqu\u00ed (?:est\u00e1|tiene)|resumen|ecco|resumo|samenvatting)(?!\p{L})[^.!?]{0,40}[:.]\**$`,
    String.raw`^\W*https?:\S+$`,
  ].join('|'),
);

/**
 * Returns the first one or two sentences with content in an agent's text, verbatim on one line, at most 300 characters.
 * Skips headings, code, quotations, praise, announcements and "Done!", unless the text has nothing else.
 */
export function firstContent(text: string): string {
  const lines = proseLines(text);
  const parts: string[] = [];
  let length = 0;
  for (const line of lines) {
    const part = contentOfLine(line, longest - length);
    if (part === '') continue;
    parts.push(part);
    length += part.length + 1;
    // Text after a colon belongs to the sentence before it.
    if ((length > shortest && !/[:\uff1a]\**$/.test(part)) || parts.length >= mostLines || length >= longest - shortest)
      break;
  }
  if (parts.length > 0) return parts.join(' ');
  return cutText(lines.find((line) => !/^no response requested/i.test(line)) ?? '', shortest, longest);
}

/** Returns the lines of prose in order, without list marks. */
function proseLines(text: string): string[] {
  const found: string[] = [];
  let inFence = false;
  let inThought = false;
  for (const written of text.trimStart().slice(0, searched).split('\n')) {
    if (fence.test(written)) inFence = !inFence;
    else if (/^\s*<think(?:ing)?>/.test(written)) inThought = true;
    if (inThought) {
      if (/<\/think(?:ing)?>\s*$/.test(written)) inThought = false;
      continue;
    }
    if (inFence || fence.test(written) || headingLine.test(written) || /^\s*>/.test(written)) continue;
    const line = withoutListMark(withoutOuterTags(oneLine(written))).trim();
    if (/[A-Za-z\u00aa-\uffff]/.test(line)) found.push(line);
  }
  return found;
}

/**
 * Returns up to two sentences of a line, from the first one with content, including a short answer such as "Done."
 * before it.
 */
function contentOfLine(line: string, room: number): string {
  const read = line.slice(0, 2 * longest);
  const ends = sentenceEnds(read);
  const starts = [0, ...ends.slice(0, -1)];
  const first = ends.findIndex((end, at) => !emptySentence.test(read.slice(starts[at], end).trim().toLowerCase()));
  if (first < 0) return '';
  // "Yes." and "Fixed." add to the next sentence; an announcement does not.
  const from = read.slice(0, starts[first]).trim().length <= 24 ? 0 : starts[first]!;
  const isLong = ends[first]! - from >= shortest;
  const end = isLong || first + 1 >= ends.length ? ends[first]! : ends[first + 1]!;
  return cutText(read.slice(from, end).trim(), 1, Math.max(1, room));
}
