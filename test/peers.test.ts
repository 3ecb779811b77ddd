import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Our packages with a peer range, the package it names, and what both ends of it are called in `package.json` here. */
const peers: readonly (readonly [owner: string, peer: string, alias: string])[] = [
  ['session', 'ai', 'ai'],
  ['summarizers', 'openai', 'openai'],
  ['summarizers', '@anthropic-ai/sdk', 'anthropic'],
  ['tokens', 'gpt-tokenizer', 'gpt-tokenizer'],
];

interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifest = (path: string): Manifest =>
  JSON.parse(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')) as Manifest;

it.each(peers)('%s allows exactly the versions of %s that are tested', (owner, peer, alias) => {
  const range = manifest(`../packages/${owner}/package.json`).peerDependencies?.[peer] ?? '';
  const least = range.split(' || ').map((one) => one.replace('^', ''));
  const [oldest, newest] = ['oldest', 'newest'].map(
    (end) => manifest(`node_modules/${alias}-${end}/package.json`).version,
  );
  expect(least[0]).toBe(oldest);
  expect(least.at(-1)?.split('.')[0]).toBe(newest?.split('.')[0]);
});

it.runIf(process.env.PALIMPSEST_PEERS)('the ends of the ranges stand in for the pinned versions', async () => {
  const end = process.env.PALIMPSEST_PEERS;
  const { version } = manifest(`node_modules/openai-${end}/package.json`);
  expect(((await import('openai/version')) as { VERSION: string }).VERSION).toBe(version);
});
