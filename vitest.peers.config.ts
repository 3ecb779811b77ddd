import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';
import shared from './vitest.config.ts';

/** Which end of the peer ranges takes the place of the versions that are pinned for everything else. @default newest */
const end = process.env.PALIMPSEST_PEERS ?? 'newest';
if (end !== 'oldest' && end !== 'newest')
  throw new Error(`PALIMPSEST_PEERS is "${end}"; it takes "oldest" or "newest"`);

/** By package, what both ends are called in test/package.json. The AI SDK's providers are no peers: they go with it. */
const stands: Readonly<Record<string, string>> = {
  ai: 'ai',
  ...(end === 'newest' && {
    '@ai-sdk/anthropic': 'ai-sdk-anthropic',
    '@ai-sdk/openai': 'ai-sdk-openai',
    '@ai-sdk/openai-compatible': 'ai-sdk-compatible',
  }),
  '@anthropic-ai/sdk': 'anthropic',
  'gpt-tokenizer': 'gpt-tokenizer',
  openai: 'openai',
};
const installer = fileURLToPath(new URL('test/package.json', import.meta.url));

const peers: Plugin = {
  name: 'peers',
  enforce: 'pre',
  async resolveId(source) {
    const name = Object.keys(stands).find((one) => source === one || source.startsWith(`${one}/`));
    if (name === undefined) return null;
    return this.resolve(`${stands[name]}-${end}${source.slice(name.length)}`, installer, { skipSelf: true });
  },
};

// The suites that use these packages the way their users do.
export default mergeConfig(
  { ...shared, test: { ...shared.test, include: [] } },
  defineConfig({
    plugins: [peers],
    test: {
      include: [
        'packages/session/test/agent/loops.test.ts',
        'packages/session/test/ai-sdk/*.test.ts',
        'packages/session/test/wire/*.test.ts',
        'packages/summarizers/test/wire.test.ts',
        'packages/tokens/test/exact.test.ts',
        'test/peers.test.ts',
      ],
    },
  }),
);
