import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartSettings } from '@palimpsest/agents';
import { describe, expect, it } from 'vitest';
import { agentStart } from '../../src/agents/agent-start.ts';
import { fillIn } from '../../src/agents/run-agent.ts';

const start = (program: string, env: Readonly<Record<string, string>> = {}): StartSettings =>
  agentStart(program, { env, home: '/nowhere' });

describe('an agent is told the address of the proxy', () => {
  it('by the environment: claude, gemini, aider and others', () => {
    expect(start('/usr/bin/claude')).toEqual({
      env: { ANTHROPIC_BASE_URL: '{url}/anthropic', ANTHROPIC_VERTEX_BASE_URL: '{url}/vertex/v1' },
    });
    expect(start('claude', { AWS_BEARER_TOKEN_BEDROCK: 'key' }).env).toMatchObject({
      ANTHROPIC_BEDROCK_BASE_URL: '{url}/bedrock',
    });
    expect(start('gemini')).toEqual({
      env: { GOOGLE_GEMINI_BASE_URL: '{url}/gemini', GOOGLE_VERTEX_BASE_URL: '{url}/vertex' },
    });
    expect(start('aider').env).toMatchObject({ OPENAI_API_BASE: '{url}/openai/v1' });
    expect(start('my-agent').env).toEqual({
      OPENAI_BASE_URL: '{url}/openai/v1',
      ANTHROPIC_BASE_URL: '{url}/anthropic',
      ANTHROPIC_VERTEX_BASE_URL: '{url}/vertex/v1',
      GOOGLE_GEMINI_BASE_URL: '{url}/gemini',
      GOOGLE_VERTEX_BASE_URL: '{url}/vertex',
    });
  });

  it('never by OLLAMA_HOST, which is also where "ollama serve" listens', () => {
    for (const program of ['ollama', 'my-agent']) expect(start(program).env).not.toHaveProperty('OLLAMA_HOST');
  });

  it('by arguments: codex and pi', () => {
    expect(start('codex.exe').arguments).toEqual([
      '-c',
      'openai_base_url="{url}/openai/v1"',
      '-c',
      'features.enable_request_compression=false',
    ]);
    const { arguments: own, file } = start('pi');
    expect(own).toEqual(['--extension', '{file}']);
    expect(file?.text).toContain('{url}/anthropic');
  });

  it('by a configuration in the environment that keeps what is in it: opencode', () => {
    const given = { model: 'a', provider: { openai: { options: { timeout: 5 } }, other: {} } };
    const { env } = start('opencode', { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) });
    expect(JSON.parse(env!.OPENCODE_CONFIG_CONTENT!)).toEqual({
      model: 'a',
      provider: {
        openai: { options: { timeout: 5, baseURL: '{url}/openai/v1' } },
        anthropic: { options: { baseURL: '{url}/anthropic/v1' } },
        other: {},
      },
    });
    expect(() => start('opencode', { OPENCODE_CONFIG_CONTENT: '{' })).toThrow(/not JSON/);
  });

  it('by the variables of a provider of the user, whose address the proxy uses: copilot', () => {
    const provider = { COPILOT_PROVIDER_BASE_URL: 'https://api.example.com', COPILOT_PROVIDER_TYPE: 'anthropic' };
    expect(start('copilot', provider)).toEqual({
      env: {
        COPILOT_PROVIDER_BASE_URL: '{url}/anthropic',
        COPILOT_PROVIDER_TRANSPORT: 'http',
        // It does not cut its own history off before the proxy shortens it.
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000000',
      },
      upstreams: { anthropic: 'https://api.example.com' },
    });
    expect(start('copilot', { COPILOT_PROVIDER_BASE_URL: 'https://example.com/v1' })).toMatchObject({
      env: { COPILOT_PROVIDER_BASE_URL: '{url}/openai/v1' },
      upstreams: { openai: 'https://example.com/v1' },
    });
    const limited = { ...provider, COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '90000' };
    expect(start('copilot', limited).env).toMatchObject({ COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '90000' });
    expect(() => start('copilot')).toThrow(/set COPILOT_PROVIDER_BASE_URL/);
    expect(() => start('copilot', { ...provider, COPILOT_PROVIDER_TYPE: 'azure' })).toThrow(/openai or anthropic/);
  });

  it('by a copy of its settings with the provider in use, and no login of another: cline', () => {
    const home = mkdtempSync(join(tmpdir(), 'palimpsest-cline-'));
    const settings = join(home, '.cline/data/settings');
    mkdirSync(settings, { recursive: true });
    const written = (lastUsedProvider: string, baseUrl?: string): void =>
      writeFileSync(
        join(settings, 'providers.json'),
        JSON.stringify({
          version: 1,
          lastUsedProvider,
          providers: {
            anthropic: { settings: { apiKey: 'k', baseUrl }, tokenSource: 'manual' },
            cline: { settings: {} },
          },
        }),
      );
    const cline = (): StartSettings => agentStart('cline', { env: {}, home });
    try {
      expect(cline).toThrow(/names no provider/);
      written('cline');
      expect(cline).toThrow(/names cline/);
      written('anthropic');
      expect(cline().upstreams).toEqual({});
      written('anthropic', 'https://api.example.com/v1');
      const { env, file, upstreams } = cline();
      expect(env).toEqual({ CLINE_PROVIDER_SETTINGS_PATH: '{file}', CLINE_SESSION_BACKEND_MODE: 'local' });
      expect(upstreams).toEqual({ anthropic: 'https://api.example.com' });
      expect(JSON.parse(file!.text)).toEqual({
        version: 1,
        lastUsedProvider: 'anthropic',
        providers: { anthropic: { settings: { apiKey: 'k', baseUrl: '{url}/anthropic/v1' }, tokenSource: 'manual' } },
      });
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

it('by settings with the address of the model in use: qwen', () => {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-qwen-'));
  const variables = { OPENAI_BASE_URL: '{url}/openai/v1', ANTHROPIC_BASE_URL: '{url}/anthropic' };
  const qwen = (): StartSettings => agentStart('qwen', { env: {}, home });
  const written = (text: string): void => writeFileSync(join(home, '.qwen/settings.json'), text);
  try {
    expect(qwen()).toEqual({ env: variables });
    mkdirSync(join(home, '.qwen'));
    written('// none');
    expect(qwen()).toEqual({ env: variables });
    const model = (id: string, host: string): object => ({ id, baseUrl: `https://${host}/v1`, envKey: 'KEY' });
    const openai = [model('a', 'a.example.com'), model('b', 'b.example.com'), model('c', 'b.example.com')];
    written(JSON.stringify({ model: { name: 'c' }, modelProviders: { openai, gemini: [{ id: 'g' }] } }));
    const { env, file, upstreams } = qwen();
    expect(env).toEqual({ ...variables, QWEN_CODE_SYSTEM_SETTINGS_PATH: '{file}' });
    expect(upstreams).toEqual({ openai: 'https://b.example.com/v1' });
    const [a, b, c] = openai;
    const baseUrl = '{url}/openai/v1';
    expect(JSON.parse(file!.text)).toEqual({
      modelProviders: { openai: [a, { ...b, baseUrl }, { ...c, baseUrl }], gemini: [{ id: 'g' }] },
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('fills the addresses in, and writes the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-start-'));
  try {
    const settings = {
      env: { A: '{url}/a', F: '{file}' },
      arguments: ['{file}'],
      file: { name: 'f', text: '"{url}/b"' },
    };
    const path = join(folder, 'f');
    expect(await fillIn(settings, 'http://127.0.0.1:1', folder)).toEqual({
      env: { A: 'http://127.0.0.1:1/a', F: path },
      arguments: [path],
    });
    expect(readFileSync(path, 'utf8')).toBe('"http://127.0.0.1:1/b"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
