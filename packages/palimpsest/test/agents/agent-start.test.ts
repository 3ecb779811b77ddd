import { describe, expect, it } from 'vitest';
import { agentStart } from '../../src/agents/agent-start.ts';

const url = 'http://127.0.0.1:4141';

describe('an agent is told the address of the proxy', () => {
  it('by the environment: claude, gemini, aider and others', () => {
    expect(agentStart('/usr/bin/claude')(url, {})).toEqual({
      env: { ANTHROPIC_BASE_URL: `${url}/anthropic`, ANTHROPIC_VERTEX_BASE_URL: `${url}/vertex/v1` },
    });
    const withKey = { AWS_BEARER_TOKEN_BEDROCK: 'key' };
    expect(agentStart('claude')(url, withKey).env).toMatchObject({ ANTHROPIC_BEDROCK_BASE_URL: `${url}/bedrock` });
    expect(agentStart('gemini')(url, {})).toEqual({
      env: { GOOGLE_GEMINI_BASE_URL: `${url}/gemini`, GOOGLE_VERTEX_BASE_URL: `${url}/vertex` },
    });
    expect(agentStart('aider')(url, {}).env).toMatchObject({ OPENAI_API_BASE: `${url}/openai/v1` });
    expect(agentStart('my-agent')(url, {}).env).toEqual({
      OPENAI_BASE_URL: `${url}/openai/v1`,
      ANTHROPIC_BASE_URL: `${url}/anthropic`,
      ANTHROPIC_VERTEX_BASE_URL: `${url}/vertex/v1`,
      GOOGLE_GEMINI_BASE_URL: `${url}/gemini`,
      GOOGLE_VERTEX_BASE_URL: `${url}/vertex`,
    });
  });

  it('by arguments: codex and pi', () => {
    expect(agentStart('codex.exe')(url, {}).arguments).toEqual([
      '-c',
      `openai_base_url="${url}/openai/v1"`,
      '-c',
      'features.enable_request_compression=false',
    ]);
    const { arguments: own, file } = agentStart('pi')(url, {});
    expect(own).toEqual(['--extension', '{file}']);
    expect(file?.text).toContain(`${url}/anthropic`);
  });

  it('by a configuration in the environment that keeps what is in it: opencode', () => {
    const given = { model: 'a', provider: { openai: { options: { timeout: 5 } }, other: {} } };
    const { env } = agentStart('opencode')(url, { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) });
    expect(JSON.parse(env!.OPENCODE_CONFIG_CONTENT!)).toEqual({
      model: 'a',
      provider: {
        openai: { options: { timeout: 5, baseURL: `${url}/openai/v1` } },
        anthropic: { options: { baseURL: `${url}/anthropic/v1` } },
        other: {},
      },
    });
    expect(() => agentStart('opencode')(url, { OPENCODE_CONFIG_CONTENT: '{' })).toThrow(/not JSON/);
  });
});
