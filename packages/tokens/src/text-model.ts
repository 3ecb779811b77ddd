import { buildAutomaton } from './automaton.ts';
import { asciiClass, blockClass, letterColumns } from './character-class.ts';
import type { Encoding } from './encoding.ts';
import { type Weights, weights } from './weights.ts';

/** Weights are whole multiples of this part of a token. */
export const unitsPerToken = 96;
/** Pair weights are whole multiples of this many units (1/24 of a token), which is fine enough for them. */
export const pairUnits = 4;
/** Letter that a text is taken to begin after: a line break. */
export const firstLetter = 28;

/** The tables of one encoding, unpacked: 50 kB, made on first use. */
export interface TextModel {
  /** By state and kind: the weight of the step in units (from bit 14) and the next state, ready to be or-ed with a kind. */
  readonly steps: Int32Array;
  /** By letter and following letter: the weight of the pair, in units. */
  readonly pairs: Int16Array;
}

const models = new Map<Encoding, TextModel>();

/** The model of an encoding; an unknown one gets that of `o200k_base`. */
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
 * Reads packed integers: a lower-case letter is a run of zeros (a = 1), a character from `(` to `[` a digit of base 52
 * between -26 and 25, and `]` before two of them a number of two digits.
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

/** Adds up the weights of `text` from `from` to `to` (at most 65,536 code units apart), in units. */
export function scan(model: TextModel, text: string, from: number, to: number): number {
  // Held in locals: a binding of another module is looked up anew for every character.
  const { steps, pairs } = model;
  const ascii = asciiClass;
  const block = blockClass;
  // Texts come in more kinds (one byte a character or two, slices, joined pieces) than V8 tells apart where a method is
  // called; past that it looks the method up anew for every character. Bound to a call, it is known beforehand.
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
