import type { AgentProfile } from '../agent-profile.ts';

export const opencode: AgentProfile = {
  name: 'opencode',
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
