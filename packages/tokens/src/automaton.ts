import { digit, kindColumns, lower, mark, newline, script, space, unspaced, upper } from './character-class.ts';

/**
 * Longest position in a run that is told apart, by kind; a run stays in its last position (digits go round in threes,
 * as tokens do).
 */
const longest = [2, 12, 5, 3, 8, 3, 3, 4];
const longestInScript = 5;
/** The same for scripts that do not write words apart, and for signs. */
const longestUnspaced = 3;
/** Positions told apart once letters, cases and digits have alternated: such runs are short. */
const longestMixed = 5;

/**
 * The state of a text being read, packed into an integer: the kind of run it is in (from bit 8), how far into it (4 bits),
 * what stood before the run (2 bits: 0 a space, 1 anything else, 2 a capital that opens the word, 3 letters or digits
 * directly), and how often short runs of letters, capitals and digits have followed one another without a break (2 bits:
 * prose does not do that, camelCase a little, base64 all the time).
 */
type State = number;

const pack = (kind: number, position: number, lead: number, mixing: number): State =>
  (kind << 8) | (position << 4) | (lead << 2) | mixing;

const isWord = (kind: number): boolean => kind >= lower && kind <= digit;

function step(state: State, entered: number): State {
  const kind = state >> 8;
  const position = (state >> 4) & 15;
  const lead = (state >> 2) & 3;
  const mixing = state & 3;
  if (entered === kind) {
    if (kind === digit) return pack(kind, (position % 3) + 1, lead, mixing);
    // A long run of one case is a word after all.
    if (mixing > 0 && position === longestMixed) return pack(kind, position, lead, mixing - 1);
    const end =
      kind >= unspaced
        ? longestUnspaced
        : kind >= script
          ? longestInScript
          : mixing > 0
            ? longestMixed
            : longest[kind]!;
    return pack(kind, Math.min(position + 1, end), lead, mixing);
  }
  if (isWord(entered) && isWord(kind)) {
    if (kind === upper && entered === lower && position === 1 && lead !== 3) return pack(lower, 2, 2, 0);
    return pack(entered, 1, 3, Math.min(2, position <= 2 ? mixing + 1 : mixing));
  }
  if (entered >= unspaced) return pack(entered, 1, 1, 0);
  if (isWord(entered) || entered >= script) return pack(entered, 1, kind === space && position === 1 ? 0 : 1, 0);
  if (entered === mark) return pack(mark, 1, kind === space ? 0 : isWord(kind) ? 3 : 1, 0);
  return pack(entered, 1, entered === space && kind === newline ? 1 : 0, 0);
}

/** State numbers by state and kind read, at `state * 32 + kind`; state 0 is the start of a text. */
export interface Automaton {
  readonly stateCount: number;
  readonly next: Uint16Array;
}

/** Builds the automaton, breadth first from the start: states are numbered as they are found, always the same way. */
export function buildAutomaton(): Automaton {
  const states: State[] = [pack(newline, 1, 0, 0)];
  const numbers = new Int16Array(1 << 13).fill(-1);
  numbers[states[0]!] = 0;
  const next: number[] = [];
  for (let at = 0; at < states.length; at++) {
    for (let kind = 0; kind < kindColumns; kind++) {
      const reached = step(states[at]!, kind);
      if (numbers[reached]! < 0) numbers[reached] = states.push(reached) - 1;
      next.push(numbers[reached]!);
    }
  }
  return { stateCount: states.length, next: Uint16Array.from(next) };
}
