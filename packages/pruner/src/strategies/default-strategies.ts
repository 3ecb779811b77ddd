import type { Strategy } from '../view/strategy.ts';
import { dedupe } from './dedupe.ts';
import { images } from './images.ts';
import { pressure } from './pressure.ts';
import { recalled } from './recalled.ts';
import { shortenArguments } from './shorten-arguments.ts';
import { stub } from './stub.ts';
import { supersede } from './supersede.ts';

/**
 * The default strategies of the two-phase style. They do not shorten tool calls: in real transcripts, cutting old
 * arguments removes more text that agents reuse than all other strategies together.
 */
export const twoPhaseStrategies: readonly Strategy[] = [recalled, dedupe, supersede, stub, images];

/** The default strategies of the compressor style. */
export const compressorStrategies: readonly Strategy[] = [
  recalled,
  pressure,
  dedupe,
  supersede,
  stub,
  shortenArguments,
  images,
];
