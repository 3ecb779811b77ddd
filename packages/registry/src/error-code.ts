import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type RegistryErrorCode =
  | CoreErrorCode
  /** The configuration cannot be read. `details`: `file`. */
  | 'CONFIG_INVALID'
  /** No engine has that name. `details`: `name`, `known`, `nearest`. */
  | 'ENGINE_UNKNOWN'
  /** Two plugins have the same name. `details`: `name`, `sources`. */
  | 'ENGINE_DUPLICATE'
  /** The plugin was made for another version of the contract. `details`: `name`, `apiVersion`, `supported`. */
  | 'ENGINE_INCOMPATIBLE'
  /** The loaded module is not an engine plugin. `details`: `source`. */
  | 'ENGINE_INVALID'
  /** The engine cannot be created, or it failed and no fallback is left. `details`: `engine`, `reason`. */
  | 'ENGINE_FAILED'
  /** The path is outside of the folder that the configuration may load from. `details`: `path`. */
  | 'PATH_REFUSED'
  /** The package is not installed. `details`: `package`, `known`, `nearest`. */
  | 'DEPENDENCY_MISSING'
  /** `register` was called after the first `create`. `details`: `method`. */
  | 'CONFIGURED_TOO_LATE'
  /** The caller's `AbortSignal` was aborted. */
  | 'ABORTED';
