import { readdirSync, readFileSync } from 'node:fs';
import { contentText, type Message, type Part, readAnyHandoff } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import {
  type AgentProfile,
  agentReader,
  asksForSummary,
  isFromPerson,
  knownAgents,
  readToolName,
  toolClass,
} from '../src/index.ts';
import { resultReader } from '../src/results/result-reader.ts';

const user = (content: Message['content']): Message => ({ role: 'user', content });
const text = (written: string): Part => ({ type: 'text', text: written }) as Part;
const said = (content: Message['content']): string | null => {
  const { said: own } = agentReader.separateSpeech(user(content));
  return own && contentText(own.content);
};

interface AgentTable {
  /** User messages that no person typed. */
  readonly inserted?: readonly string[];
  /** User messages with a person's words in them, and those words. */
  readonly said?: Readonly<Record<string, string>>;
  /** Tool names as the agent calls them, by class. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** Tool results, with the output and the exit code in them. */
  readonly results?: Readonly<Record<string, readonly [output: string, exitCode: number | null]>>;
  /** Texts that state which file was changed, and its path. */
  readonly changed?: Readonly<Record<string, string>>;
  /** The agent's summaries, with the user's words after them. */
  readonly summaries?: Readonly<Record<string, string>>;
  /** How the texts begin with which the agent asks for a summary, copied from its code. */
  readonly summaryRequests?: readonly string[];
}

/** Every known agent must have an entry, so that a new agent comes with examples. */
const tables: Readonly<Record<string, AgentTable>> = {
  aider: {
    // Of version 0.86.
    inserted: [
      'Here is the content of https://example.com/a:\n\nAlways push.',
      'I ran this command:\n\nnpm test\n\nAnd got this output:\n\nok\n',
      'I have *added these files to the chat* so you can go ahead and edit them.\n\na.ts\n```\nlet a = 1;\n```',
      'Here are summaries of some files present in my git repository.\nDo not propose changes to these files',
      'Here are some READ ONLY files, provided for your reference.\nDo not edit these files!',
    ],
    said: {
      'Sum up https://example.com/a\n\nHere is the content of https://example.com/a:\n\nAlways push.':
        'Sum up https://example.com/a',
      'Here is the content of the file, fix it:\nlet a;': 'Here is the content of the file, fix it:\nlet a;',
    },
    changed: { '> Applied edit to src/a.ts  ': 'src/a.ts' },
  },
  AutoGen: {
    inserted: [
      'exitcode: 0 (execution succeeded)\nCode output: 3',
      '***** Response from calling tool (call_1) *****\n3',
      "I clicked 'Next'.\n\nHere is a screenshot of [Docs](https://example.com).",
      'Address: file:///a.md\nTitle: a\nViewport position: Showing page 1 of 1.',
    ],
  },
  'browser-use': {
    inserted: [
      '<agent_history>\n<step_1>ok</step_1>\n</agent_history>',
      '<browser_state>\nCurrent tab: 1\n</browser_state>',
      '[Current state starts here]\nCurrent url: https://example.com',
      'Action result: clicked',
    ],
  },
  'Claude Code': {
    // Of version 2.1.330.
    summaryRequests: [
      "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests",
      'Your task is to create a detailed summary of the RECENT portion of the conversation',
      'Your task is to create a detailed summary of this conversation. This summary will be placed at the start',
      'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do not read files.\n\nYour task is to create a detailed summary of the conversation so far',
      'You are a helpful AI assistant tasked with summarizing conversations.',
    ],
    changed: {
      'The file /r/a.ts has been updated. Here is the result': '/r/a.ts',
      'File created successfully at: /r/new file.ts\nDone': '/r/new file.ts',
    },
    inserted: [
      '[Request interrupted by user for tool use]',
      '<system-reminder>Use the todo tool.</system-reminder>',
      '<command-name>/clear</command-name>\n<command-message>clear</command-message>',
      '<local-command-stdout>Bye!</local-command-stdout>',
      '<bash-input>ls</bash-input><bash-stdout>a</bash-stdout>',
      '<task-notification>agent 3 is done</task-notification>',
      'Base directory for this skill: /home/me/.claude/skills/debugging\n\n# Debugging\n\nYou MUST find the cause first.',
    ],
    said: {
      '<system-reminder>Use the todo tool.</system-reminder>\nfix the test': 'fix the test',
      '<ide_opened_file>src/a.ts</ide_opened_file>\nfix the test': 'fix the test',
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src</command-args>':
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src</command-args>',
    },
    tools: {
      command: ['Bash', 'BashOutput'],
      read: ['Read', 'NotebookRead'],
      write: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
      search: ['Glob', 'Grep', 'LS'],
      fetch: ['WebFetch', 'WebSearch'],
      delegate: ['Task', 'Agent', 'TaskOutput'],
      ask: ['AskUserQuestion'],
      generic: ['TodoWrite'],
    },
    results: {
      '<tool_use_error>No such file</tool_use_error>': ['No such file', null],
      'Exit code 1\nfailed': ['failed', 1],
      'ok\n\n<system-reminder>x</system-reminder>': ['ok', null],
    },
    summaries: {
      'This session is being continued from a previous conversation.\nAnalysis:\nFine.\n\nSummary:\n1. Primary Request and Intent:\n   x':
        '',
    },
  },
  'Cline, Roo Code, Kilo Code': {
    inserted: [
      "[read_file for 'a.ts'] Result:\nlet a = 1;",
      '[ERROR] You did not use a tool in your previous response!',
      'The tool execution failed with the following error:\n<error>x</error>',
      '<environment_details>\n# Files\n</environment_details>',
    ],
    said: {
      "[ask_followup_question for 'which?'] Result:\n<answer>\nthe second\n</answer>": 'the second',
      '[attempt_completion] Result:\n<feedback>\nnow the docs\n</feedback>': 'now the docs',
      '[TASK RESUMPTION] This task was interrupted.\n<user_message>\ngo on\n</user_message>': 'go on',
      '<environment_details>\ncwd\n</environment_details>\nmend it': 'mend it',
      // Of version 3.0.65.
      '<mode_notice>The user switched from plan mode to act mode</mode_notice>\nmend it': 'mend it',
    },
    tools: {
      command: ['execute_command', 'run_commands'],
      read: ['read_file', 'read_files'],
      write: ['write_to_file', 'replace_in_file', 'apply_diff', 'insert_content'],
      search: ['search_files', 'list_files', 'codebase_search', 'search_codebase'],
      browse: ['browser_action'],
      ask: ['ask_followup_question', 'ask_question'],
    },
    summaries: { 'Context summary:\n\n## Goal\nAll pass.\n\n## State\n- Done: all': '' },
    summaryRequests: [
      'Summarize the provided coding session into a concise continuation note with detailed next steps.',
      'Summarize this session for continuation. Be concise and factual.\n\n## Goal',
    ],
  },
  Codex: {
    summaryRequests: [
      'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume the task.',
    ],
    inserted: [
      '<environment_context>\n<cwd>/repo</cwd>\n</environment_context>',
      '# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>',
      '# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>\nAlways push.\n</INSTRUCTIONS>',
      '<permissions instructions>\nNever ask for `rm`.\n</permissions instructions>',
      '<skills_instructions>\n## Skills\nAlways open SKILL.md first.\n</skills_instructions>',
      '<user_instructions>\nAlways use tabs.\n</user_instructions>',
      '<user_shell_command>\n<command>\nls\n</command>\n<result>\nAlways push.\n</result>\n</user_shell_command>',
      '<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>',
      '<skill>\n<name>docs</name>\n<path>/s/SKILL.md</path>\nAlways push.\n</skill>',
    ],
    said: {
      'What are AGENTS.md instructions? Never edit them.': 'What are AGENTS.md instructions? Never edit them.',
      '# AGENTS.md instructions\nAlways use tabs.': '# AGENTS.md instructions\nAlways use tabs.',
      '<environment_context>\n<cwd>/repo</cwd>\n</environment_context>\nfix it': 'fix it',
    },
    tools: {
      command: ['shell', 'local_shell', 'container.exec', 'exec_command', 'write_stdin', 'unified_exec'],
      write: ['apply_patch'],
      delegate: ['spawn_agent', 'wait_agent'],
      ask: ['request_user_input'],
      generic: ['update_plan'],
    },
    results: {
      'Chunk ID: a\nWall time: 30.0 seconds\nProcess running with session ID 42\nOriginal token count: 3\nOutput:\nok':
        ['ok', null],
      'Wall time: 1 seconds\nProcess running with session ID 42\nOutput:\n': ['', null],
      'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok': ['ok', 0],
      'Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 3\nOutput:\nbad': [
        'bad',
        2,
      ],
    },
  },
  Cursor: {
    inserted: ['<user_info>\nOS: linux\n</user_info>', '<system_reminder>Be brief.</system_reminder>'],
    said: {
      '<open_and_recently_viewed_files>\n- a.ts\n</open_and_recently_viewed_files>\n<user_query>\nfix it\n</user_query>':
        '<user_query>\nfix it\n</user_query>',
    },
    tools: {
      command: ['run_terminal_cmd'],
      read: ['read_file'],
      write: ['edit_file', 'search_replace', 'delete_file'],
      search: ['codebase_search', 'grep_search', 'file_search', 'list_dir'],
      fetch: ['web_search'],
    },
  },
  'Gemini CLI': {
    // Of version 0.61.
    summaryRequests: [
      'You are a specialized system component responsible for distilling chat history into a structured XML <state_snapshot>.',
      'Generate a new <state_snapshot> based on the provided history.\n\nFirst, reason in your scratchpad.',
      'A previous <state_snapshot> exists in the history. You MUST integrate all still-relevant information',
      'Critically evaluate the <state_snapshot> you just generated. Did you omit any specific technical details?',
    ],
    inserted: [
      "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\nToday's date is Monday.\n</session_context>",
      '<hook_context>Always push.</hook_context>',
    ],
    summaries: {
      '<state_snapshot>\n    <overall_goal>\n        Mend the build.\n    </overall_goal>\n</state_snapshot>': '',
    },
    tools: {
      command: ['run_shell_command'],
      read: ['read_file', 'read_many_files'],
      write: ['write_file', 'replace'],
      search: ['glob', 'search_file_content', 'list_directory'],
      fetch: ['google_web_search', 'web_fetch'],
    },
  },
  'Copilot CLI': {
    // Of version 1.0.102.
    said: {
      '<current_datetime>2026-11-28T15:25:50.918+00:00</current_datetime>\n\nRun the checks.': 'Run the checks.',
    },
    tools: { command: ['bash', 'read_bash'], read: ['view'], write: ['create', 'edit'], delegate: ['task'] },
    results: { 'bad\n<shellId: 3 completed with exit code 1>': ['bad', 1] },
    summaries: {
      'Some of the conversation history has been summarized to free up context.\n\nYou were originally given instructions from a user over one or more turns. Here were the user messages:\n<user_message>\nRun the checks.\n</user_message>\n\nHere is a summary of the prior context:\n<summary>\nAll pass.\n</summary>':
        '',
    },
    summaryRequests: [
      'Please create a detailed summary of the conversation so far. The history is being compacted so moving forward, all conversation history will be removed',
    ],
  },
  'Hermes Agent': {
    tools: {
      command: ['terminal', 'execute_code'],
      read: ['read_file'],
      write: ['write_file', 'patch'],
      search: ['search_files', 'session_search'],
      browse: ['browser_navigate', 'browser_vision'],
      fetch: ['web_search', 'web_extract'],
      delegate: ['delegate_task'],
      ask: ['clarify'],
    },
    summaries: {
      '[CONTEXT SUMMARY]:\n## Goal\nFix it.': '',
      '[CONTEXT COMPACTION \u2014 REFERENCE ONLY] Earlier turns were compacted.\nthe goal': '',
      '[CONTEXT COMPACTION - X]\nthe goal\n\n--- END OF CONTEXT SUMMARY - answer below ---\n\nand now?': 'and now?',
    },
  },
  'Kilo Code 7': {
    // Of version 7.7.7.
    said: {
      'Run the checks.\n\n<environment_details>\nWorking directory: /r\n</environment_details>': 'Run the checks.',
    },
    tools: { command: ['bash', 'background_process'], search: ['kilo_local_recall'] },
  },
  'mini-swe-agent': {
    inserted: ['<returncode>0</returncode>\n<output>\nok\n</output>'],
    said: { 'I get <returncode>1</returncode>, why?': 'I get , why?' },
    tools: { command: ['bash'] },
    results: { '<returncode>3</returncode>\n<output>\nbad\n</output>': ['bad', 3] },
  },
  OpenHands: {
    inserted: ['EXECUTION RESULT of [execute_bash]:\nok'],
    tools: {
      command: ['execute_bash', 'terminal'],
      several: ['str_replace_editor', 'file_editor'],
      browse: ['browser'],
    },
    results: { 'ok\n[Python interpreter: /bin/python]\n[Command finished with exit code 0]': ['ok', 0] },
  },
  opencode: {
    inserted: [
      'Called the Read tool with the following input: {"filePath":"/r/a.ts"}',
      'Reading MCP resource: notes (docs://notes)',
      'The following tool was executed by the user',
    ],
    tools: {
      command: ['bash'],
      read: ['read'],
      write: ['write', 'edit', 'patch'],
      search: ['glob', 'grep', 'list'],
      delegate: ['task'],
    },
    results: { 'ok\n\n<bash_metadata>\ntimed out\n</bash_metadata>': ['ok', null] },
    // The system prompt of version 1.18.33, and the user message of its next generation.
    summaryRequests: [
      'You are a context summarization agent. You are given a conversation between a user and an agent. Your goal is to produce a structured summary',
      'Here is the conversation so far:\n\n<conversation>\n[User]: Fix the test.\n</conversation>\n\nCreate a new anchored summary',
    ],
  },
  pi: {
    inserted: ['Ran `npm test`\n```\nok\n```'],
    tools: { command: ['bash'], read: ['read'], write: ['write', 'edit'], search: ['find', 'grep', 'ls'] },
    results: { 'bad\n\nCommand exited with code 1': ['bad\n', 1] },
    // The system prompt of all summaries of version 0.73.1.
    summaryRequests: [
      'You are a context summarization assistant. Your task is to read a conversation between a user and an AI coding assistant, then produce a structured summary following the exact format specified.',
    ],
  },
  'Qwen Code': {
    // Of version 0.24.4.
    said: {
      '<system-reminder>\nThe current date is: Saturday.\n</system-reminder>\nRun the checks.': 'Run the checks.',
    },
    tools: {
      ask: ['ask_user_question'],
      command: ['run_shell_command'],
      read: ['read_file'],
      write: ['write_file', 'edit', 'notebook_edit'],
      search: ['glob', 'grep_search'],
      delegate: ['agent'],
    },
    results: {
      'Command: npm test\nDirectory: (root)\nOutput: bad\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: (none)':
        ['bad', 1],
    },
    summaryRequests: [
      "You are the component that summarizes a conversation when its context window is about to overflow. The summary you produce will become the agent's ONLY memory",
      'You are a specialized context summarizer that creates a comprehensive markdown summary from chat history for future reference.',
    ],
  },
  'SWE-agent': {
    inserted: [
      'OBSERVATION:\nREADME.md\n(Open file: n/a)\n(Current directory: /repo)\nbash-$',
      'Your command ran successfully and did not produce any output.',
      'Your proposed edit has introduced new syntax error(s). Please read the error message.',
    ],
    said: { 'Your edit has broken the build': 'Your edit has broken the build' },
    tools: {
      read: ['open', 'goto', 'scroll_down'],
      search: ['search_dir', 'find_file'],
      several: ['str_replace_editor'],
    },
    results: { 'OBSERVATION:\nok\n(Open file: n/a)\n(Current directory: /repo)\nbash-$': ['ok', null] },
  },
  'shared conventions': {
    inserted: [
      'Observation: the file was saved',
      '[Tool response] done',
      '<tool_response>\n{"ok": true}\n</tool_response>',
      '## Current todo list\n- [x] read\n- [ ] write',
      '[System: your context is nearly full]',
      'Title: Example Domain\n\nURL Source: https://example.com\n\ntext',
      'Please proceed to the next step using your best judgement.',
    ],
    said: { 'TODO:\n- fix the login\n- add a test': 'TODO:\n- fix the login\n- add a test' },
    tools: {
      several: ['text_editor_20250728'],
      read: ['mcp__files__read_multiple_files'],
      search: ['mcp__files__directory_tree', 'mcp__files__list_allowed_directories'],
    },
    results: { 'bad\n(exit code 4)': ['bad', 4] },
  },
};

describe('every known agent', () => {
  it('has a file, is in the list, and has examples here', () => {
    const folder = new URL('../src/agents/', import.meta.url);
    const named = readdirSync(folder).map(
      (file) => /name: '(.+)',/.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1],
    );
    const listed = knownAgents.map(({ name }) => name);
    expect([...listed].sort()).toEqual([...named].sort());
    expect(Object.keys(tables).sort()).toEqual([...listed].sort());
  });

  it('gives a tool the class that all others give it', () => {
    const classes = new Map<string, string>();
    for (const { tools = {} } of knownAgents)
      for (const [kind, names] of Object.entries(tools))
        for (const name of names) {
          expect([name, classes.get(name) ?? kind]).toEqual([name, kind]);
          expect(readToolName(name).tool).toBe(name);
          expect([name, toolClass(name)]).toEqual([name, kind]);
          classes.set(name, kind);
        }
  });

  it('has patterns without state and without back references', () => {
    const patterns = (profile: AgentProfile): RegExp[] => [
      ...(profile.openings ?? []),
      ...(profile.labels ?? []),
      ...(profile.signs?.prompts ?? []),
      ...(profile.answers?.openings ?? []),
      ...(profile.results?.errors ?? []),
      ...(profile.results?.answers ?? []),
      ...(profile.results?.changed ?? []),
      ...(profile.textCalls?.results ?? []),
      ...(profile.summaries?.openings ?? []),
      ...(profile.summaries?.ends ?? []),
      ...(profile.summaries?.contents ?? []),
      ...(profile.summaryRequests ?? []),
    ];
    for (const profile of knownAgents)
      for (const pattern of patterns(profile)) {
        expect(['', 'i']).toContain(pattern.flags);
        expect(pattern.source).not.toMatch(/\\\d/);
      }
  });
});

describe.each(Object.entries(tables))(
  '%s',
  (agent, {
    inserted = [],
    said: spoken = {},
    tools = {},
    results = {},
    changed = {},
    summaries = {},
    summaryRequests: asked = [],
  }) => {
    it('inserts user messages that no person typed', () => {
      for (const written of inserted) {
        expect([written, said(written)]).toEqual([written, null]);
        expect(isFromPerson(user(written), 0, [])).toBe(false);
        expect(said([text('Why does the build fail?'), text(written)])).toBe('Why does the build fail?');
        const { inserted: quoted } = agentReader.separateSpeech(user(written));
        expect(contentText(quoted?.content).replace(/\s/g, '')).toBe(written.replace(/\s/g, ''));
      }
    });

    it("leaves a person's words", () => {
      for (const [written, own] of Object.entries(spoken)) expect([written, said(written)]).toEqual([written, own]);
    });

    it('has tools of known classes', () => {
      for (const [kind, names] of Object.entries(tools))
        for (const name of names) expect([name, toolClass(readToolName(name).tool)]).toEqual([name, kind]);
    });

    it('writes results whose output and exit code are known', () => {
      for (const [result, [output, exitCode]] of Object.entries(results)) {
        const found = resultReader.unwrap(result);
        expect([result.slice(found.from, found.to), found.exitCode]).toEqual([output, exitCode]);
      }
    });

    it('names the files that it changed', () => {
      const { textCalls } = knownAgents.find(({ name }) => name === agent)!;
      for (const [written, path] of Object.entries(changed))
        expect(resultReader.readChangedFile(written) ?? textCalls?.applied?.line.exec(written)?.[1]).toBe(path);
    });

    it('asks for summaries in texts that are recognized', () => {
      const { summaryRequests = [] } = knownAgents.find(({ name }) => name === agent)!;
      if (summaryRequests.length > 0) expect(asked).not.toEqual([]);
      for (const written of asked) {
        expect([written, asksForSummary([user(`\n${written}`)])]).toEqual([written, true]);
        expect(asksForSummary([user(`Where do you say "${written}"?`)])).toBe(false);
      }
    });

    it('writes summaries that are not requests', () => {
      for (const [written, rest] of Object.entries(summaries)) {
        expect(readAnyHandoff(user(written), agentReader)).toMatchObject({ version: 0, rest });
        expect(said(written) ?? '').toBe(rest);
      }
    });
  },
);
