import { isJson } from '@palimpsest/core/authoring';

/** How texts begin that no person wrote: interrupts, observations, tool output, todo lists, nudges. */
const openings: readonly RegExp[] = [
  /^\[(?:Request interrupted|Request cancelled|Interrupted)\b/i,
  /^(?:OBSERVATION|Observation|EXECUTION RESULT|Execution result|Tool (?:result|output|response))\b[^\n]{0,40}:/,
  /^\[(?:tool[ _](?:result|output|response)|TOOL[ _](?:RESULT|OUTPUT|RESPONSE))\b/i,
  /^<(?:returncode|output|stdout|stderr|result|observation|agent_history|step|task-notification|tool_response)\b[^>]*>/i,
  /^<command-(?:name|message|args)>\s*\/?(?:exit|clear|compact|plugin|model|login|logout|help|status|config|cost|resume|quit|mcp)\b/i,
  /^Ran `[^`\n]+`\s*\n```/,
  /^(?:#+ |\[|\*\*)?(?:Current |Active |Your )(?:todo list|todos|task list|TODO)\b[^\n]{0,60}(?:\n|$)\s*(?:[-*]|\d+\.|\[)/i,
  // People write todo lists too; only harnesses write them with checkboxes or as JSON.
  /^(?:#+ |\[|\*\*)?(?:The )?(?:todo list|todos|task list|TODO)\b[^\n]{0,60}\n\s{0,20}(?:(?:[-*]|\d{1,3}\.) )?\[/i,
  /^(?:\[System:|\[SYSTEM\b|System reminder:|\[Automated|\[auto-continue)/i,
  // Whole phrases only, because people write "Your code has a bug".
  /^Your (?:command ran successfully|command has been executed|submission was (?:in)?correct|proposed edit has introduced|(?:proposed )?edit was not applied|tool call (?:was|is|has|did|failed)\b)/,
  /^Title: [^\n]{0,400}\n+URL Source: /,
  /^diff --git a\//,
  /^Current (?:browser|screen|page|window|screenshot)\b[^\n]{0,20}(?:\n|$)/i,
  /^(?:Please )?(?:proceed to|continue with) the next step(?: using your best judge?ment)?\.?$/i,
  // Cline and Roo Code: `[read_file for 'a.ts'] Result:`, `[ERROR] You did not use a tool ...`.
  /^\[[a-z][a-z_]{1,60}(?: (?:for|to|with|in) [^\n]{0,4000})?\] (?:Result|Error):/,
  /^\[ERROR\] /,
  /^The (?:tool execution failed with the following error|user denied this operation)\b/,
  // Saved transcripts of Claude Code, AutoGen: the executor, the web surfer and the file surfer.
  /^\*\*Result:\*\* [\u2705\u274c]/,
  /^exitcode: -?\d+ \(/,
  /^\*{3,} Response from calling tool\b/,
  /^I (?:typed|clicked|scrolled|hovered|visited|opened|navigated|pressed|selected|waited|went|searched)\b[\s\S]{0,4000}?\bHere is a screenshot of \[/,
  /^Address: [^\n]{0,2000}\n(?:Title: [^\n]{0,400}\n)?Viewport position: /,
  // browser-use.
  /^\[(?:Task history memory ends|Your task history memory starts here|Current state starts here)\]/,
  /^Action (?:result|error)\b[^\n]{0,20}:/,
  /^Current (?:url|step|tab): /i,
];

/** True when the whole text was written by a harness or a program. */
export function isHarnessText(text: string): boolean {
  return openings.some((shape) => shape.test(text)) || isToolOutput(text);
}

/** True for bare JSON, and for text that ends with a shell prompt. */
function isToolOutput(text: string): boolean {
  // `C#` and `F#` at the end are languages, not prompts.
  if (/\n(?![A-Za-z]#$)[\w.@~:/()-]{0,60}[$#]$/.test(text.slice(-64))) return true;
  const bare =
    text.length > 80 && ((text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[{') && text.endsWith(']')));
  return bare && isJson(text);
}

/** Cline and Roo Code: tools whose result is the user's answer, and the texts before a user's answer to any tool. */
const answering: RegExp =
  /^(?:\[(?:attempt_completion|ask_followup_question|plan_mode_respond|act_mode_respond|new_task|condense)\b[^\n]{0,4000}\] Result:|\[[a-z][a-z_]{1,60}[^\n]{0,4000}\] Result:\s{0,4}The user denied this operation|The user denied this operation|\[TASK RESUMPTION\])/;
const answer: RegExp = /<(feedback|answer|user_message)>/;

/** Extracts a person's answer that a harness wrapped in its own text; `null` when there is none. */
export function answerWithin(text: string): string | null {
  const found = answering.test(text) ? answer.exec(text) : null;
  if (!found) return null;
  const from = found.index + found[0].length;
  const to = text.lastIndexOf(`</${found[1]}>`);
  return to < from ? null : text.slice(from, to).trim() || null;
}
