import { rememberingNames } from './remembered-names.ts';

/** What kind of work a tool does: runs something, reads, writes, searches, looks at a page, fetches, delegates, asks the user. */
export type ToolClass = 'command' | 'read' | 'write' | 'search' | 'browse' | 'fetch' | 'delegate' | 'ask' | 'generic';

// By the tool's own name in snake case, as Claude Code, Codex, opencode, Hermes Agent, OpenHands, SWE-agent, Cline,
// Gemini CLI, pi and the common MCP servers call them. Verbs first, so that `git_read_file` or `read_multiple_files` fit.
const names: readonly (readonly [ToolClass, RegExp])[] = [
  ['ask', /^(?:ask|clarify|question|request_user_input|human_input)(?:_|$)/],
  [
    'command',
    /^(?:(?:execute|run|exec|local|container)_)?(?:bash|i?python3?|shell|sh|zsh|terminal|powershell|commands?|exec|code|cmd|tests?)(?:_(?:tool|interpreter|output|cmd|command|execute|exec))*$|^write_stdin$|^unified_exec$/,
  ],
  ['browse', /^(?:browser|browse|playwright|puppeteer|computer|page|chrome)(?:_|$)|screenshot$/],
  [
    'fetch',
    /^(?:web|url|http|fetch|visit|scrape|crawl|extract|tavily|brave|google|exa|wikipedia|arxiv|serp)_?(?:_|$|fetch|search|page|url|get)|^(?:internet|news)_search$|^open_url$|^search_web$/,
  ],
  [
    'delegate',
    /^(?:task|agent|sub_?agent|(?:delegate|spawn|dispatch|run|launch|invoke|call)_(?:task|agents?|sub_?agent)|task_output|agent_tool|wait_agent)$/,
  ],
  [
    'write',
    /^(?:write|edit|create|insert|append|overwrite|replace|patch|delete|remove|rename|move|apply|str_replace|search_replace|multi_edit|notebook_edit|undo|update|save)(?:_(?:to|in|files?|content|patch|diff|edit|editor|tool|based|notebook|directory|path|text))*$/,
  ],
  [
    'read',
    /^(?:read|view|open|cat|show|get|load)(?:_(?:files?|file_contents?|text_file|multiple_files|media_file|many_files|source|document|notebook|image|contents?))?$|^(?:goto|scroll_up|scroll_down|notebook_read)$/,
  ],
  [
    'search',
    /^(?:grep|rg|ripgrep|glob|find|search|ls|list|tree)(?:_(?:search|files?|dir|directory|code|codebase|content|tool|by_name|references|symbols?|path|in_files?|folder|directories|allowed_directories|with_sizes))*$|^(?:codebase|code|file|session|semantic)_search$|^directory_tree$/,
  ],
];

/** Tools that read and write under one name. */
const several = /^(?:str_replace(?:_based)?_edit(?:or)?(?:_tool)?|file_editor|edit(?:or)?_tool|text_editor)/;

/**
 * The class of a tool, by its own name in snake case (`tool` of `readToolName`); `generic` for one that is not known,
 * `several` for one that reads and writes under one name, which its arguments tell apart.
 */
export const toolClass: (tool: string) => ToolClass | 'several' = rememberingNames((tool) =>
  several.test(tool) ? 'several' : (names.find(([, shape]) => shape.test(tool))?.[0] ?? 'generic'),
);
