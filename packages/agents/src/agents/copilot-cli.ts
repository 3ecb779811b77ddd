import type { AgentProfile } from '../agent-profile.ts';

/** GitHub Copilot in a terminal. */
export const copilotCli: AgentProfile = {
  name: 'Copilot CLI',
  programs: {
    // `copilot help providers`. Without these variables, it uses its login and GitHub's own address.
    copilot({ env }) {
      const { COPILOT_PROVIDER_BASE_URL: address, COPILOT_PROVIDER_TYPE: type = 'openai' } = env;
      if (!address || (type !== 'openai' && type !== 'anthropic'))
        throw new Error(
          'copilot goes through the proxy only with a provider of your own: set COPILOT_PROVIDER_BASE_URL to its address, COPILOT_PROVIDER_TYPE to openai or anthropic, COPILOT_PROVIDER_API_KEY and COPILOT_MODEL. Requests with a login of GitHub cannot be sent elsewhere',
        );
      const path = type === 'anthropic' ? '/anthropic' : '/openai/v1';
      return {
        env: {
          COPILOT_PROVIDER_BASE_URL: `{url}${path}`,
          COPILOT_PROVIDER_TRANSPORT: 'http',
          // It counts its whole history itself, which the proxy sends shortened, and would cut it near the window.
          COPILOT_PROVIDER_MAX_PROMPT_TOKENS: env.COPILOT_PROVIDER_MAX_PROMPT_TOKENS ?? '100000000',
        },
        upstreams: { [type]: address },
      };
    },
  },
  tags: { beside: ['current_datetime'] },
  signs: {
    prompts: [/\bGitHub Copilot CLI\b/],
    tools: ['read_bash', 'stop_bash', 'list_bash', 'fetch_copilot_cli_documentation', 'session_store_sql'],
  },
  tools: {
    ask: ['ask_user'],
    command: ['bash', 'read_bash', 'stop_bash', 'list_bash'],
    read: ['view'],
    write: ['create', 'edit'],
    search: ['grep', 'glob'],
    delegate: ['task', 'read_agent', 'list_agents', 'write_agent'],
  },
  results: {
    tails: [
      { edge: '>', needs: '<shellId: ', shape: /\n?<shellId: \w{1,20} completed with exit code (-?\d{1,10})>\s*$/ },
    ],
  },
  summaries: {
    openings: [/Some of the conversation history has been summarized to free up context\./],
    contents: [/^Here is a summary of the prior context:$/],
  },
  summaryRequests: [/Please create a detailed summary of the conversation so far\. The history is being compacted\b/],
};
