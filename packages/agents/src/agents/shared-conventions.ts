import type { AgentProfile } from '../agent-profile.ts';

/** Conventions shared by many agents, chat templates and tool servers, such as ReAct prompts and function results. */
export const sharedConventions: AgentProfile = {
  name: 'shared conventions',
  tags: {
    observed: [
      'tool_response',
      'tool_result',
      'tool_results',
      'tool_output',
      'function_results',
      'function_result',
      'function_response',
      'observation',
    ],
  },
  openings: [
    /(?:Observation|Tool (?:result|output|response))\b[^\n]{0,40}:/,
    /\[(?:tool[ _](?:result|output|response)|TOOL[ _](?:RESULT|OUTPUT|RESPONSE))\b/i,
    /<(?:stdout|stderr|result|observation|tool_response)\b[^>]*>/i,
    /(?:#+ |\[|\*\*)?(?:Current |Active |Your )(?:todo list|todos|task list|TODO)\b[^\n]{0,60}(?:\n|$)\s*(?:[-*]|\d+\.|\[)/i,
    // People also write todo lists, but only harnesses write them with checkboxes or as JSON.
    /(?:#+ |\[|\*\*)?(?:The )?(?:todo list|todos|task list|TODO)\b[^\n]{0,60}\n\s{0,20}(?:(?:[-*]|\d{1,3}\.) )?\[/i,
    /(?:\[System:|\[SYSTEM\b|System reminder:|\[Automated|\[auto-continue)/i,
    /Your tool call (?:was|is|has|did|failed)\b/,
    // A web page as a reader service returns it.
    /Title: [^\n]{0,400}\n+URL Source: /,
    /diff --git a\//,
    /Current (?:browser|screen|page|window|screenshot)\b[^\n]{0,20}(?:\n|$)/i,
    /(?:Please )?(?:proceed to|continue with) the next step(?: using your best judge?ment)?\.?$/i,
  ],
  tools: {
    read: ['open_file'],
    // The file server of the Model Context Protocol.
    search: ['directory_tree', 'list_allowed_directories', 'list_directory_with_sizes'],
    fetch: ['internet_search', 'news_search', 'open_url', 'search_web'],
    several: ['text_editor', 'edit_tool', 'editor_tool'],
  },
  fileTools: {
    // The language server of Serena.
    edit: [
      'replace_symbol_body',
      'insert_after_symbol',
      'insert_before_symbol',
      'replace_content',
      'replace_lines',
      'insert_at_line',
      'delete_lines',
      'rename_symbol',
      'replace_regex',
    ],
    write: ['create_text_file'],
    copy: ['copy_file'],
  },
  instructionFiles: ['SKILL', 'CONVENTIONS', 'copilot-instructions', 'windsurfrules', 'WARP', 'RULES'],
  results: {
    tags: ['stdout'],
    heads: [{ edge: 'E', needs: 'Exit code', shape: /^(?:Error: )?Exit code:? (-?\d+)(?:\n|$)/ }],
    tails: [
      {
        edge: ']',
        needs: 'xit',
        shape:
          /(?:^|\n)(?:\[[^[\]\n]{0,200}\]\n){0,4}\[[^[\]\n]{0,60}\bexit(?:ed)?(?: with)?(?: code| status)?:? (-?\d+)\.?\]\s*$/i,
      },
      {
        edge: '.)0123456789',
        needs: 'xit',
        shape:
          /(?:^|\n)\(?(?:(?:Command|Process) )?exit(?:ed)?(?: with)?(?: exit)?(?: code| status):? (-?\d+)[.)]?\s*$/i,
      },
    ],
    errors: [
      /(?:Error|ERROR|Tool error)\b ?[:(]/,
      /Request failed with status code/,
      /Traceback \(most recent call last\):/,
    ],
  },
  summaries: {
    openings: [],
    // Headings of Hermes Agent, of this library and of Claude Code.
    contents: [
      /^[ \t]{0,3}(?:#{1,4}[ \t]+|\*\*)(?:\d{1,2}\. )?(?:(?:Historical|Active|Current|Open|Standing|Key|Prior) )?(?:Tasks?|Goals?|Objectives?|Constraints|Preferences|Instructions|Completed|Progress|In[ -]Progress|Done|Blocked|State|Decisions|Discoveries|Accomplished|Resolved|Pending|Relevant|Remaining|Next Steps|Critical Context|Context|Notes|Summary|User)\b/,
    ],
  },
};
