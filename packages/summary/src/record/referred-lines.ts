import type { TurnLines } from '@palimpsest/pruner/salience';
import type { UserWords } from '../work-record/requests/user-words.ts';

/** Longer requests explain what they mean, in characters. */
const longestRequest = 400;
/** A request refers to at most this many items. */
const mostItems = 12;
/** Lines below an item that belong to it. */
const mostDetails = 12;
/** How many of the agent's messages before a request are searched. */
const mostMessages = 40;

/**
 * Words before the number or letter of a list item: English, German, French, Spanish, Italian, Portuguese, Russian,
 * Chinese and Japanese. In other languages, a reference is found by `#2`, or if the whole request is `2 and 4` or `B`.
 */
const itemWords = [
  'option|variant|choice|plan|approach|alternative|item|point|number|no|nr|num|step|issue|idea|question|task|phase|part|suggestion',
  'punkt|schritt|numéro|opción|opção|punto|ponto|пункт[а-я]{0,2}|вариант[а-я]{0,2}',
].join('|');
/** A word's edge. `\b` knows only the letters of English. */
const [wordStart, wordEnd] = ['(?<![\\w\u0400-\u04ff])', '(?![\\w\u0400-\u04ff])'] as const;
/** A number or a letter in a list of them. A longer number, or one in a telephone number, is not an item. */
const [firstName, nextName] = [String.raw`(?:\d{1,2}(?![\d-])|[A-H]\b)`, String.raw`(?:\d{1,2}\b|[A-H]\b)`] as const;
const between = String.raw`(?:,|、|&|\+|\/|\bund\b|\band\b|\bor\b|\bet\b|\by\b|\be\b|и|\bthen\b)`;

/**
 * Matches a reference to items of a list, such as `#2`, `option B`, `points 2, 4 and 5`, `Nr. 3` or `第2`, but not to an image, a
 * pull request or a telephone number.
 */
const named: RegExp = /* @__PURE__ */ new RegExp(
  String.raw`(?:(?<!\b(?:image|picture|screenshot|figure|pr|request)\s{0,2})#|${wordStart}(?:${itemWords})s?${wordEnd}\.?|第|番号)` +
    String.raw`\s*#?(${firstName}(?:\s*${between}\s*(?:and\s|or\s)?#?${nextName})*)`,
  'giu',
);
/** Matches a whole request that is nothing but numbers or a letter: `2`, `1, 3 and 4`, `B`, `yes, 2`. */
const bare: RegExp =
  /^(?:(?:do|let's do|go with|yes|ok|okay|please|just|only|first|start with)[\s,:]+)*((?:\d{1,2}|[A-H]\b)(?:\s*(?:,|、|&|\+|\/|and|or|then)\s*(?:\d{1,2}\b|[A-H]\b))*)[.!。]?(?:\s(?:please|first|only))?$/iu;
/** Maximum length of a request that answers the questions of a list one by one, in characters. */
const longestAnswers = 1_000;
/** Matches a line of a request that answers an item by its number or letter: `3. yup`, `B) later`. */
const answer: RegExp = /^\s{0,8}(?:\*\*)?#?(\d{1,2}|[A-H])(?:\*\*)?\s?[.):](?:\*\*)?\s+\S/iu;
/** The question at the end of the agent's text is in one of this many lines. */
const lastLines = 4;
/** Matches the number or letter at the beginning of a list item. */
const item: RegExp =
  /^\s{0,12}(?:[-*>#|]+\s{1,4})?(?:\*\*)?(?:(?:option|variant|plan|approach|item|point|step|issue|idea|question|task|phase|part)\s{1,2})?#?(\d{1,2}|[A-H])(?:\*\*)?\s?[.):|、．：-]/iu;
/** Matches a heading, which ends an item. */
const heading: RegExp = /^\s{0,3}(?:#{1,6}\s|-{3,}|\*\*[^*]{1,80}\*\*:?\s*$)/;

/**
 * Returns the lines of the agent's earlier answers that the open requests name by a number or a letter, as in "Do #2 and
 * #4", or answer one by one, as in "1. both". Without them, the request cannot be understood. If several lists have all
 * the items, the newest one counts.
 * @returns indices of lines, in order. Linear time
 */
export function referredLines({ lines }: TurnLines, requests: readonly UserWords[]): number[] {
  const found = new Set<number>();
  for (const { index, text } of requests) {
    const answered = answeredIn(text);
    const wanted = namesIn(text);
    if (answered.size === 0 && wanted.size === 0) continue;
    const before = lines.findLastIndex(({ at, kind }) => at < index && kind === 'agent');
    const isAnswer = answered.size > 0 && asks(lines, before);
    const items = isAnswer ? listWith(answered, lines, before, 1) : listWith(wanted, lines, before, mostMessages);
    for (const line of items) found.add(line);
  }
  return [...found].sort((one, other) => one - other);
}

/** True for a request that names items of a list, or may answer them one by one. */
export function namesItems({ text }: UserWords): boolean {
  return namesIn(text).size > 0 || answeredIn(text).size > 0;
}

/** The numbers and letters of a request in which every line has one. They may be answers, or a list of new requests. */
function answeredIn(text: string): ReadonlySet<string> {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (text.length > longestAnswers || lines.length > mostItems) return new Set();
  const names = lines.flatMap((line) => answer.exec(line)?.[1]?.toUpperCase() ?? []);
  return new Set(names.length === lines.length ? names : []);
}

/** True if the agent's text that ends at a line asks something at its end. */
function asks(lines: TurnLines['lines'], last: number): boolean {
  const end = lines.slice(Math.max(0, last - lastLines + 1), last + 1);
  return end.some(({ at, kind, text }) => at === lines[last]!.at && kind === 'agent' && /[?\uff1f\u061f]/.test(text));
}

/** The numbers and letters of list items that a request names. */
function namesIn(text: string): ReadonlySet<string> {
  const request = text.trim();
  if (request.length > longestRequest) return new Set();
  const whole = bare.exec(request)?.[1];
  const parts = whole === undefined ? [...request.matchAll(named)].map(([, list]) => list!) : [whole];
  const names = parts.flatMap((part) => part.match(/\d{1,2}|\b[A-H]\b/gi) ?? []).map((name) => name.toUpperCase());
  return names.length > mostItems ? new Set() : new Set(names);
}

/** Searches backwards for a list that has all names, in at most `most` of the agent's messages. */
function listWith(wanted: ReadonlySet<string>, lines: TurnLines['lines'], before: number, most: number): number[] {
  let items = new Map<string, number>();
  let following = Number.POSITIVE_INFINITY;
  let messages = 0;
  for (let index = before, at = -1; index >= 0; index--) {
    const line = lines[index]!;
    if (line.kind !== 'agent') continue;
    if (line.at !== at) {
      at = line.at;
      items = new Map();
      following = Number.POSITIVE_INFINITY;
      if (++messages > most) return [];
    }
    const name = item.exec(line.text)?.[1]?.toUpperCase();
    if (name === undefined) continue;
    const place = /\d/.test(name) ? Number(name) : name.charCodeAt(0) - 64;
    // Numbers that do not fall towards the beginning belong to another list.
    if (place >= following) items = new Map();
    following = place;
    if (!wanted.has(name)) continue;
    items.set(name, index);
    if (items.size === wanted.size) return [...items.values()].flatMap((from) => wholeItem(lines, from));
  }
  return [];
}

/** An item and the lines below it that belong to it. */
function wholeItem(lines: TurnLines['lines'], from: number): number[] {
  const whole = [from];
  for (let index = from + 1; whole.length <= mostDetails; index++) {
    const line = lines[index];
    if (line?.at !== lines[from]!.at || line.kind !== 'agent' || item.test(line.text) || heading.test(line.text)) break;
    whole.push(index);
  }
  return whole;
}
