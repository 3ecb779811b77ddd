import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addProxyOptions, type ProxyFlags, proxySettings } from '../../src/commands/proxy-flags.ts';
import { addServingOptions, type ServingFlags } from '../../src/commands/serving-flags.ts';

const addresses = async (args: readonly string[], env: Record<string, string> = {}) => {
  const flags = addServingOptions(addProxyOptions(new Command()))
    .parse(args, { from: 'user' })
    .opts<ProxyFlags & ServingFlags>();
  const terminal = {
    cwd: import.meta.dirname,
    env,
    home: import.meta.dirname,
    isInteractive: false,
    err: () => undefined,
  };
  const { upstreams } = await proxySettings(flags, terminal as never);
  return Object.fromEntries(
    Object.entries(upstreams).map(([name, url]) => [name, url instanceof URL ? url.href : url]),
  );
};

it('are those of the providers without options', async () => {
  expect(await addresses([])).toEqual({
    openai: 'https://api.openai.com/v1',
    chatgpt: 'https://chatgpt.com/backend-api/codex',
    anthropic: 'https://api.anthropic.com/',
    gemini: 'https://generativelanguage.googleapis.com/',
    vertex: null,
    bedrock: 'us-east-1',
    ollama: 'http://127.0.0.1:11434/',
  });
});

it('with tokens, have a server on this machine only if it is named', async () => {
  expect((await addresses(['--tokens', 'file'])).ollama).toBeNull();
  const named = await addresses(['--tokens', 'file'], { OLLAMA_HOST: '127.0.0.1' });
  expect(named.ollama).toBe('http://127.0.0.1:11434/');
});

it('send the requests of every login to a server that is named for OpenAI', async () => {
  expect((await addresses(['--openai', 'http://127.0.0.1:8000/v1'])).chatgpt).toBe('http://127.0.0.1:8000/v1');
  expect((await addresses([], { OPENAI_BASE_URL: 'https://gateway.example/v1' })).chatgpt).toBe(
    'https://gateway.example/v1',
  );
  const both = await addresses(['--openai', 'http://127.0.0.1:8000/v1', '--chatgpt', 'http://127.0.0.1:9000']);
  expect(both.chatgpt).toBe('http://127.0.0.1:9000/');
});

it('keep the gateway for Vertex, whichever variable names it', async () => {
  for (const variable of ['ANTHROPIC_VERTEX_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'])
    expect((await addresses([], { [variable]: 'https://gateway.example/vertex' })).vertex).toBe(
      'https://gateway.example/vertex',
    );
});

it.each([
  ['192.168.0.5', 'http://192.168.0.5:11434/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080/'],
  [':8080', 'http://127.0.0.1:8080/'],
  ['[::]:80', 'http://127.0.0.1/'],
  ['models.example/ollama', 'http://models.example:11434/ollama'],
  ['https://ollama.com', 'https://ollama.com/'],
])('read OLLAMA_HOST=%s as Ollama does', async (host, address) => {
  expect((await addresses([], { OLLAMA_HOST: host })).ollama).toBe(address);
});
