import { digit, kindColumns, lower, mark, newline, script, space, unspaced, upper } from './character-class.ts';

/**
 * Number of positions distinguished in a run, by kind. A longer run stays in the last position, except digits: they
 * repeat in groups of three, like tokens.
 */
const maxRunLengths = [2, 12, 5, 3, 8, 3, 3, 4];
const maxInScript = 5;
/** The same for scripts without spaces between words, and for signs. */
const maxUnspaced = 3;
/** The same after letters, cases and digits have alternated, because such runs are short. */
const maxMixed = 5;

/**
 * State of the automaton, packed into an integer: the kind of the current run (from bit 8), the position in the run (4 bits),
 * what precedes the run (2 bits: 0 a space, 1 anything else, 2 the capital at the start of the word, 3 letters or digits), and
 * how often short runs of letters, capitals and digits followed each other directly (2 bits; rare in prose, more frequent in
 * camelCase, constant in base64).
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
    // A long run of one case is more likely to be a word.
    if (mixing > 0 && position === maxMixed) return pack(kind, position, lead, mixing - 1);
    const end =
      kind >= unspaced ? maxUnspaced : kind >= script ? maxInScript : mixing > 0 ? maxMixed : maxRunLengths[kind]!;
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

/** Transition table: the next state is at `state * 32 + kind`. State 0 is the start of a text. */
export interface Automaton {
  readonly stateCount: number;
  readonly next: Uint16Array;
}

/** Builds the automaton. States are numbered breadth first, so the numbering is always the same. */
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
