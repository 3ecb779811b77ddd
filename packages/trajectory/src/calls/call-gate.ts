/** A limit on calls that several processes share. */
export interface CallGate {
  /** Resolves when a call may start. */
  pass(signal: AbortSignal | undefined): Promise<void>;
  /** Pauses all calls, because a provider asked to wait. */
  holdFor(milliseconds: number): void;
}
