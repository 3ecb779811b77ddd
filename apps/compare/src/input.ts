/** A stream of bytes that may hold transcripts. */
export interface Input {
  /** How it is named in messages: the path as given, or `standard input`. */
  readonly label: string;
  /** What a transcript in it is called when it has no name of its own. */
  readonly stem: string;
  /** The file name says that it holds one JSON value a line. */
  readonly isLines: boolean;
  /** The absolute path; `null` for standard input. */
  readonly path: string | null;
  /** False for a file that was found in a folder rather than named. */
  readonly named: boolean;
  /** @throws {Complaint} when it cannot be read */
  open(): AsyncIterable<Uint8Array>;
}
