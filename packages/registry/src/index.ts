export { builtInPlugins } from './built-in-plugins.ts';
export type { ContextConfig, EngineSections, PalimpsestConfig } from './context-config.ts';
export { type CandidateOptions, type EngineCandidate, engineCandidate } from './engine-candidate.ts';
export { createEngineHost } from './engine-host.ts';
export type { EngineLocation, EngineResolver, LoadedEngine } from './engine-location.ts';
export type { OptionIssue } from './option-issue.ts';
export { type QuarantineOptions, type QuarantineSnapshot, quarantine } from './quarantine.ts';
export { createRegistry, defaultEngine, type KnownEngine, type Registry, type RegistryOptions } from './registry.ts';
export { type Deadlines, defaultDeadlines } from './watch.ts';
