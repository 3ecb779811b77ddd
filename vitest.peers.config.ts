import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';
import shared from './vitest.config.ts';

/** The ends of the peer ranges, which replace the pinned versions. */
type End = 'oldest' | 'newest';

/** Packages whose pinned version is the newest one, with the alias of the oldest. */
const pinnedNewest = { '@openai/agents': 'openai-agents', langchain: 'langchain' };

/**
 * Aliases in test/package.json, by package. The AI SDK's providers are not peers, but have to match its version; 2.0.40 is a
 * version of @ai-sdk/google that sends the signatures of Gemini 3, as 2.0.0 does not.
 */
const aliasesOf = (end: End): Readonly<Record<string, string>> => ({
  ai: 'ai',
  '@ai-sdk/anthropic': 'ai-sdk-anthropic',
  '@ai-sdk/google': 'ai-sdk-google',
  '@ai-sdk/openai': 'ai-sdk-openai',
  '@ai-sdk/openai-compatible': 'ai-sdk-compatible',
  '@anthropic-ai/sdk': 'anthropic',
  'gpt-tokenizer': 'gpt-tokenizer',
  openai: 'openai',
  ...(end === 'oldest' ? pinnedNewest : { '@ai-sdk/amazon-bedrock': 'ai-sdk-amazon-bedrock' }),
});
const installer = fileURLToPath(new URL('test/package.json', import.meta.url));

const peers = (end: End): Plugin => {
  const aliases = aliasesOf(end);
  return {
    name: 'peers',
    enforce: 'pre',
    async resolveId(source) {
      const name = Object.keys(aliases).find((one) => source === one || source.startsWith(`${one}/`));
      if (name === undefined) return null;
      return this.resolve(`${aliases[name]}-${end}${source.slice(name.length)}`, installer, { skipSelf: true });
    },
  };
};

// The tests that use these packages as their users do.
const testsOf = (end: End): string[] => [
  ...(end === 'oldest' ? ['packages/{langchain,openai-agents}/test/*.test.ts'] : []),
  'packages/session/test/agent/loops.test.ts',
  'packages/session/test/ai-sdk/*.test.ts',
  'packages/session/test/fetch/*.test.ts',
  'packages/summary/test/summarizers/wire.test.ts',
  'packages/tokens/test/exact.test.ts',
  'test/peers.test.ts',
];

const projects = (['oldest', 'newest'] as const).map((end) => ({
  extends: true as const,
  plugins: [peers(end)],
  test: { name: end, include: testsOf(end), env: { PALIMPSEST_PEERS: end } },
}));

export default mergeConfig(
  { ...shared, test: { ...shared.test, projects: undefined } },
  defineConfig({ test: { projects } }),
);
