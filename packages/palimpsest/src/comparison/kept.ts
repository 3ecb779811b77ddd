import type { Message } from '@palimpsest/core';
import { anchorsIn, namedAnchors } from './anchors.ts';

/** A count out of a total. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** A count out of a total, with names of what was not kept. */
export interface NamedShare extends Share {
  /** At most 100 names. */
  readonly lost: readonly string[];
}

/** Maximum number of names in {@link NamedShare}. */
const mostNames = 100;

/** Counts the names that are among the found ones. */
export function namedShare(wanted: readonly string[], found: ReadonlySet<string>): NamedShare {
  const lost = wanted.filter((name) => !found.has(name));
  return { kept: wanted.length - lost.length, of: wanted.length, lost: lost.slice(0, mostNames) };
}

/** Counts the identifiers from user and assistant messages that still appear anywhere in the output. */
export function keptAnchors(input: readonly Message[], output: readonly Message[]): NamedShare {
  const found = new Set<string>();
  for (const message of output) for (const anchor of anchorsIn(message)) found.add(anchor);
  return namedShare([...namedAnchors(input).keys()], found);
}
