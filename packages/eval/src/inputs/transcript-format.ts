import type { Dialect, Message, Provenance } from '@palimpsest/core';

/** One transcript decoded from JSON values. */
export interface DecodedTranscript {
  /** The id in the file; `null` if it has none. */
  readonly id: string | null;
  readonly messages: readonly Message[];
  /** Tool schemas, which are sent with every request. */
  readonly tools: readonly unknown[];
  /** Which provider's rules apply to roles. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  /** Encodes edited messages as JSON values; used by `compress`. */
  encode(messages: readonly Message[], provenance: Provenance): readonly unknown[];
}

/** A file format for transcripts. Register new formats in `read-transcripts.ts`. */
export type TranscriptFormat = WholeFormat | GatheredFormat;

interface AnyFormat {
  readonly name: string;
  /** Whether a value is of this format. */
  recognizes(value: unknown): boolean;
}

/** A format in which each JSON value of the input is a transcript. */
export interface WholeFormat extends AnyFormat {
  readonly transcriptIn: 'each-value';
  /** @returns the transcript, or what is wrong with the value, phrased to follow the file name */
  decode(value: unknown): DecodedTranscript | string;
}

/** A format in which all JSON values of the input form one transcript. */
export interface GatheredFormat extends AnyFormat {
  readonly transcriptIn: 'all-values';
  /** True if values that {@link AnyFormat.recognizes} rejects may follow the first one. */
  readonly mixed: boolean;
  /** Maximum total size of its values, in bytes. */
  readonly maximumBytes: number;
  gather(): Gathering;
}

/** Collects the values of one transcript. */
export interface Gathering {
  /** @returns what is wrong with the value, or `null` */
  add(value: unknown): string | null;
  /** @returns the transcript, what is wrong with it, or `null` if it is valid but has no messages */
  end(): DecodedTranscript | string | null;
}
