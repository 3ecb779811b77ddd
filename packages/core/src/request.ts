import { readHandoff } from './handoff.ts';
import { isJson } from './json-value.ts';
import { asParts, isBlank, isTextPart, type Message, type Part } from './message.ts';

/** Decides whether a user message is something a person wants, and not an artefact of the harness. */
export type RequestRecognizer = (message: Message, index: number, messages: readonly Message[]) => boolean;

/** Blocks that harnesses put into user messages; what remains after taking them out is what a person wrote. */
const harnessBlock: RegExp =
  /<(system-reminder|task-notification|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr|tool_response|tool_result|function_results|environment_context|ide_opened_file|ide_selection|user-prompt-submit-hook|todo-snapshot)\b[^<>]*>/y;

/** Openings of user messages that are no request: interrupts, observations, tool output, todo lists, nudges. */
const artefact: readonly RegExp[] = [
  /^\[(?:Request interrupted|Request cancelled|Interrupted)\b/i,
  /^(?:OBSERVATION|Observation|EXECUTION RESULT|Execution result|Tool (?:result|output|response))\b[^\n]{0,40}:/,
  /^\[(?:tool[ _](?:result|output|response)|TOOL[ _](?:RESULT|OUTPUT|RESPONSE))\b/i,
  /^<(?:returncode|output|stdout|stderr|result|observation|agent_history|step)\b[^>]*>/i,
  /^<command-(?:name|message|args)>\s*\/?(?:exit|clear|compact|plugin|model|login|logout|help|status|config|cost|resume|quit|mcp)\b/i,
  /^Ran `[^`\n]+`\s*\n```/,
  /^(?:#+ |\[|\*\*)?(?:Current |Active |Your )(?:todo list|todos|task list|TODO)\b[^\n]{0,60}(?:\n|$)\s*(?:[-*]|\d+\.|\[)/i,
  // People write todo lists, too; a harness ticks them off, or writes JSON.
  /^(?:#+ |\[|\*\*)?(?:The )?(?:todo list|todos|task list|TODO)\b[^\n]{0,60}\n\s{0,20}(?:(?:[-*]|\d{1,3}\.) )?\[/i,
  /^(?:\[System:|\[SYSTEM\b|System reminder:|\[Automated|\[auto-continue)/i,
  // Whole phrases: "Your code has a bug" is what people say.
  /^Your (?:command ran successfully|command has been executed|submission was (?:in)?correct|proposed edit has introduced|(?:proposed )?edit was not applied|tool call (?:was|is|has|did|failed)\b)/,
  /^Title: [^\n]{0,400}\n+URL Source: /,
  /^diff --git a\//,
  /^Current (?:browser|screen|page|window|screenshot)\b[^\n]{0,20}$/i,
  /^(?:Please )?(?:proceed to|continue with) the next step(?: using your best judge?ment)?\.?$/i,
];

/**
 * The default of `host.isRequest`. Refuses blanks, handoffs (ours and other systems'), interrupts, command echoes,
 * tool-response-shaped text, todo snapshots and nudges; a short "continue" of a person is a request. A handoff merged
 * into a user message leaves that user's own text, which is judged.
 */
export const isRequest: RequestRecognizer = (message) => {
  if (message.role !== 'user') return false;
  const known = verdicts.get(message);
  if (known && known.content === message.content && known.parts === message.content?.length) return known.isRequest;
  const verdict = judge(message);
  verdicts.set(message, { content: message.content, parts: message.content?.length, isRequest: verdict });
  return verdict;
};

// Asked several times of every user message there is. Like a token counter's, the memo holds no state of anybody's.
const verdicts = new WeakMap<
  Message,
  { readonly content: unknown; readonly parts: number | undefined; readonly isRequest: boolean }
>();

function judge(message: Message): boolean {
  const content = requestContent(message);
  if (isBlank(content)) return false;
  // Each part is judged by itself: a harness puts its own words beside those of a person, and so does a handoff's placement.
  const parts = asParts(content);
  const texts = parts.map(wordsIn);
  // A screenshot beside what a harness says is the harness's; one with no words beside it is a person's.
  if (texts.every((text) => text === '')) return parts.some((part) => part && !isTextPart(part));
  return texts.some((text) => text !== '' && !artefact.some((shape) => shape.test(text)) && !isToolOutput(text));
}

/** Parts in which no person says anything in words, as a request that is only a screenshot. */
export function isWordless(parts: readonly Part[]): boolean {
  return parts.every((part) => wordsIn(part) === '');
}

/** What a part says besides the blocks of a harness. */
function wordsIn(part: Part): string {
  return part && isTextPart(part) ? withoutHarnessBlocks(part.text).trim() : '';
}

/** What a harness wrote, as a block that is told from a person's words whatever stands beside it. */
export function asHarnessBlock(part: Part): Part {
  if (wordsIn(part) === '' || !isTextPart(part)) return part;
  // A closing mark inside would end the block early, also one that taking out another would leave.
  const text = part.text.replaceAll('</system-reminder>', ' ');
  return { ...part, text: `<system-reminder>\n${text}\n</system-reminder>` } as Part;
}

/** Text that only a program writes as a whole message: bare JSON, or what ends with a shell prompt. */
function isToolOutput(text: string): boolean {
  // `C#` and `F#` at the end are languages, not prompts.
  if (/\n(?![A-Za-z]#$)[\w.@~:/()-]{0,60}[$#]$/.test(text.slice(-64))) return true;
  const bare =
    text.length > 80 && ((text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[{') && text.endsWith(']')));
  return bare && isJson(text);
}

/** What a user message says besides a handoff it may carry: its own content, or what stands behind the end mark. */
export function requestContent(message: Message): string | readonly Part[] {
  const handoff = readHandoff(message);
  return handoff ? handoff.rest : (message.content ?? '');
}

/** The text with every leading, trailing or embedded harness block taken out; linear in its length. */
function withoutHarnessBlocks(text: string): string {
  if (!text.includes('<')) return text;
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    harnessBlock.lastIndex = at;
    const opening = harnessBlock.exec(text);
    if (!opening) {
      at++;
      continue;
    }
    const closing = `</${opening[1]}>`;
    const end = text.indexOf(closing, harnessBlock.lastIndex);
    kept += text.slice(from, at);
    // An unclosed block runs to the end; stopping here also keeps the scan linear.
    if (end === -1) return kept;
    at = from = end + closing.length;
  }
  return kept + text.slice(from);
}
