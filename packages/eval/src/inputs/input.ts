/** The file extensions of transcripts. */
export const transcriptExtension: RegExp = /\.(?:json|jsonl|ndjson)$/i;

/** True for a file name whose extension means one JSON value per line. */
export function isLinesFile(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name);
}

/** A byte stream that may contain transcripts. */
export interface Input {
  /** Name in messages: the path as given, or `standard input`. */
  readonly label: string;
  /** Name of a transcript in it that has no id. */
  readonly stem: string;
  /** True if the file extension means one JSON value per line. */
  readonly isLines: boolean;
  /** The absolute path; `null` for standard input. */
  readonly path: string | null;
  /** True if the user named the file, false if it was found in a folder. */
  readonly named: boolean;
  /** @throws {CliError} if it cannot be read */
  open(): AsyncIterable<Uint8Array>;
}
