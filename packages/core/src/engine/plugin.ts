import type { EngineHost } from '../host/host.ts';
import type { StandardSchema } from '../options/standard-schema.ts';
import type { EnginePlanner } from './planner.ts';

/** The version of the contract between this package and engine plugins. */
export const apiVersion = 1;

/** An engine plugin: the default export of an engine package. */
export interface EnginePlugin<Options = unknown, State = unknown> {
  /** The name used in `context.engine`: the package name without its scope. */
  readonly name: string;
  readonly apiVersion: number;
  /** The version of the planner's state. A snapshot with another version is discarded. @default 1 */
  readonly stateVersion?: number | undefined;
  /** Validates the configured options and fills in defaults. Without a schema, they are passed unchanged. */
  readonly options?: StandardSchema<unknown, Options> | undefined;
  /** Creates the planner of one session. */
  create(options: Options, host: EngineHost): EnginePlanner<State> | Promise<EnginePlanner<State>>;
}

/** Returns the plugin unchanged; infers and checks its type. */
export function defineEngine<Options, State>(plugin: EnginePlugin<Options, State>): EnginePlugin<Options, State> {
  return plugin;
}
