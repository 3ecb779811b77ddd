import type { Encoding } from '../encoding.ts';
import { buildAutomaton } from './automaton.ts';
import { asciiClass, blockClass, letterColumns } from './character-class.ts';
import { type Weights, weights } from './weights.ts';

/** Weights are integers in units of 1/96 token. */
export const unitsPerToken = 96;
/** Pair weights are multiples of this many units, that is, of 1/24 token. */
export const pairUnits = 4;
/** The letter assumed before the start of a text: a line break. */
export const firstLetter = 28;

/** The unpacked tables of one encoding. They take 50 kB and are created on first use. */
export interface TextModel {
  /** For each state and kind: the weight of the step in units (from bit 14), and the next state shifted left by 5 bits. */
  readonly steps: Int32Array;
  /** For each letter and the letter after it: the weight of the pair, in units. */
  readonly pairs: Int16Array;
}

const models = new Map<Encoding, TextModel>();

/** Returns the model of an encoding; that of `o200k_base` if the encoding is unknown. */
export function textModel(encoding: Encoding): TextModel {
  let model = models.get(encoding);
  if (!model) models.set(encoding, (model = unpack(weights[encoding] ?? weights.o200k_base)));
  return model;
}

function unpack(own: Weights): TextModel {
  const { stateCount, next } = buildAutomaton();
  const stateWeight = new Float64Array(stateCount);
  const pairs = new Float64Array(letterColumns * letterColumns);
  const add = ({ base, scale, states, pairs: packedPairs }: Weights, factor: number): void => {
    if (base) add(weights[base], factor * scale);
    decode(states, (at, value) => (stateWeight[at]! += value * factor));
    decode(packedPairs, (at, value) => (pairs[at]! += value * pairUnits * factor));
  };
  add(own, 1);
  return {
    steps: Int32Array.from(next, (state) => (Math.round(stateWeight[state]!) << 14) | (state << 5)),
    pairs: Int16Array.from(pairs, Math.round),
  };
}

/**
 * Reads packed integers. A lower-case letter is a run of zeros (a = 1), a character from `(` to `[` is a base-52 digit from
 * -26 to 25, and `]` before two digits makes them one number.
 */
function decode(packed: string, take: (at: number, value: number) => void): void {
  let at = 0;
  for (let read = 0; read < packed.length; read++) {
    const code = packed.charCodeAt(read);
    if (code > 96) at += code - 96;
    else if (code === 93) {
      take(at++, (packed.charCodeAt(read + 1) - 66) * 52 + packed.charCodeAt(read + 2) - 66);
      read += 2;
    } else take(at++, code - 66);
  }
}

/** Sums the weights of a text from `from` to `to` (at most 65,536 code units), in units. */
export function scan(model: TextModel, text: string, from: number, to: number): number {
  // Local variables, because a binding of another module is looked up again for every character.
  const { steps, pairs } = model;
  const ascii = asciiClass;
  const block = blockClass;
  // V8 has more string representations (one or two bytes, slices, concatenations) than its inline cache holds. Beyond
  // that it looks up `charCodeAt` for every character. A bound function avoids the look-up.
  const codeAt: (text: string, at: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);
  let state = 0;
  let pair = firstLetter << 6;
  let units = 0;
  for (let at = from; at < to; at++) {
    const code = codeAt(text, at);
    const found = code < 128 ? ascii[code]! : block[code >> 4]!;
    const step = steps[state | (found & 31)]!;
    state = step & 0x3fff;
    const letter = found >> 5;
    units = (((units + (step >> 14)) | 0) + pairs[pair | letter]!) | 0;
    pair = letter << 6;
  }
  return units;
}
