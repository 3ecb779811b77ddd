/**
 * What a tool does with the file it names. `write` replaces or creates the whole file; `open` reads it and makes it the
 * target of later edits that name no file; `patch` takes a patch that names files, or a path; `revert` undoes a change.
 */
export type FileAction = 'read' | 'open' | 'write' | 'edit' | 'patch' | 'delete' | 'move' | 'copy' | 'revert';

/** The kind of work a tool does: run a command, read, write, search, browse, fetch, delegate, or ask the user. */
export type ToolClass = 'command' | 'read' | 'write' | 'search' | 'browse' | 'fetch' | 'delegate' | 'ask' | 'generic';

/**
 * Describes one agent or harness as data. Only the name is required. Patterns are compiled once, together with those of
 * all other agents. They must run in linear time on any text, and must not use backreferences or flags other than `i`.
 */
export interface AgentProfile {
  /** The name as its makers write it, such as `Claude Code`. */
  readonly name: string;
  /** Its commands by name, and how `palimpsest run` starts each so that it uses the proxy. */
  readonly programs?: Readonly<Record<string, AgentStart>>;
  /** Tags around text that the agent inserts into user messages. Not case-sensitive. */
  readonly tags?: {
    /** Tags of blocks next to a person's words. A picture in the same message counts as the person's. */
    readonly beside?: readonly string[];
    /** Tags of tool output and notes. A picture in the same message counts as the harness's. */
    readonly observed?: readonly string[];
  };
  /**
   * Patterns for the beginning of a user message that is entirely inserted text. Tried at the start of the trimmed
   * text.
   */
  readonly openings?: readonly RegExp[];
  /**
   * Patterns for the beginning of inserted texts that instruct the model, such as an instruction file or a list of skills.
   * They stay whole when their message is summarized. Without flags.
   */
  readonly instructions?: readonly RegExp[];
  /**
   * Patterns for the beginning of lines that announce inserted text. All that follows in the text is inserted. If nothing
   * follows, the next part of the message is, whatever it says.
   */
  readonly labels?: readonly RegExp[];
  /** Texts by the agent that contain a user's answer. Use no text that the output of a tool can imitate. */
  readonly answers?: {
    /** Patterns for the beginning of such a text. */
    readonly openings: readonly RegExp[];
    /** The tags around the answer. */
    readonly tags: readonly string[];
  };
  /**
   * What shows that a transcript is of this agent. Needed for an agent with tools that ask the user: other agents may have
   * tools of the same names, which anybody may answer.
   */
  readonly signs?: {
    /** Patterns that match in the agent's system prompt. */
    readonly prompts?: readonly RegExp[];
    /** Tools that only this agent has, as it calls them; not those that ask. */
    readonly tools?: readonly string[];
  };
  /** The agent's tools by class. Names as `readToolName` returns them: `MultiEdit` is `multi_edit`. */
  readonly tools?: Readonly<Partial<Record<ToolClass | 'several', readonly string[]>>>;
  /** What the tools do with a file, if their class and the verb in their name do not show it. */
  readonly fileTools?: Readonly<Partial<Record<FileAction, readonly string[]>>>;
  /** Tools whose results are state that the agent needs, such as a todo list. They are never pruned. */
  readonly stateTools?: readonly string[];
  /** Files from which the agent loads instructions, without the extension, such as `CLAUDE`. */
  readonly instructionFiles?: readonly string[];
  /** Text that the agent writes around the output in tool results. */
  readonly results?: ResultMarks;
  /** How the agent writes calls as text, for models without tool calls. */
  readonly textCalls?: TextCalls;
  /** Summaries that replace the agent's history. */
  readonly summaries?: SummaryMarks;
  /** Patterns for the beginning of a request for such a summary: of its last user message, or of its system prompt. */
  readonly summaryRequests?: readonly RegExp[];
}

/** How to start a program so that it uses the proxy. A function only if that depends on the user's settings. */
export type AgentStart = StartSettings | ((user: UserSettings) => StartSettings);

/** What a program is started with. In all texts, `{url}` stands for the proxy's address. */
export interface StartSettings {
  /** Variables that replace those of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments placed before the user's own. */
  readonly arguments?: readonly string[];
  /** A temporary file. `{file}` in variables and arguments stands for its path. It is removed when the program ends. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Addresses that the program was set to before. The proxy sends its requests there. */
  readonly upstreams?: { readonly openai?: string; readonly anthropic?: string };
}

/** Where a program has its settings. */
export interface UserSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the text of a file, or `null` if it does not exist. @param path may begin with `~`, the home folder */
  readFile(path: string): string | null;
}

export interface ResultMarks {
  /** Tags around the output. */
  readonly tags?: readonly string[];
  /** Marks before the output, in order of removal. */
  readonly heads?: readonly ResultMark[];
  /** Marks after the output, in order of removal. */
  readonly tails?: readonly ResultMark[];
  /** How results name a program that runs on after its call. */
  readonly running?: {
    /** The line that says so, near the beginning of a result. The group is the id of the program. */
    readonly mark: RegExp;
    /** The argument of later calls with the id. */
    readonly argument: string;
  };
  /** Patterns for the beginning of a failed call's result. */
  readonly errors?: readonly RegExp[];
  /** Patterns for the beginning of a result that is a user's answer, such as a refusal. Answers are kept verbatim. */
  readonly answers?: readonly RegExp[];
  /** Patterns for the beginning of a refused call's result, up to the words with which the user refused it. */
  readonly refusals?: readonly RegExp[];
  /** Patterns for the beginning of a result that says the call was not made, such as one that the user refused. */
  readonly refused?: readonly RegExp[];
  /** Patterns for the beginning of the result of a tool that changed a file. The group is the path. */
  readonly changed?: readonly RegExp[];
  /** Patterns for the beginning of a result after which the harness writes the next user message, such as a skill's text. */
  readonly announcements?: readonly RegExp[];
}

/** Calls in the text of an assistant message. */
export interface TextCalls {
  /**
   * Patterns for the beginning or end of a next message that contains the results. Without a match, the text is not a
   * call. Tried on the first and the last 300 characters.
   */
  readonly results: readonly RegExp[];
  /**
   * Languages of the fenced block with a shell script, the last in the message; `''` for a block without a language.
   */
  readonly fences?: readonly string[];
  /** Tools that are called like programs in such a block, each with the name of its argument. */
  readonly commands?: Readonly<Record<string, string>>;
  /** True for calls such as `<function=name><parameter=key>value</parameter></function>`. */
  readonly functionTags?: true;
  /**
   * For edits that the harness confirms in the same message: a string that the text must contain, and the confirming
   * line. The group is the path.
   */
  readonly applied?: { readonly needs: string; readonly line: RegExp };
}

export interface ResultMark {
  /**
   * Characters that the mark can begin with (in `heads`) or end with (in `tails`). A quick check that rules out most
   * results.
   */
  readonly edge: string;
  /** A string that the mark always contains. Searching for it is faster than matching the shape. */
  readonly needs: string;
  /** The mark with its line breaks. Begins with `^` in `heads` and ends with `$` in `tails`. The group is the exit code. */
  readonly shape: RegExp;
}

export interface SummaryMarks {
  /** Patterns for the first line of a message with a summary. Tried at the start of the text. */
  readonly openings: readonly RegExp[];
  /** Patterns for the end mark of a summary. The text after it is the user's own. */
  readonly ends?: readonly RegExp[];
  /**
   * Patterns for typical contents of such a summary; `^` and `$` match at line breaks. One match is required if
   * the end mark is missing, because a person may begin a request with the same words.
   */
  readonly contents: readonly RegExp[];
}
