import type { AgentProfile } from '../agent-profile.ts';

export const claudeCode: AgentProfile = {
  name: 'Claude Code',
  programs: {
    // https://code.claude.com/docs/en/llm-gateway
    claude: ({ env: { AWS_BEARER_TOKEN_BEDROCK: bedrockKey } }) => ({
      env: {
        ANTHROPIC_BASE_URL: '{url}/anthropic',
        ANTHROPIC_VERTEX_BASE_URL: '{url}/vertex/v1',
        // Only with an API key: signed requests need credentials in the proxy, too. Not AWS_ENDPOINT_URL_BEDROCK_RUNTIME: AWS's
        // SDK for JavaScript uses HTTP/2, which the proxy does not.
        ...(bedrockKey && { ANTHROPIC_BEDROCK_BASE_URL: '{url}/bedrock' }),
      },
    }),
  },
  tags: {
    beside: ['ide_opened_file', 'ide_selection', 'user-prompt-submit-hook'],
    observed: [
      'system-reminder',
      'task-notification',
      'local-command-stdout',
      'local-command-stderr',
      'local-command-caveat',
      'bash-input',
      'bash-stdout',
      'bash-stderr',
    ],
  },
  openings: [
    /\[(?:Request interrupted|Request cancelled|Interrupted)\b/i,
    /<task-notification\b[^>]*>/i,
    // The text of a skill. The user's own words are in the message before it.
    /Base directory for this skill: /,
    // Built-in commands that request nothing from the model.
    /<command-(?:name|message|args)>\s*\/?(?:exit|clear|compact|plugin|model|login|logout|help|status|config|cost|resume|quit|mcp)\b/i,
    // Saved transcripts.
    /\*\*Result:\*\* [\u2705\u274c]/,
  ],
  instructions: [
    /<system-reminder>\s{0,8}[^\n]{0,200}\b(?:[Ff]ollowing context\b|[Ii]nstructions\b|[Aa]vailable (?:agents?|skills|tools)\b|(?:agents?|agent types|skills|tools) are (?:now )?available\b)/,
    /<system-reminder>\s{0,8}# (?:claudeMd|CLAUDE\.md)\b/,
  ],
  signs: {
    prompts: [/\bYou are Claude Code\b/, /\bClaude Agent SDK\b/],
    tools: [
      ...['Agent', 'Bash', 'BashOutput', 'Edit', 'Glob', 'Grep', 'MultiEdit', 'NotebookEdit', 'Read', 'Skill', 'Task'],
      ...['TaskCreate', 'TaskUpdate', 'TodoWrite', 'ToolSearch', 'WebFetch', 'WebSearch', 'Write'],
    ],
  },
  tools: {
    ask: ['ask_user_question'],
    command: ['bash', 'bash_output'],
    read: ['read', 'notebook_read'],
    write: ['write', 'edit', 'multi_edit', 'notebook_edit'],
    several: ['str_replace_based_edit_tool'],
    search: ['glob', 'grep', 'ls'],
    fetch: ['web_fetch', 'web_search'],
    delegate: ['task', 'agent', 'task_output'],
  },
  instructionFiles: ['CLAUDE'],
  results: {
    tags: ['tool_use_error'],
    tails: [{ edge: '>', needs: '</', shape: /\n{0,2}<system-reminder>[^<]{0,700}<\/system-reminder>\s*$/ }],
    changed: [
      /The file (\/[^\n]{1,500}?) has been (?:updated|edited)\b/,
      /File created successfully at: (\S[^\n]{0,500})/,
    ],
    errors: [/<tool_use_error>/, /API Error\b ?[:(]/],
    answers: [
      /(?:<tool_use_error>)?(?:The user (?:doesn't|does not) want to|User (?:has )?(?:answered|rejected|responded|said))/,
    ],
    refused: [
      /(?:<tool_use_error>)?(?:The user (?:doesn't|does not) want to (?:proceed with|take) this|User (?:has )?rejected\b)/,
      // Another call of the same answer failed, and this one was not made.
      /(?:<tool_use_error>)?Sibling tool call errored\b/,
    ],
    announcements: [/Launching skill: /],
    // Without words of the user, the harness says that they want to clarify the questions.
    refusals: [
      /The user (?:doesn't|does not) want to [^\n]{0,300}\bthe user said:\s{0,4}(?!\s{0,4}The user wants to clarify these questions)/,
    ],
  },
  summaries: {
    openings: [/\s{0,8}This session is being continued from a previous conversation[^\n]*\n?/],
    contents: [
      /^[ \t]{0,3}(?:<\/?(?:analysis|summary)>|(?:Analysis|Summary):[ \t]*$)/,
      /^[ \t]{0,3}(?:\d{1,2}\.[ \t]+)?(?:\*\*)?(?:Primary Request and Intent|Key Technical Concepts|All user messages|Pending Tasks|Current Work)\b/,
      /^[ \t]{0,8}This session is being continued[^\n]{0,120}\. The (?:conversation is summarized|summary(?: is)?) below\b/,
    ],
  },
  summaryRequests: [
    /(?:CRITICAL: Respond with TEXT ONLY\b[^\n]{0,100}\n[\s\S]{0,600}?)?Your task is to create a detailed summary of (?:the|this) (?:RECENT portion of the )?conversation\b/,
    /You are a helpful AI assistant tasked with summarizing conversations\b/,
  ],
};
