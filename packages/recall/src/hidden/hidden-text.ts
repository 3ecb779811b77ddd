import {
  contentText,
  isSynthetic,
  isToolResult,
  type Message,
  type Provenance,
  readHandoff,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { callText, oneLine, truncate } from '@palimpsest/salience';
import { isRecallTool } from '../tools/tool-names.ts';

/** What was made of a history: the messages that the model gets, and where each message of the history is in them. */
export interface Projection {
  /** The output. Needed to tell what a rewritten message still shows; without it, all of such a message is hidden. */
  readonly messages?: readonly Message[] | undefined;
  readonly provenance: Provenance;
}

/** A text that the model no longer sees, and where it came from. */
export interface HiddenText {
  /** Name of the called tool, or the role of a message that is not about a tool. */
  readonly tool: string;
  /** The call on one line, or whose message it is. */
  readonly head: string;
  readonly text: string;
}

/** Longest line that names a call. Characters. */
const longestHead = 240;

/** Our stubs and placeholders are shorter. A longer text that looks like ours has lines of the original. */
const longestOwn = 200;

/** A call that results belong to. */
interface Source {
  readonly tool: string;
  readonly head: string;
  readonly call: object;
}

interface Memo {
  readonly content: unknown;
  readonly calls: unknown;
  readonly source: object | undefined;
  readonly shown: Message | null;
  readonly texts: readonly HiddenText[];
}

// Pure caches.
const memos = new WeakMap<Message, Memo>();
const sources = new WeakMap<object, Source>();

/**
 * Calls `found` with the hidden texts of each message of a history, oldest first. Results of the recall tools, their
 * calls, and texts that this library wrote itself (handoffs, stubs) are left out.
 * @param projection without one, everything counts as hidden
 */
export function eachHidden(
  history: readonly Message[],
  projection: Projection | null,
  found: (texts: readonly HiddenText[], at: number) => void,
): void {
  const calls = new Map<string, ToolCall>();
  let legacy: Message | null = null;
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    for (const call of toolCalls(message)) calls.set(call.id, call);
    if (message.function_call) legacy = message;
    const shown = shownOf(at, projection);
    if (shown === message) continue;
    const call = message.role === 'function' ? legacy : calls.get(message.tool_call_id ?? '');
    const texts = textsOf(message, shown, call ?? undefined);
    if (texts.length > 0) found(texts, at);
  }
}

/** The call on one line, as a model would write it. */
export function callHead(call: ToolCall): string {
  return sourceOf(call).head;
}

/** What the model gets in the place of a message: the message itself, a rewritten copy, or `null` for nothing. */
function shownOf(at: number, projection: Projection | null): Message | null | undefined {
  if (!projection) return null;
  const outcome = projection.provenance.source[at];
  // Messages behind those that the projection knows were appended since.
  if (!outcome || outcome.kind === 'kept' || outcome.kind === 'carried') return undefined;
  return outcome.kind === 'rewritten' ? (projection.messages?.[outcome.at] ?? null) : null;
}

function textsOf(message: Message, shown: Message | null | undefined, call: object | undefined): readonly HiddenText[] {
  if (shown === undefined) return none;
  const known = memos.get(message);
  if (
    known &&
    known.content === message.content &&
    known.calls === message.tool_calls &&
    known.source === call &&
    known.shown === shown
  )
    return known.texts;
  const texts = isToolResult(message) ? resultTexts(message, shown, call) : spokenTexts(message, shown);
  memos.set(message, { content: message.content, calls: message.tool_calls, source: call, shown, texts });
  return texts;
}
const none: readonly HiddenText[] = [];

function resultTexts(message: Message, shown: Message | null, call: object | undefined): readonly HiddenText[] {
  const source = call ? sourceOf(call) : { tool: message.name ?? 'tool', head: message.name ?? 'a tool' };
  const text = hiddenContent(message, shown);
  return text === '' || isRecallTool(source.tool) ? none : [{ tool: source.tool, head: source.head, text }];
}

/** The words of a message, and the long arguments of its calls: written files, scripts, patches. */
function spokenTexts(message: Message, shown: Message | null): readonly HiddenText[] {
  const texts: HiddenText[] = [];
  const text = hiddenContent(message, shown);
  if (text !== '') texts.push({ tool: message.role, head: `${message.role} message`, text });
  toolCalls(message).forEach((call, at) => {
    const name = toolCallName(call);
    const input = toolCallInput(call);
    if (isRecallTool(name) || (shown && inputAt(shown, at) === input)) return;
    const { body } = callText(name, input);
    if (body.length > 0) texts.push({ tool: name, head: `arguments of ${sourceOf(call).head}`, text: body.join('\n') });
  });
  return texts;
}

/** The hidden part of a content; `''` if there is none. Of a message with a handoff, it is what stands behind the handoff. */
function hiddenContent(message: Message, shown: Message | null): string {
  const handoff = readHandoff(message);
  const text = contentText(handoff ? handoff.rest : message.content);
  if (text.trim() === '' || (shown && contentText(shown.content) === text)) return '';
  return !handoff && text.length <= longestOwn && isSynthetic(message) ? '' : text;
}

function inputAt(message: Message, at: number): string | null {
  const call = toolCalls(message)[at];
  return call ? toolCallInput(call) : null;
}

function sourceOf(call: object): Source {
  const known = sources.get(call);
  if (known) return known;
  const { function_call: legacy } = call as Message;
  const tool = (legacy ? legacy.name : toolCallName(call as ToolCall)) || 'tool';
  const input = legacy ? legacy.arguments : toolCallInput(call as ToolCall);
  const source = { tool, head: truncate(oneLine(callText(tool, input).head), longestHead), call };
  sources.set(call, source);
  return source;
}
