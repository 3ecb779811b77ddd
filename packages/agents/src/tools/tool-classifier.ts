import type { AgentProfile, ToolClass } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';
import { memoizeByName } from './memoize-by-name.ts';

/**
 * Classes by the beginning of a tool's name, so that `read_multiple_files` and a server's `edit_notebook` are known,
 * too.
 */
const verbs: readonly (readonly [ToolClass, RegExp])[] = [
  ['ask', /^(?:ask|clarify|question|human_input)(?:_|$)/],
  [
    'command',
    /^(?:(?:execute|run|exec|local|container)_)?(?:bash|i?python3?|shell|sh|zsh|terminal|powershell|commands?|exec|code|cmd|tests?)(?:_(?:tool|interpreter|output|cmd|command|execute|exec))*$/,
  ],
  ['browse', /^(?:browser|browse|playwright|puppeteer|computer|page|chrome)(?:_|$)|screenshot$/],
  [
    'fetch',
    /^(?:web|url|http|fetch|visit|scrape|crawl|extract|tavily|brave|google|exa|wikipedia|arxiv|serp)_?(?:_|$|fetch|search|page|url|get)/,
  ],
  [
    'delegate',
    /^(?:agent|sub_?agent|(?:delegate|spawn|dispatch|run|launch|invoke|call|assign|perform)_(?:task|agents?|sub_?agent)|agent_tool)$/,
  ],
  [
    'write',
    /^(?:write|edit|create|insert|append|overwrite|replace|patch|delete|remove|rename|move|apply|str_replace|search_replace|multi_edit|notebook_edit|undo|update|save)(?:_(?:to|in|files?|content|patch|diff|edit|editor|tool|based|notebook|directory|path|text))*$/,
  ],
  [
    'read',
    /^(?:read|view|open|cat|show|get|load)(?:_(?:files?|file_contents?|text_file|multiple_files|media_file|many_files|source|document|notebook|image|contents?))?$/,
  ],
  [
    'search',
    /^(?:grep|rg|ripgrep|glob|find|search|ls|list|tree)(?:_(?:search|files?|dir|directory|code|codebase|content|tool|by_name|references|symbols?|path|in_files?|folder|directories|allowed_directories|with_sizes))*$|^(?:codebase|code|file|session|semantic)_search$/,
  ],
];

/** Matches tools that both read and write, including versions with a date in their name. */
const several = /^(?:str_replace(?:_based)?_edit(?:or)?(?:_tool)?|file_editor|edit(?:or)?_tool|text_editor)/;

/** Classifies a tool that no profile names. */
function classByVerb(tool: string): ToolClass | 'several' {
  return several.test(tool) ? 'several' : (verbs.find(([, shape]) => shape.test(tool))?.[0] ?? 'generic');
}

/** Returns the class of a tool; `several` if one tool both reads and writes, so that the arguments decide. */
export type ToolClassifier = (tool: string) => ToolClass | 'several';

/**
 * Creates a classifier from the profiles of agents: `createToolClassifier([...knownAgents, myAgent])`. The first
 * profile that lists a name decides. Other names are classified by the verb they begin with.
 */
export function createToolClassifier(agents: readonly AgentProfile[]): ToolClassifier {
  const known = new Map<string, ToolClass | 'several'>();
  for (const { tools = {} } of agents)
    for (const [kind, names] of Object.entries(tools))
      for (const name of names) if (!known.has(name)) known.set(name, kind as ToolClass | 'several');
  return memoizeByName((tool) => known.get(tool) ?? classByVerb(tool));
}

/**
 * Classifies a tool by its own name in snake case (`tool` of `readToolName`), with the profiles of {@link knownAgents};
 * `generic` if the tool is unknown.
 */
export const toolClass: ToolClassifier = /* @__PURE__ */ createToolClassifier(knownAgents);
