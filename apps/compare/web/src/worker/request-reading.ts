import type { Message } from '@palimpsest/core';
import { type HandoffLine, readHandoffs } from '@palimpsest/session';
import { wholeText } from 'palimpsest/comparison/page/message-text';
import { firstMentions, namesIn } from 'palimpsest/measuring/kept';
import type { PromptAt } from 'palimpsest/replay/prompt-at';
import { findSharedWords, type Range } from './find-shared-words.ts';
import { type Change, textChanges } from './text-changes.ts';

/** An exact name in a user or assistant message that is nowhere in the request. */
interface LostName {
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
interface NameLosses {
  of(message: Message): MessageNames;
  all(): readonly LostName[];
}

/** A handoff in a request. */
export interface HandoffText {
  /** The whole text, as the model gets it. */
  readonly text: string;
  /** The lines of its body. */
  readonly lines: readonly HandoffLine[];
  /** The messages `[from, to)` that it replaces. */
  readonly covers: { readonly from: number; readonly to: number };
  /** Messages that follow it verbatim, in the same message. */
  readonly carries: readonly number[];
}

/** The handoffs of a request, and the names that it lost. */
export interface RequestHandoffs {
  readonly handoffs: readonly HandoffText[];
  readonly lost: readonly LostName[];
  /** True if a model wrote them, and rules added to them; false if rules wrote alone. */
  readonly isByModel: boolean;
}

/** A line of a handoff that comes from a message. */
export interface SurvivingLine {
  /** Position in {@link RequestHandoffs.handoffs}. */
  readonly handoff: number;
  readonly line: number;
  readonly section: string | null;
  readonly text: string;
  /** The parts of the line whose words are the message's own. */
  readonly own: readonly Range[];
}

/** What became of the content of one message. */
export interface MessageReading {
  /** The differences of a shortened message; `null` for any other, and for one that takes too long to compare. */
  readonly changes: readonly Change[] | null;
  readonly lines: readonly SurvivingLine[];
  /** Its paths and identifiers that are still in the request, in whichever message. */
  readonly keptNames: readonly string[];
  readonly lostNames: readonly string[];
}

/** Reads one request of an engine: its handoffs, and the outcome of each message. */
export interface RequestReading {
  handoffs(): RequestHandoffs;
  /** `null` for a message that is not part of the request yet. */
  message(at: number): MessageReading | null;
}

export function createRequestReading(prompt: PromptAt): RequestReading {
  const { recorded, provenance } = prompt;
  const messages = prompt.messages as readonly Message[];
  const placed = readHandoffs(prompt);
  const names = createNameLosses(recorded, messages);
  const outcomes = provenance.source;
  return {
    handoffs: () => ({
      handoffs: placed.map(({ inserted, at, covers, lines }) => ({
        text: inserted.handoff,
        lines,
        covers,
        carries: outcomes.flatMap((outcome, from) => (outcome.kind === 'carried' && outcome.at === at ? [from] : [])),
      })),
      lost: names.all(),
      isByModel: prompt.pages > 0,
    }),
    message(at) {
      const [message, outcome] = [recorded[at], outcomes[at]];
      if (!message || !outcome) return null;
      const text = wholeText(message);
      const ownWords = findSharedWords(text);
      const lines = placed.flatMap((handoff, position) =>
        handoff.lines
          .filter(({ from }) => from?.includes(at))
          .map(({ from: _, ...line }) => ({ ...line, handoff: position, own: ownWords(line.text) })),
      );
      const { kept, lost } = names.of(message);
      const changes = outcome.kind === 'rewritten' ? textChanges(text, wholeText(messages[outcome.at]!)) : null;
      return { changes, lines, keptNames: kept, lostNames: lost };
    },
  };
}

/** @param sent the messages of the request */
function createNameLosses(messages: readonly Message[], sent: readonly Message[]): NameLosses {
  const present = new Set(sent.flatMap(namesIn));
  return {
    of(message) {
      const names = [...new Set(namesIn(message))];
      return { kept: names.filter((name) => present.has(name)), lost: names.filter((name) => !present.has(name)) };
    },
    all: () => [...firstMentions(messages)].flatMap(([name, at]) => (present.has(name) ? [] : [{ name, at }])),
  };
}
