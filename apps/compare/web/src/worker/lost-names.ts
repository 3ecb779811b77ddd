import type { Message } from '@palimpsest/core';
import { firstMentions, namesIn } from 'palimpsest/comparison/kept';

/** An exact name in a user or assistant message that is nowhere in the request. */
export interface LostName {
  readonly name: string;
  /** The first message that names it. */
  readonly at: number;
}

/** Exact names in one message. */
interface MessageNames {
  /** Those still in the request, whichever message they are in now. */
  readonly kept: readonly string[];
  readonly lost: readonly string[];
}

/** Compares the exact names of a transcript with those of a request. */
export interface NameLosses {
  of(message: Message): MessageNames;
  all(): readonly LostName[];
}

/** @param sent the messages of the request */
export function createNameLosses(messages: readonly Message[], sent: readonly Message[]): NameLosses {
  const present = new Set(sent.flatMap(namesIn));
  return {
    of(message) {
      const names = [...new Set(namesIn(message))];
      return { kept: names.filter((name) => present.has(name)), lost: names.filter((name) => !present.has(name)) };
    },
    all: () => [...firstMentions(messages)].flatMap(([name, at]) => (present.has(name) ? [] : [{ name, at }])),
  };
}
