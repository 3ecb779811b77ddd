import { isToolResult } from '@palimpsest/core';
import { fillRoom, focusWords, isFailingLine, rankLines, readTurns, type TurnLine } from '@palimpsest/salience';
import type { SourceMessage } from '../source/gather-source.ts';

/**
 * Characters of a long tool result in a prompt: on average, and at most. Longer prompts tell a model more of what is in
 * files, but little of it fits into a summary.
 */
const usualLength = 2_000;
const longest = 6_000;
/** Numbers of lines that each long result keeps first: at its beginning and end, and those that report a failure. */
const endLines = 2;
const failureLines = 12;

/** The mark at omitted lines, and its length with a line break. */
const gapMark = '[...]';
const gapLength = 6;

/**
 * Shortens long tool results to the lines that are most likely needed again. The lines of all results compete for the
 * room, so a result whose names are used later keeps more than others. Linear time except for one sort of the lines.
 * @param focusTopic topic whose lines rank higher; `null` for none
 * @returns the shortened texts by position in the messages; results that stay whole are absent
 */
export function shortenResults(
  messages: readonly SourceMessage[],
  focusTopic: string | null,
): ReadonlyMap<number, string> {
  const linesOf = new Map<number, number[]>();
  messages.forEach(({ message }, at) => {
    const { content } = message;
    if (isToolResult(message) && typeof content === 'string' && content.length > usualLength) linesOf.set(at, []);
  });
  if (linesOf.size === 0) return new Map();
  const record = readTurns(
    messages.map(({ message }) => message),
    (at) => messages[at]!.real,
  );
  const { lines } = record;
  lines.forEach(({ at, kind }, index) => {
    if (kind === 'result' || kind === 'summary') linesOf.get(at)?.push(index);
  });
  const { scores } = rankLines(record, focusWords(focusTopic));
  const room = new LineRoom(lines, linesOf.size * usualLength);
  const results = [...linesOf.values()];
  for (const indices of results) for (const index of firstKept(lines, indices)) room.take(index);
  const order = results.flat().sort((a, b) => scores[b]! - scores[a]! || a - b);
  fillRoom(order, (index) => room.take(index));
  return new Map([...linesOf].map(([at, indices]) => [at, room.text(indices)]));
}

/** Returns the lines of a result that are kept before better ranked ones. */
function firstKept(lines: readonly TurnLine[], indices: readonly number[]): number[] {
  const failing = indices.filter((index) => isFailingLine(lines[index]!.text)).slice(0, failureLines);
  return [...indices.slice(0, endLines), ...indices.slice(-endLines), ...failing];
}

/** The room that the lines of all results share. */
class LineRoom {
  readonly #lines: readonly TurnLine[];
  readonly #kept: Uint8Array;
  /** Characters used, by position of the message. */
  readonly #used: Map<number, number> = new Map();
  #left: number;

  constructor(lines: readonly TurnLine[], characters: number) {
    this.#lines = lines;
    this.#kept = new Uint8Array(lines.length);
    this.#left = characters;
  }

  /** Keeps a line. @returns false if there is no room for it */
  take(index: number): boolean {
    if (this.#kept[index]) return true;
    const { at, text } = this.#lines[index]!;
    const neighbors = this.#keeps(index - 1, at) + this.#keeps(index + 1, at);
    const cost = text.length + 1 + (1 - neighbors) * gapLength;
    const used = (this.#used.get(at) ?? 0) + cost;
    if (cost > this.#left || used > longest) return false;
    this.#left -= cost;
    this.#used.set(at, used);
    this.#kept[index] = 1;
    return true;
  }

  /** The kept lines among `indices`, with a mark at each gap. */
  text(indices: readonly number[]): string {
    const texts: string[] = [];
    let isGap = false;
    for (const index of indices) {
      const { text, continues } = this.#lines[index]!;
      if (!this.#kept[index]) {
        if (!isGap) texts.push(gapMark);
        isGap = true;
      } else if (continues && !isGap && texts.length > 0) texts.push(texts.pop()! + text);
      else {
        texts.push(text);
        isGap = false;
      }
    }
    return texts.join('\n');
  }

  #keeps(index: number, at: number): number {
    return this.#lines[index]?.at === at ? this.#kept[index]! : 0;
  }
}
