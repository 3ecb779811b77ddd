import { isRecallTool } from '@palimpsest/agents';
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
import { callText, oneLine, truncate } from '@palimpsest/pruner/salience';

/** Result of compacting a history: the messages that the model gets, and the outcome of each original. */
export interface Projection {
  /** The output. Shows which texts of rewritten messages are still visible. Without it, all of them count as hidden. */
  readonly messages?: readonly Message[] | undefined;
  readonly provenance: Provenance;
}

/** A text that the model no longer sees, and where it came from. */
export interface HiddenText {
  /** Name of the called tool, or the role of a message that is not about a tool. */
  readonly tool: string;
  /** The call on one line, or the role, as in `user message`. */
  readonly head: string;
  readonly text: string;
}

/** A text of a message. */
interface MessageText extends HiddenText {
  /** The call whose arguments it is; `null` for the content of the message. */
  readonly argumentsOf: { readonly at: number; readonly input: string } | null;
}

/** Maximum length of a `head`, in characters. */
const maxHeadLength = 240;

/** Maximum length of stubs and placeholders. A longer text that looks like one contains original lines. */
const maxOwnLength = 230;

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
  readonly texts: readonly MessageText[];
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
  visit: (texts: readonly HiddenText[], at: number) => void,
): void {
  const calls = new Map<string, ToolCall>();
  let legacy: Message | null = null;
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    for (const call of toolCalls(message)) calls.set(call.id, call);
    if (message.function_call) legacy = message;
    const shown = projectionOf(at, projection);
    if (shown === undefined) continue;
    const call = message.role === 'function' ? legacy : calls.get(message.tool_call_id ?? '');
    const texts = textsOf(message, call ?? undefined);
    if (texts.length === 0) continue;
    const hidden = shown ? texts.filter((text) => !isShown(text, message, shown)) : texts;
    if (hidden.length > 0) visit(hidden, at);
  }
}

/** The call on one line, as a model would write it. */
export function callHead(call: ToolCall): string {
  return sourceOf(call).head;
}

/**
 * Returns what the model gets in place of a message: a rewritten copy, `null` for nothing, `undefined` for the message
 * itself. Messages after the end of the projection were appended later and are sent as they are.
 */
function projectionOf(at: number, projection: Projection | null): Message | null | undefined {
  if (!projection) return null;
  const outcome = projection.provenance.source[at];
  if (!outcome || outcome.kind === 'kept' || outcome.kind === 'carried') return undefined;
  return outcome.kind === 'rewritten' ? (projection.messages?.[outcome.at] ?? null) : null;
}

/** True if a rewritten copy still contains the text. */
function isShown({ argumentsOf }: MessageText, message: Message, shown: Message): boolean {
  // The copy may contain more, such as a note that the host added.
  if (!argumentsOf) return contentText(shown.content).includes(contentText(message.content));
  const call = toolCalls(shown)[argumentsOf.at];
  return call !== undefined && toolCallInput(call) === argumentsOf.input;
}

function textsOf(message: Message, call: object | undefined): readonly MessageText[] {
  const known = memos.get(message);
  if (known && known.content === message.content && known.calls === message.tool_calls && known.source === call)
    return known.texts;
  const texts = isToolResult(message) ? resultTexts(message, call) : searchableTexts(message);
  memos.set(message, { content: message.content, calls: message.tool_calls, source: call, texts });
  return texts;
}

function resultTexts(message: Message, call: object | undefined): readonly MessageText[] {
  const source = call ? sourceOf(call) : { tool: message.name ?? 'tool', head: message.name ?? 'a tool' };
  const text = ownText(message);
  if (text === '' || isRecallTool(source.tool)) return [];
  return [{ tool: source.tool, head: source.head, text, argumentsOf: null }];
}

/** The content of a message, and the long arguments of its calls: written files, scripts, patches. */
function searchableTexts(message: Message): readonly MessageText[] {
  const texts: MessageText[] = [];
  const text = ownText(message);
  if (text !== '') texts.push({ tool: message.role, head: `${message.role} message`, text, argumentsOf: null });
  toolCalls(message).forEach((call, at) => {
    const tool = toolCallName(call);
    const input = toolCallInput(call);
    if (isRecallTool(tool)) return;
    const { body, replaced } = callText(tool, input);
    const lines = [...replaced, ...body];
    if (lines.length === 0) return;
    const head = `arguments of ${sourceOf(call).head}`;
    texts.push({ tool, head, text: lines.join('\n'), argumentsOf: { at, input } });
  });
  return texts;
}

/** The text of a message without a leading handoff; `''` for a message that this library wrote. */
function ownText(message: Message): string {
  const handoff = readHandoff(message);
  const text = contentText(handoff ? handoff.rest : message.content);
  if (text.trim() === '') return '';
  return !handoff && text.length <= maxOwnLength && isSynthetic(message) ? '' : text;
}

function sourceOf(call: object): Source {
  const known = sources.get(call);
  if (known) return known;
  const { function_call: legacy } = call as Message;
  const tool = (legacy ? legacy.name : toolCallName(call as ToolCall)) || 'tool';
  const input = legacy ? legacy.arguments : toolCallInput(call as ToolCall);
  const source = { tool, head: truncate(oneLine(callText(tool, input).head), maxHeadLength), call };
  sources.set(call, source);
  return source;
}
