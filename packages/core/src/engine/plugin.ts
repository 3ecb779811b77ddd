import type { EngineHost } from '../host/host.ts';
import type { EnginePlanner } from './planner.ts';

/** The version of the contract between this package and engine plugins. */
export const apiVersion = 1;

/**
 * The part of Standard Schema (https://standardschema.dev) used here. Schemas of zod, valibot and arktype implement it.
 */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

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
