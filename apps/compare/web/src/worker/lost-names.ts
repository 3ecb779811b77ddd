import type { Message } from '@palimpsest/core';
import { anchorsIn, namedAnchors } from 'palimpsest/comparison/anchors';

/** A path or identifier that a user or assistant message names, and that is nowhere in the request. */
export interface LostName {
  readonly name: string;
  /** The first message that names it. */
  readonly at: number;
}

/** Paths and identifiers of one message. */
interface MessageNames {
  /** Those still in the request, whichever message they are in now. */
  readonly kept: readonly string[];
  readonly lost: readonly string[];
}

/** Compares the paths and identifiers of a transcript with those of a request. */
export interface NameLosses {
  of(message: Message): MessageNames;
  all(): readonly LostName[];
}

/** @param sent the messages of the request */
export function createNameLosses(messages: readonly Message[], sent: readonly Message[]): NameLosses {
  const present = new Set(sent.flatMap(anchorsIn));
  return {
    of(message) {
      const names = [...new Set(anchorsIn(message))];
      return { kept: names.filter((name) => present.has(name)), lost: names.filter((name) => !present.has(name)) };
    },
    all: () => [...namedAnchors(messages)].flatMap(([name, at]) => (present.has(name) ? [] : [{ name, at }])),
  };
}
