import type { Message } from '@palimpsest/core';
import { textsOf } from '../transcripts/texts.ts';
import { identifiersIn, type Occurrence } from './identifier-occurrences.ts';
import { stretchHashes } from './verbatim.ts';

/** Names and hashed stretches found in one text. */
export interface TextReading {
  readonly text: string;
  readonly names: readonly Occurrence[];
  readonly stretches: Float64Array;
}

interface Readings {
  readonly content: unknown;
  readonly calls: unknown;
  readonly spoken: TextReading[];
  all: TextReading[] | null;
}

// Cached by message object: the cuts of one transcript, and the outputs of each cut, share their messages.
const known = new WeakMap<Message, Readings>();

/** Reads every text of a message; results are cached per message object. @param reasoning false if the reasoning is not part of the prompt */
export function readingsOf(message: Message, reasoning: boolean): readonly TextReading[] {
  let readings = known.get(message);
  if (!readings || readings.content !== message.content || readings.calls !== message.tool_calls) {
    readings = {
      content: message.content,
      calls: message.tool_calls,
      spoken: textsOf(message, false).map(read),
      all: null,
    };
    known.set(message, readings);
  }
  if (!reasoning || !message.reasoning_content) return readings.spoken;
  readings.all ??= [...readings.spoken, read(message.reasoning_content)];
  return readings.all;
}

function read(text: string): TextReading {
  return { text, names: identifiersIn(text), stretches: stretchHashes(text) };
}
