/** Name and state version of an engine. They identify its snapshots. */
export interface EngineIdentity<S> {
  readonly name: string;
  /** Version of the planner's state in snapshots. @default 1 */
  readonly stateVersion?: number | undefined;
  /** Converts a state of an older version to `stateVersion`. */
  migrate?(state: unknown, fromVersion: number): S | Promise<S>;
}
