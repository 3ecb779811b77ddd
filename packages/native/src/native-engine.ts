import type { EnginePlugin } from '@palimpsest/core/authoring';

/**
 * The engine `native`: plans like another engine, but never asks a summarizer. The provider writes the summary, in
 * `nativeCompaction`, and the handoff along with it is written by rules.
 *
 * @example
 * const registry = createRegistry({ plugins: [nativeEngine(compressor)] });
 * await registry.create({ engine: 'native' }, host);
 */
export function nativeEngine<Options, State>(base: EnginePlugin<Options, State>): EnginePlugin<Options, State> {
  return {
    ...base,
    name: 'native',
    create: (options, host) => base.create(options, { ...host, summarizer: undefined }),
  };
}
