/** The lines of an output that are searched for a verdict. */
export interface OutputLines {
  /** Trimmed lines without escape sequences, progress and blank lines. */
  readonly lines: readonly string[];
  /** False if the middle is missing, because the output is too long or was already cut. */
  readonly whole: boolean;
}

/** Maximum characters to read at each end of an output. Tools print names and counts of failures at the end. */
const maxReach = 4_000;
/** Maximum characters to read at the beginning of a line. */
const maxLineLength = 1_000;

const escapes =
  /\u001b(?:\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,300}(?:\u0007|\u001b\\)|[()][A-Z0-9]|[=>78cM])/g;
/** Matches the mark that harnesses and agents put where they cut an output. */
const cutMark =
  /^(?:\W{0,6}(?:\d[\d,.]* ?[kK]?B? ?(?:lines|characters|chars|bytes|tokens) (?:truncated|omitted|elided|skipped|removed)|(?:output |content |response )?(?:truncated|omitted)\b)|\.{3,} ?[([]?truncated|<truncated|<persisted-output>|output too large\b|\[\.{3}\])/i;

/** Reads the lines at both ends of an output. Linear in the text that is read. */
export function outputLines(output: string): OutputLines {
  const whole = output.length <= 2 * maxReach;
  const parts = whole
    ? [output]
    : [withoutLastLine(output.slice(0, maxReach)), withoutFirstLine(output.slice(-maxReach))];
  const lines = parts.flatMap((part) => part.split('\n').map(plainLine)).filter((line) => line !== '');
  return { lines, whole: whole && !lines.some((line) => cutMark.test(line)) };
}

function plainLine(line: string): string {
  const plain = (line.includes('\u001b') ? line.replace(escapes, '') : line).trim();
  // A carriage return restarts the line: a terminal shows only the text after the last one.
  return plain
    .slice(plain.lastIndexOf('\r') + 1)
    .slice(0, maxLineLength)
    .trim();
}

function withoutLastLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

function withoutFirstLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}
