import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from './loopback-server/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}test/.readme-examples`;
// `npm run check:types:tests` checks their types.
execFileSync(process.execPath, [`${root}scripts/readme-examples.mjs`]);

describe('the examples of the READMEs and of the site', () => {
  let server: LoopbackServer;
  // The provider of examples that call one: it has a tool called once, and then answers.
  beforeAll(async () => {
    server = await startLoopbackServer(({ body }) => {
      const messages = (body.messages ?? body.input ?? []) as readonly { readonly role?: string }[];
      const isAnswered = messages.some(({ role }) => role === 'tool');
      const calls = [{ id: 'call_1', name: 'read_file', arguments: '{"path":"package.json"}' }];
      return body.tools && !isAnswered && JSON.stringify(body.tools).includes('read_file')
        ? { kind: 'answer', text: 'Let me look.', calls }
        : { kind: 'answer', text: 'It is an example.' };
    });
    vi.stubEnv('OPENAI_BASE_URL', server.openaiUrl);
    vi.stubEnv('OPENAI_API_KEY', 'test');
    vi.stubEnv('ANTHROPIC_BASE_URL', server.anthropicUrl);
    vi.stubEnv('ANTHROPIC_API_KEY', 'test');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  it.each(readdirSync(folder))('run: %s', async (file) => {
    await import(/* @vite-ignore */ `${folder}/${file}`);
  });

  it('send only requests that a provider accepts', () => {
    expect(server.received.length).toBeGreaterThan(0);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('exist for every package', () => {
    const packages = readdirSync(`${root}packages`);
    expect(packages.filter((name) => !existsSync(`${root}packages/${name}/README.md`))).toEqual([]);
  });
});
