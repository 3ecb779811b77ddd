import { type Characters, NotJudged, type Piece, readPattern } from './pattern-syntax.ts';

/** A repetition with more leeway than this counts as unbounded. */
const LEEWAY = 16;

const isLong = ({ least, most }: Piece): boolean => most - least > LEEWAY;
const isVariable = ({ least, most }: Piece): boolean => most !== least;
const meet = (a: Characters, b: Characters): boolean => (a & b) !== 0n;

/** Fewest characters a piece takes. */
function leastOf({ least, alternatives }: Piece): number {
  if (least === 0 || !alternatives) return least;
  return least * Math.min(...alternatives.map((sequence) => sequence.reduce((sum, piece) => sum + leastOf(piece), 0)));
}

/** True when a piece, or something inside it, repeats without a bound worth the name. */
const holdsLong = (piece: Piece): boolean =>
  isLong(piece) || (piece.alternatives ?? []).some((sequence) => sequence.some(holdsLong));
const holdsVariable = (piece: Piece): boolean =>
  isVariable(piece) || (piece.alternatives ?? []).some((sequence) => sequence.some(holdsVariable));

/** Characters a sequence can begin with. */
function firstOf(sequence: readonly Piece[]): Characters {
  let set = 0n;
  for (const piece of sequence) {
    set |= piece.alternatives ? piece.alternatives.reduce((all, one) => all | firstOf(one), 0n) : piece.characters;
    if (leastOf(piece) > 0) break;
  }
  return set;
}

/** True when each round of a repeated sequence is told from the next by a character found nowhere else in it. */
function isDelimited(sequence: readonly Piece[]): boolean {
  return [0, sequence.length - 1].some((edge) => {
    const mark = sequence[edge]!;
    const isSingle = !mark.alternatives && mark.least === 1 && mark.most === 1;
    return isSingle && !sequence.some((piece, index) => index !== edge && meet(piece.characters, mark.characters));
  });
}

function checkRepeatedGroup(alternatives: readonly (readonly Piece[])[]): void {
  for (const [index, sequence] of alternatives.entries()) {
    if (sequence.every((piece) => leastOf(piece) === 0)) throw new NotJudged('repeats a group that can be empty');
    if (sequence.some(holdsVariable) && !isDelimited(sequence)) {
      throw new NotJudged('repeats a group that itself repeats something, with nothing that parts the rounds');
    }
    if (alternatives.slice(index + 1).some((other) => meet(firstOf(sequence), firstOf(other)))) {
      throw new NotJudged('repeats a choice between alternatives that begin alike');
    }
  }
}

/** Ways in which neighbours that share characters may divide a text between them, before they count as too many. */
const MOST_WAYS = 256;

function checkWays(sequence: readonly Piece[]): void {
  let ways = 1;
  let shared = 0n;
  for (const piece of sequence) {
    if (isVariable(piece) && !isLong(piece)) {
      ways = shared === 0n || meet(shared, piece.characters) ? ways * (piece.most - piece.least + 1) : 1;
      shared = piece.characters;
      if (ways > MOST_WAYS) throw new NotJudged('has many short optional parts that match the same characters');
    } else if (leastOf(piece) > 0 && !meet(shared, piece.characters)) {
      ways = 1;
      shared = 0n;
    }
  }
}

function checkSequence(sequence: readonly Piece[]): void {
  checkWays(sequence);
  for (const [index, piece] of sequence.entries()) {
    for (const inner of piece.alternatives ?? []) checkSequence(inner);
    if (piece.alternatives && piece.most > 1) checkRepeatedGroup(piece.alternatives);
    if (!holdsLong(piece)) continue;
    for (const later of sequence.slice(index + 1)) {
      if (holdsLong(later) && meet(later.characters, piece.characters)) {
        throw new NotJudged('has two long repetitions of the same characters with nothing else between them');
      }
      if (leastOf(later) > 0 && !meet(later.characters, piece.characters)) break;
    }
  }
}

/** A search tries every start: a pattern that begins with a long repetition costs the square of its length. */
function checkStart(sequence: readonly Piece[]): void {
  for (const piece of sequence) {
    if (holdsLong(piece) && leastOf(piece) < 2 && !piece.alternatives)
      throw new NotJudged('begins with a long repetition');
    for (const inner of piece.alternatives ?? []) checkStart(inner);
    if (leastOf(piece) > 0) return;
  }
}

/**
 * Why a pattern cannot be trusted to take linear time; null when it can. Conservative: some harmless patterns
 * are refused, in words that say what to change.
 */
export function whyNotLinear(pattern: RegExp): string | null {
  try {
    for (const sequence of readPattern(pattern.source, pattern.ignoreCase)) {
      checkSequence(sequence);
      checkStart(sequence);
    }
    return null;
  } catch (error) {
    if (error instanceof NotJudged) return error.message;
    throw error;
  }
}
