import type { Dialect, Message, Provenance } from '@palimpsest/core';

/** What a format makes of the JSON values that hold one transcript. */
export interface DecodedTranscript {
  /** Its own name, when it has one. */
  readonly id: string | null;
  readonly messages: readonly Message[];
  /** Tool schemas, sent with every request beside the messages. */
  readonly tools: readonly unknown[];
  /** How strictly its provider reads roles. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  /** The values again, with other messages in them: what `compress` writes. */
  encode(messages: readonly Message[], provenance: Provenance): readonly unknown[];
}

/** One shape in which transcripts lie in files. Another shape is another row of the table. */
export type TranscriptFormat = WholeFormat | GatheredFormat;

interface AnyFormat {
  readonly name: string;
  /** Looks at one value, closely enough to tell the formats apart. */
  recognizes(value: unknown): boolean;
}

/** Each JSON value of the input holds a transcript. */
export interface WholeFormat extends AnyFormat {
  readonly transcriptIn: 'each-value';
  /** @returns what is wrong, in words that follow the place, when it is broken */
  decode(value: unknown): DecodedTranscript | string;
}

/** All values of the input together make one transcript. */
export interface GatheredFormat extends AnyFormat {
  readonly transcriptIn: 'all-values';
  /** Also values of a shape that {@link AnyFormat.recognizes} does not know may follow the first. */
  readonly mixed: boolean;
  /** The most its values may hold together, in bytes. */
  readonly maximumBytes: number;
  gather(): Gathering;
}

export interface Gathering {
  /** @returns what is wrong with the value, when it is broken */
  add(value: unknown): string | null;
  /** @returns `null` when the values are whole, but hold no message */
  end(): DecodedTranscript | string | null;
}
