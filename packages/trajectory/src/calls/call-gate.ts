/** A limit on calls that many processes share. */
export interface CallGate {
  /** Resolves when a call may go out. */
  pass(signal: AbortSignal | undefined): Promise<void>;
  /** A provider asked everybody to wait. */
  holdFor(milliseconds: number): void;
}
