import { dedupe } from './dedupe.ts';
import { images } from './images.ts';
import { pressure } from './pressure.ts';
import { shortenArguments } from './shorten-arguments.ts';
import type { Strategy } from './strategy.ts';
import { stub } from './stub.ts';
import { supersede } from './supersede.ts';

/**
 * What runs by default in the two-phase style, which promises that tool calls stay: on real transcripts, cutting old
 * arguments there costs more of what agents reuse than all the rest.
 */
export const twoPhaseStrategies: readonly Strategy[] = [dedupe, supersede, stub, images];

/**
 * What runs by default in the compressor style. Pressure stands first because dedupe refers to results in the protected
 * part: what pressure takes away there must be gone before.
 */
export const compressorStrategies: readonly Strategy[] = [pressure, dedupe, supersede, stub, shortenArguments, images];
