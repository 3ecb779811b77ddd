import type { Call, ToolExchange } from './exchange.ts';
import { nameMatcher } from './tool-name.ts';

/** What kind of work a tool does; decides what its stub tells. */
export type ToolClass = 'command' | 'read' | 'write' | 'search' | 'browse' | 'fetch' | 'delegate' | 'ask' | 'generic';

/** Tells the pruner about a tool of one's own. */
export interface ToolDescriptor {
  /** The name as called, or the tool's own name in snake case: a text, a glob, or a pattern. */
  readonly match: string | RegExp;
  /** A class, or a choice by arguments for tools that do several things. */
  readonly class: ToolClass | ((args: Readonly<Record<string, unknown>>) => ToolClass);
  /**
   * Writes the stub without its `[name] ` prefix: one line, only what call and result say. It is redacted and cut to
   * size afterwards; `null` leaves the result as it is.
   */
  readonly stub?: ((exchange: ToolExchange) => string | null) | undefined;
}

/** Types a descriptor; changes nothing. */
export function defineTool(descriptor: ToolDescriptor): ToolDescriptor {
  return descriptor;
}

// By the tool's own name in snake case, as Claude Code, Codex, opencode, Hermes Agent, OpenHands, SWE-agent, Cline,
// Gemini CLI, pi and the common MCP servers call them. Verbs first, so that `git_read_file` or `read_multiple_files` fit.
const names: readonly (readonly [ToolClass, RegExp])[] = [
  ['ask', /^(?:ask|clarify|question|request_user_input|human_input)(?:_|$)/],
  [
    'command',
    /^(?:(?:execute|run|exec|local|container)_)?(?:bash|i?python3?|shell|sh|zsh|terminal(?:_cmd|_command)?|powershell|commands?|exec|code|cmd|tests?)(?:_(?:tool|interpreter|output|command|execute|exec))?$|^write_stdin$|^unified_exec$/,
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
    /^(?:write|edit|create|insert|append|overwrite|replace|patch|delete|remove|rename|move|apply_(?:patch|diff|edit)|str_replace|search_replace|multi_edit|notebook_edit|undo_edit|update|save)(?:_(?:to_)?(?:files?|file_content|content|notebook|in_file|text|directory|path|based_edit))?$/,
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

const severalTools = /^(?:str_replace(?:_based)?_edit(?:or)?(?:_tool)?|file_editor|edit(?:or)?_tool|text_editor)/;

/** The class of a built-in tool name; tools that read and write under one name are told apart by their `command`. */
export function classOf(call: Call, args: () => Readonly<Record<string, unknown>>): ToolClass {
  let kind = kinds.get(call.tool);
  if (kind === undefined) {
    kind = severalTools.test(call.tool)
      ? 'several'
      : (names.find(([, shape]) => shape.test(call.tool))?.[0] ?? 'generic');
    if (kinds.size < 1_000) kinds.set(call.tool, kind);
  }
  if (kind !== 'several') return kind;
  const { command } = args();
  return command === 'view' ? 'read' : command === undefined ? 'generic' : 'write';
}

/** Classes of tool names seen before. */
const kinds = new Map<string, ToolClass | 'several'>();

/** Joins the user's descriptors with the built-in classes; the user's are asked first. */
export function classifier(tools: readonly ToolDescriptor[]): Classifier {
  if (tools.length === 0) return classOf;
  return (call, args) => {
    const own = descriptorOf(call, tools);
    if (!own) return classOf(call, args);
    return typeof own.class === 'function' ? own.class(args()) : own.class;
  };
}

/** Decides the class of a call; reads the arguments only when it has to. */
export type Classifier = (call: Call, args: () => Readonly<Record<string, unknown>>) => ToolClass;

/** The first descriptor that matches the call. */
export function descriptorOf(call: Call, tools: readonly ToolDescriptor[]): ToolDescriptor | undefined {
  return tools.find(({ match }) =>
    typeof match === 'string' ? nameMatcher([match])(call) : match.test(call.called) || match.test(call.tool),
  );
}
