/** Matches the number of a line in a listing, as file readers print it: `  12→`, `12<tab>`, `12|`, `12: `. */
const listed: RegExp = /^\s{0,8}(\d{1,7})(?:\u2192|\t|\||: ?)/;

/** The number of a line in a listing, and where the line itself starts. */
export interface ListedLine {
  readonly number: number;
  /** Length in characters of the number and its separator. */
  readonly gutter: number;
}

/**
 * Finds numbered lines of a listing. Each must be next to a line with the neighboring number, so that search matches
 * and times of day do not count.
 * @returns one entry per line; `null` for a line without a number
 */
export function listedLines(lines: readonly string[]): readonly (ListedLine | null)[] {
  const found = lines.map((line): ListedLine | null => {
    const match = listed.exec(line);
    return match && { number: Number(match[1]), gutter: match[0].length };
  });
  return found.map((line, at) => {
    if (!line) return null;
    const joined = found[at - 1]?.number === line.number - 1 || found[at + 1]?.number === line.number + 1;
    return joined ? line : null;
  });
}
