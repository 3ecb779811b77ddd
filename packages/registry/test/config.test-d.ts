import { defineConfig } from '../src/config.ts';

defineConfig({ context: { engine: '@acme/lcm-engine', fallback: false, engines: { lcm: { depth: 3 } } } });
defineConfig({ context: { engines: { compressor: { threshold: 0.4 }, 'prune-compact': { protectTokens: 20_000 } } } });

// @ts-expect-error: an unknown key
defineConfig({ context: { engin: 'compressor' } });
// @ts-expect-error: a key of `context` at the top level
defineConfig({ engine: 'compressor' });
// @ts-expect-error: `true` is not a fallback
defineConfig({ context: { fallback: true } });
// @ts-expect-error: an option of the wrong type
defineConfig({ context: { engines: { compressor: { protectFirst: 'three' } } } });
// @ts-expect-error: an option the engine does not have
defineConfig({ context: { engines: { 'prune-compact': { protectToken: 1 } } } });
