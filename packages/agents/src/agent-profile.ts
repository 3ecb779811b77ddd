import type { FileAction } from './tools/file-action.ts';
import type { ToolClass } from './tools/tool-class.ts';

/**
 * What is known about one agent or harness, as data. Only the name is required. Patterns are compiled once, together with
 * those of all other agents. They must take linear time on any text, and must not use back references or flags except `i`.
 */
export interface AgentProfile {
  /** The name as its makers write it: `Claude Code`. */
  readonly name: string;
  /** Tags around text that the agent puts into user messages. Case does not matter. */
  readonly tags?: {
    /** Tags of blocks next to a person's words. A picture in the same message belongs to the person. */
    readonly beside?: readonly string[];
    /** Tags of tool output and notes. A picture in the same message belongs to the harness. */
    readonly observed?: readonly string[];
  };
  /** How a user message begins that is entirely inserted text. Matched at the start of the trimmed text. */
  readonly openings?: readonly RegExp[];
  /** Texts of the agent that contain an answer of the user. */
  readonly answers?: {
    /** How such a text begins. */
    readonly openings: readonly RegExp[];
    /** The tags around the answer. */
    readonly tags: readonly string[];
  };
  /** Its tools, by class, as `readToolName` returns them: `MultiEdit` is `multi_edit`. */
  readonly tools?: Readonly<Partial<Record<ToolClass | 'several', readonly string[]>>>;
  /** What its tools do with a file, where their class and the verb in their name do not say it. */
  readonly fileTools?: Readonly<Partial<Record<FileAction, readonly string[]>>>;
  /** Tools whose results are state that the agent works from, such as a todo list. They are never pruned. */
  readonly stateTools?: readonly string[];
  /** Files from which it loads instructions, without the extension: `CLAUDE`. */
  readonly instructionFiles?: readonly string[];
  /** What it writes into tool results around the output itself. */
  readonly results?: ResultMarks;
  /** How it writes calls as text, for models without tool calls. */
  readonly textCalls?: TextCalls;
  /** The summaries with which it replaces its own history. */
  readonly summaries?: SummaryMarks;
  /** How the text begins with which it asks a model for such a summary: its last user message, or its system prompt. */
  readonly summaryRequests?: readonly RegExp[];
}

export interface ResultMarks {
  /** Tags around the output. */
  readonly tags?: readonly string[];
  /** Text before the output, in the order in which it is removed. */
  readonly heads?: readonly ResultMark[];
  /** Text after the output, in the order in which it is removed. */
  readonly tails?: readonly ResultMark[];
  /** How the result of a failed call begins. */
  readonly errors?: readonly RegExp[];
  /** How a result begins that is a user's answer, such as a refusal. It is kept verbatim. */
  readonly answers?: readonly RegExp[];
  /** How the result of a tool begins that changed a file. The group is the path. */
  readonly changed?: readonly RegExp[];
}

/** Calls in the text of an assistant message. */
export interface TextCalls {
  /**
   * How the next message begins or ends, which shows what came of the calls. Without it, the text is no call. Tried on the
   * first and the last 300 characters.
   */
  readonly results: readonly RegExp[];
  /** Languages of a fenced block that is a shell script, the last in the message; `''` for a block without a language. */
  readonly fences?: readonly string[];
  /** Tools that are called in such a block like programs, each with the name of the argument that follows. */
  readonly commands?: Readonly<Record<string, string>>;
  /** True for calls such as `<function=name><parameter=key>value</parameter></function>`. */
  readonly functionTags?: true;
  /** For edits that the harness confirms in the same message: what the text contains, and the line. The group is the path. */
  readonly applied?: { readonly needs: string; readonly line: RegExp };
}

export interface ResultMark {
  /** Characters that the mark can begin with (in `heads`) or end with (in `tails`). Most results need no further check. */
  readonly edge: string;
  /** A string that the mark always contains, which is faster to look for than the shape. */
  readonly needs: string;
  /** The mark with its line breaks. Begins with `^` in `heads` and ends with `$` in `tails`. The group is the exit code. */
  readonly shape: RegExp;
}

export interface SummaryMarks {
  /** How the summary's message begins, up to the end of the line. Tried at the start of the text. */
  readonly openings: readonly RegExp[];
  /** What ends the summary; the text after it is the user's own. */
  readonly ends?: readonly RegExp[];
  /**
   * What such a summary contains, with `^` and `$` at line breaks. One match is required if there is no end mark,
   * because a person may begin a request with the same words.
   */
  readonly contents: readonly RegExp[];
}
