import { PalimpsestError } from '@palimpsest/core';
import { apiVersion, type EnginePlugin } from '@palimpsest/core/authoring';

const namePattern = /^[a-z0-9](?:[\w.-]*\w)?$/i;

/**
 * Returns the engine plugin of a module: its default export, even if a CommonJS build nests it
 * (`{ default: { default: plugin } }`), or the module itself.
 * @param source origin of the module, for error messages
 * @throws {PalimpsestError} `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function pluginOf(exports: unknown, source: string): EnginePlugin {
  const once = defaultOf(exports);
  const twice = defaultOf(once);
  for (const candidate of [twice, once, exports]) if (looksLikePlugin(candidate)) return checkPlugin(candidate, source);
  const names = typeof exports === 'object' && exports !== null ? Object.keys(exports) : [];
  throw new PalimpsestError(
    'ENGINE_INVALID',
    `${source} is not a context engine: its default export is ${described(once)}${names.length > 0 ? ` (it exports: ${names.join(', ')})` : ''}. Export the plugin with "export default defineEngine({ name, apiVersion, create })".`,
    { source },
  );
}

/**
 * Checks the properties of a plugin.
 * @throws {PalimpsestError} `ENGINE_INVALID`, `ENGINE_INCOMPATIBLE`
 */
export function checkPlugin(plugin: EnginePlugin, source: string): EnginePlugin {
  const refuse = (problem: string): never => {
    throw new PalimpsestError('ENGINE_INVALID', `${source} is not a context engine: ${problem}.`, { source });
  };
  if (typeof plugin !== 'object' || plugin === null) return refuse(`it is ${described(plugin)}, not a plugin object`);
  const { name } = plugin;
  if (typeof name !== 'string' || !namePattern.test(name))
    return refuse(`its "name" must consist of letters, digits, ".", "_" and "-"; it is ${described(name)}`);
  if (typeof plugin.create !== 'function')
    return refuse(`its "create" must be a function; it is ${described(plugin.create)}`);
  if (!Number.isInteger(plugin.apiVersion))
    return refuse(
      `its "apiVersion" must be the contract version it was made for (currently ${apiVersion}); it is ${described(plugin.apiVersion)}`,
    );
  if (plugin.apiVersion !== apiVersion)
    throw new PalimpsestError(
      'ENGINE_INCOMPATIBLE',
      `Engine "${name}" (${source}) was made for version ${plugin.apiVersion} of the engine contract; this registry supports version ${apiVersion}. ${
        plugin.apiVersion > apiVersion
          ? 'Update @palimpsest/registry, or install an older version of the engine.'
          : 'Install a newer version of the engine.'
      }`,
      { name, apiVersion: plugin.apiVersion, supported: apiVersion },
    );
  if (plugin.stateVersion !== undefined && !Number.isInteger(plugin.stateVersion))
    return refuse(`its "stateVersion" must be a whole number; it is ${described(plugin.stateVersion)}`);
  if (plugin.options !== undefined && typeof plugin.options?.['~standard']?.validate !== 'function')
    return refuse('its "options" must be a Standard Schema (a schema of zod, valibot or arktype)');
  return plugin;
}

function looksLikePlugin(value: unknown): value is EnginePlugin {
  return typeof value === 'object' && value !== null && ('create' in value || 'apiVersion' in value);
}

function defaultOf(exports: unknown): unknown {
  return typeof exports === 'object' && exports !== null && 'default' in exports ? exports.default : undefined;
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
