/** A half-open range of characters. */
export type Range = readonly [from: number, to: number];

const word: RegExp = /[\p{L}\p{N}_]+/gu;
/** A single common word is chance; a long one, or two in a row, are not. */
const minRunLength = 5;
/** Text beyond this length is not searched. */
const maxTextLength = 200_000;
const maxWords = 400;

/** Returns a function that finds which parts of a line also appear in `text`, with the words in the same order. */
export function findSharedWords(text: string): (line: string) => readonly Range[] {
  const words = ` ${[...text.slice(0, maxTextLength).matchAll(word)].join(' ').toLowerCase()} `;
  return (line) => {
    const found = [...line.matchAll(word)].slice(0, maxWords);
    const ranges: Range[] = [];
    for (let first = 0; first < found.length; ) {
      let run = ' ';
      let next = first;
      for (; next < found.length; next++) {
        const longer = `${run}${found[next]![0].toLowerCase()} `;
        if (!words.includes(longer)) break;
        run = longer;
      }
      if (run.trim().length >= minRunLength) ranges.push([found[first]!.index, endOf(found[next - 1]!)]);
      first = Math.max(next, first + 1);
    }
    return ranges;
  };
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length;
}
