import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * Peers whose range is wider than one version, with their alias in the catalog. `vitest.peers.config.ts` runs the tests
 * of their users with `<alias>-oldest` and `<alias>-newest`. Without an alias for the newest, the pinned version is that.
 */
const aliases: Readonly<Record<string, string>> = {
  ai: 'ai',
  '@anthropic-ai/sdk': 'anthropic',
  'gpt-tokenizer': 'gpt-tokenizer',
  openai: 'openai',
  '@openai/agents': 'openai-agents',
  langchain: 'langchain',
};

interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')) as Manifest;

const owners = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/package.json`));
const ranges = owners.flatMap((owner) =>
  Object.entries(manifest(`packages/${owner}`).peerDependencies ?? {}).map(
    ([peer, range]) => [owner, peer, range] as const,
  ),
);

/** Peers that need a newer Node.js than the tests do, each with the file that names the version that is tested. */
const testedApart: Readonly<Record<string, string>> = {
  openclaw: 'packages/palimpsest/test/real-agents/plugin-agents.ts',
};

describe('a published peer range is as wide as what is tested', () => {
  it.each(ranges.filter(([, peer]) => peer in testedApart))('%s: %s %s, tested apart', (_, peer, range) => {
    expect(range).toMatch(/^\^[\d.]+$/);
    expect(readFileSync(`${root}${testedApart[peer]}`, 'utf8')).toContain(`${peer}@${range.slice(1)}`);
  });

  it.each(ranges.filter(([, peer]) => !(peer in testedApart)))('%s: %s %s', (owner, peer, range) => {
    // A caret for each major version, and no open end. Before version 1, a caret stands for one minor version only.
    const early = /^>=(0\.[\d.]+) <1\.0\.0$/.exec(range);
    const floors = early ? [early[1]!] : range.split(' || ').map((one) => one.replace('^', ''));
    const alias = aliases[peer];
    const oldest = alias ? `test/node_modules/${alias}-oldest` : `packages/${owner}/node_modules/${peer}`;
    const newest = [`test/node_modules/${alias}-newest`, `packages/${owner}/node_modules/${peer}`].find((folder) =>
      existsSync(`${root}${folder}/package.json`),
    )!;
    expect(floors[0]).toBe(manifest(oldest).version);
    expect(floors.at(-1)?.split('.')[0]).toBe(manifest(newest).version.split('.')[0]);
    if (!early) expect(range).toMatch(/^\^[\d.]+(?: \|\| \^[\d.]+)*$/);
  });
});

it.runIf(process.env.PALIMPSEST_PEERS)('the ends of the ranges replace the pinned versions', async () => {
  const end = process.env.PALIMPSEST_PEERS;
  const { version } = manifest(`test/node_modules/openai-${end}`);
  expect(((await import('openai/version')) as { VERSION: string }).VERSION).toBe(version);
});
