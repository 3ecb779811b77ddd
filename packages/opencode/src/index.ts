import type { OpencodeHooks, OpencodeInput } from './opencode-api.ts';
import { type OpencodePluginOptions, palimpsest } from './plugin.ts';

export type { OpencodeHooks, OpencodeInput } from './opencode-api.ts';
export type { OpencodePluginOptions } from './plugin.ts';

/** The plugin, as opencode loads it from the package. */
const plugin: {
  readonly id: string;
  readonly server: (input: OpencodeInput, options?: OpencodePluginOptions) => Promise<OpencodeHooks>;
} = { id: 'palimpsest', server: palimpsest };
export default plugin;
