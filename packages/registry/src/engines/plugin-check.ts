import { PalimpsestError } from '@palimpsest/core';
import { apiVersion, type EnginePlugin } from '@palimpsest/core/authoring';
import * as z from 'zod';

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isSchema = (value: unknown): boolean => isFunction(Object(Object(value)['~standard']).validate);

const pluginSchema = z.looseObject({
  name: z.string().regex(/^[a-z0-9](?:[\w.-]*\w)?$/i, 'expected letters, digits, ".", "_" and "-"'),
  apiVersion: z.int(`expected the contract version that it was made for, currently ${apiVersion}`),
  create: z.custom(isFunction, 'expected a function'),
  stateVersion: z.int().optional(),
  options: z.custom(isSchema, 'expected a Standard Schema, such as one of zod, valibot or arktype').optional(),
});

/**
 * Returns the engine plugin of a module: its default export, even if a CommonJS build nests it
 * (`{ default: { default: plugin } }`), or the module itself.
 * @param source origin of the module, for error messages
 * @throws {PalimpsestError} `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function pluginOf(exports: unknown, source: string): EnginePlugin {
  const once = defaultOf(exports);
  const plugin = [defaultOf(once), once, exports].find(looksLikePlugin);
  if (plugin) return checkPlugin(plugin, source);
  const names = Object.keys(Object(exports)).join(', ') || 'nothing';
  throw new PalimpsestError(
    'ENGINE_INVALID',
    `${source} is not a context engine: its default export is not a plugin object. It exports: ${names}. Export the plugin with "export default defineEngine({ name, apiVersion, create })".`,
    { source },
  );
}

/**
 * Checks the properties of a plugin.
 * @throws {PalimpsestError} `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function checkPlugin(plugin: EnginePlugin, source: string): EnginePlugin {
  const { error } = pluginSchema.safeParse(plugin);
  if (error)
    throw new PalimpsestError('ENGINE_INVALID', `${source} is not a context engine:\n${z.prettifyError(error)}`, {
      source,
    });
  const { name } = plugin;
  if (plugin.apiVersion === apiVersion) return plugin;
  const advice =
    plugin.apiVersion > apiVersion
      ? 'Update @palimpsest/registry, or install an older version of the engine.'
      : 'Install a newer version of the engine.';
  throw new PalimpsestError(
    'ENGINE_INCOMPATIBLE',
    `Engine "${name}" (${source}) was made for version ${plugin.apiVersion} of the engine contract; this registry supports version ${apiVersion}. ${advice}`,
    { name, apiVersion: plugin.apiVersion, supported: apiVersion },
  );
}

function looksLikePlugin(value: unknown): value is EnginePlugin {
  return typeof value === 'object' && value !== null && ('create' in value || 'apiVersion' in value);
}

function defaultOf(exports: unknown): unknown {
  return typeof exports === 'object' && exports !== null && 'default' in exports ? exports.default : undefined;
}
