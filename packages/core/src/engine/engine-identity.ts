/** Name and state version of an engine. They identify its snapshots. */
export interface EngineIdentity {
  readonly name: string;
  /** Version of the planner's state in snapshots. @default 1 */
  readonly stateVersion?: number | undefined;
}
