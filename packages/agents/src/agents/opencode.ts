import { isRecord } from '@palimpsest/core/authoring';
import type { AgentProfile, AgentStart } from '../agent-profile.ts';

export const opencode: AgentProfile = {
  name: 'opencode',
  programs: { opencode: startWithProviders('OPENCODE_CONFIG_CONTENT') },
  openings: [/The following tool was executed by the user$/],
  // An attached file, folder or resource; its text follows in the next part.
  labels: [
    /Called the \w{1,40} tool with the following input: [^\n]*/,
    /Reading MCP resource: [^\n]*/,
    /(?:Read tool|MCP resource) failed to read [^\n]*/i,
  ],
  signs: {
    prompts: [/\bYou are opencode\b/i],
    tools: ['todowrite', 'todoread', 'webfetch', 'websearch', 'codesearch', 'multiedit'],
  },
  tools: {
    ask: ['question'],
    command: ['bash'],
    read: ['read'],
    write: ['write', 'edit', 'patch'],
    search: ['glob', 'grep', 'list'],
    delegate: ['task'],
  },
  fileTools: { patch: ['patch', 'apply_patch'] },
  results: {
    answers: [/The user (?:rejected permission|dismissed this question)\b/],
    refused: [/The user rejected permission\b/],
    refusals: [/The user rejected permission to use this specific tool call with the following feedback:\s{0,4}/],
    tails: [{ edge: '>', needs: '</', shape: /\n{0,2}<bash_metadata>[^<]{0,700}<\/bash_metadata>\s*$/ }],
  },
  summaryRequests: [
    /You are a (?:helpful AI assistant tasked with summarizing conversations|context summarization agent)\b/,
    /Here is the conversation so far:\s{0,4}<conversation>/,
    /Provide a detailed prompt for continuing our conversation above\b/,
  ],
};

/** Changes the addresses of two providers in the configuration that a variable of the environment has. */
export function startWithProviders(variable: string): AgentStart {
  return ({ env }) => {
    const config = record(parseConfiguration(variable, env[variable] ?? '{}'));
    const providers = record(config.provider);
    const at = (name: string, baseURL: string): object => {
      const provider = record(providers[name]);
      return { ...provider, options: { ...record(provider.options), baseURL } };
    };
    const [openai, anthropic] = [at('openai', '{url}/openai/v1'), at('anthropic', '{url}/anthropic/v1')];
    return { env: { [variable]: JSON.stringify({ ...config, provider: { ...providers, openai, anthropic } }) } };
  };
}

function parseConfiguration(variable: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${variable} in the environment is not JSON; correct it, or unset it`);
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
