import { dedupe } from './dedupe.ts';
import { shortenArguments } from './shorten-arguments.ts';
import type { Strategy } from './strategy.ts';
import { stub } from './stub.ts';

/** What a prune does when nothing else is asked for, in this order. */
export const defaultStrategies: readonly Strategy[] = [dedupe, stub, shortenArguments];
