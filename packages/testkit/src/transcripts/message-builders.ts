import type {
  CustomToolCall,
  FunctionToolCall,
  ImageUrlPart,
  Message,
  Part,
  TextPart,
  ToolCall,
} from '@palimpsest/core';

/** A system message. */
export function system(content: string): Message {
  return { role: 'system', content };
}

/** A user message of text or parts. */
export function user(content: string | readonly Part[], name?: string | undefined): Message {
  return name === undefined ? { role: 'user', content } : { role: 'user', content, name };
}

/** An assistant message; with calls, `content` may be `null`. */
export function assistant(content: string | null, ...calls: readonly ToolCall[]): Message {
  return calls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', content, tool_calls: calls };
}

/** A function call. `input` is serialized as JSON; a string is used as is, so arguments can be invalid JSON. */
export function call(id: string, name: string, input: unknown = {}): FunctionToolCall {
  const written = typeof input === 'string' ? input : JSON.stringify(input);
  return { id, type: 'function', function: { name, arguments: written } };
}

/** A call of a free-form tool. */
export function customCall(id: string, name: string, input: string): CustomToolCall {
  return { id, type: 'custom', custom: { name, input } };
}

/** A tool result for the call `id`. */
export function result(id: string, content: string | readonly Part[]): Message {
  return { role: 'tool', tool_call_id: id, content };
}

/** An assistant message that calls a function the legacy way. */
export function legacyCall(name: string, input: unknown = {}): Message {
  const written = typeof input === 'string' ? input : JSON.stringify(input);
  return { role: 'assistant', content: null, function_call: { name, arguments: written } };
}

/** The result of a {@link legacyCall}. */
export function legacyResult(name: string, content: string): Message {
  return { role: 'function', name, content };
}

/**
 * Tool calls with their results: one assistant message with all calls, then the results in order.
 *
 * @example callsWithResults([call('call_1', 'read_file', { path: 'a.ts' }), 'export {};'])
 */
export function callsWithResults(
  ...pairs: readonly (readonly [call: ToolCall, output: string | readonly Part[]])[]
): Message[] {
  return [assistant(null, ...pairs.map(([made]) => made)), ...pairs.map(([made, output]) => result(made.id, output))];
}

/** A text part. */
export function text(content: string): TextPart {
  return { type: 'text', text: content };
}

/** A PNG of one transparent pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** An image part. @param url a link or a data URL. @default a PNG of one pixel */
export function image(url: string = pixel): ImageUrlPart {
  return { type: 'image_url', image_url: { url } };
}
