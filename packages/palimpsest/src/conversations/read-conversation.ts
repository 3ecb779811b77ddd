import type { Growth, KnownBodies, ParsedBody } from '../bodies/known-bodies.ts';

/** The fields that the proxy reads from a request with a conversation. */
export interface ConversationRequest {
  /** The wire format, by the field with the messages and the path. Conversations of two formats are never one. */
  readonly format: 'openai-chat' | 'openai-responses' | 'anthropic';
  /** Messages or items, as they were parsed. */
  readonly items: readonly unknown[];
  readonly model: string;
  readonly hasTools: boolean;
  /** Maximum tokens of the answer; 0 when the request states none. */
  readonly maxTokens: number;
  /** The body as it was received. */
  readonly bytes: Buffer;
  readonly body: ParsedBody;
  /** Identifies the body in the {@link Growth} of the next one. */
  readonly version: object;
  /** How it differs from the previous request; `null` when that is not known. */
  readonly growth: Growth | null;
}

/** Paths of requests with a conversation. Others, such as `count_tokens` and batches, are passed on as they are. */
const paths: readonly (readonly [end: RegExp, format: ConversationRequest['format'], list: 'messages' | 'input'])[] = [
  [/\/chat\/completions\/?$/, 'openai-chat', 'messages'],
  [/\/responses\/?$/, 'openai-responses', 'input'],
  [/\/messages\/?$/, 'anthropic', 'messages'],
];

/**
 * Reads the conversation of a request.
 * @returns `null` for a request without one, one that cannot be read, and one whose conversation the provider stores
 */
export function readConversation(path: string, bytes: Buffer, bodies: KnownBodies): ConversationRequest | null {
  const [, format, list] = paths.find(([end]) => end.test(path)) ?? [];
  const read = list === undefined ? null : bodies.read(bytes, list);
  if (!read || format === undefined || list === undefined) return null;
  const { body, version, growth } = read;
  const { model, tools, functions, previous_response_id: previous, conversation } = body;
  const items = body[list];
  if (!Array.isArray(items) || previous || conversation) return null;
  return {
    format,
    items,
    model: typeof model === 'string' ? model : '',
    hasTools: [tools, functions].some((given) => Array.isArray(given) && given.length > 0),
    maxTokens: Number(body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens) || 0,
    bytes,
    body,
    version,
    growth,
  };
}
