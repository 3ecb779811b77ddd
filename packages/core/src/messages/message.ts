/**
 * The canonical message has the shape of OpenAI chat completions: a `ChatCompletionMessageParam[]` is accepted without
 * a cast. Fields and parts that are not declared here are preserved.
 */

/** The author of a message. `function` is the legacy role that answers a `function_call`. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';

/** One element of a multi-part content. Narrow it with {@link isTextPart} or {@link isImagePart}. */
export interface Part {
  readonly type: string;
}

/** Text, parts, or nothing: an assistant message that only calls tools has `null` or no content. */
export type Content = string | readonly Part[] | null | undefined;

/** A call of a declared function. `arguments` should be JSON, but is sometimes invalid in real transcripts. */
export interface FunctionToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A call of a free-form tool; `input` is not JSON. */
export interface CustomToolCall {
  readonly id: string;
  readonly type: 'custom';
  readonly custom: { readonly name: string; readonly input: string };
}

export type ToolCall = FunctionToolCall | CustomToolCall;

/** A message of a transcript. Palimpsest never mutates it. */
export interface Message {
  readonly role: Role;
  readonly content?: Content;
  readonly name?: string | undefined;
  /** Assistant only: the tools it calls, answered by the `tool` messages that follow. */
  readonly tool_calls?: readonly ToolCall[] | null | undefined;
  /** Assistant only, legacy: one call, answered by the next message of role `function`. */
  readonly function_call?: { readonly name: string; readonly arguments: string } | null | undefined;
  /** Tool only: the call this message answers. */
  readonly tool_call_id?: string | undefined;
  /** Assistant only: visible reasoning, as some providers return it. */
  readonly reasoning_content?: string | null | undefined;
}

export interface TextPart extends Part {
  readonly type: 'text';
  readonly text: string;
  /** True for a text that the harness inserted: data, without the user's authority. */
  readonly synthetic?: boolean | undefined;
}

/** An OpenAI image part; `url` is a link or a data URL. */
export interface ImageUrlPart extends Part {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | 'original' | undefined };
}

/** True for a part with text, under any type name in use: `text`, `input_text`, `output_text`. */
export function isTextPart(part: Part): part is TextPart {
  return (
    (part.type === 'text' || part.type === 'input_text' || part.type === 'output_text') &&
    typeof (part as TextPart).text === 'string'
  );
}

/** True for a text part that a harness marked as its own. */
export function isInsertedPart(part: Part): boolean {
  return isTextPart(part) && part.synthetic === true;
}

/** True for a part with a picture, in OpenAI (`image_url`, `input_image`), Anthropic or AI SDK (`image`) form. */
export function isImagePart(part: Part): boolean {
  return part.type === 'image_url' || part.type === 'image' || part.type === 'input_image';
}

/** Returns the text of a content: its text parts joined by line breaks. Other parts are skipped. */
export function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as readonly Part[]) if (part && isTextPart(part)) texts.push(part.text);
  return texts.join('\n');
}

/** Converts a content to parts; a string becomes one text part. */
export function asParts(content: string | readonly Part[]): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content } as Part] : content;
}

/** True for a content without any text or other part. */
export function isBlank(content: Content): boolean {
  if (typeof content === 'string') return content.trim() === '';
  if (!Array.isArray(content)) return true;
  return (content as readonly Part[]).every((part) => !part || (isTextPart(part) && part.text.trim() === ''));
}

/** Returns the tool calls of a message; an empty list if it has none. */
export function toolCalls(message: Message): readonly ToolCall[] {
  return message.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : noCalls;
}
const noCalls: readonly ToolCall[] = [];

/** Returns the name of the called tool. */
export function toolCallName(call: ToolCall): string {
  return (call.type === 'custom' ? call.custom?.name : call.function?.name) ?? '';
}

/** Returns the input of a call: JSON text for a function, free text for a custom tool. */
export function toolCallInput(call: ToolCall): string {
  return (call.type === 'custom' ? call.custom?.input : call.function?.arguments) ?? '';
}

/** True for an assistant message that calls tools (also in the legacy `function_call` form). */
export function hasToolCalls(message: Message): boolean {
  return message.role === 'assistant' && (toolCalls(message).length > 0 || Boolean(message.function_call));
}

/** True for a message that answers a tool call. */
export function isToolResult(message: Message): boolean {
  return message.role === 'tool' || message.role === 'function';
}

/** True for the result of a tool whose content is neither text nor parts. Providers refuse `null` there. */
export function lacksContent({ role, content }: Message): boolean {
  return role === 'tool' && typeof content !== 'string' && !Array.isArray(content);
}

/** Number of system messages at the start of a transcript. Compaction never removes or moves them. */
export function leadingSystems(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => !isSystem(message));
  return first < 0 ? messages.length : first;
}

/** True for a message that instructs the model from outside the conversation. */
export function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}
