export type { ContextConfig, EngineSections, PalimpsestConfig } from './config/context-config.ts';
export { defineConfig, type LoadConfigOptions, type LoadedConfig, loadConfig } from './node/load-config.ts';
export { type NodeResolverOptions, nodeResolver } from './node/node-resolver.ts';
