import { PalimpsestError } from '@palimpsest/core';
import {
  apiVersion,
  countRule,
  describeValue,
  type EnginePlugin,
  findOptionIssues,
  functionRule,
  groupRule,
  type OptionRule,
} from '@palimpsest/core/authoring';

const pluginRule: OptionRule = {
  ...groupRule({
    name: {
      expected: 'letters, digits, ".", "_" and "-"',
      isValid: (value) => typeof value === 'string' && /^[a-z0-9](?:[\w.-]*\w)?$/i.test(value),
      describe: describeValue,
      isRequired: true,
    },
    apiVersion: {
      ...countRule,
      expected: `the contract version that it was made for, currently ${apiVersion}`,
      isRequired: true,
    },
    create: { ...functionRule, isRequired: true },
    stateVersion: countRule,
    options: {
      expected: 'a Standard Schema, such as one of optionSchema, zod, valibot or arktype',
      isValid: (value) => typeof Object(Object(value)['~standard']).validate === 'function',
    },
  }),
  expected: 'a plugin object',
  isOpen: true,
};

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
  const lines = findOptionIssues(plugin, pluginRule).map(
    ({ path, message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`,
  );
  if (lines.length > 0)
    throw new PalimpsestError('ENGINE_INVALID', `${source} is not a context engine:${lines.join('')}`, { source });
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
