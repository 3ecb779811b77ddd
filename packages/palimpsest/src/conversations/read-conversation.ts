import type { Message } from '@palimpsest/core';
import { isRecord, parseRecord } from '@palimpsest/core/authoring';
import { type Body, type Wire, wireAt } from '@palimpsest/formats/wire';
import type { ModelWindows } from '../library/model-windows.ts';

/** The fields that the proxy reads from a request with a conversation. */
export interface ConversationRequest {
  /** The API. Conversations of two APIs are never one. */
  readonly wire: Wire;
  /** Messages or items, as they were parsed. */
  readonly items: readonly unknown[];
  /** What names the conversation. */
  readonly identity: readonly unknown[];
  readonly model: string;
  /** The tool declarations. */
  readonly tools: readonly unknown[];
  /** Maximum tokens of the answer; 0 when the request states none. */
  readonly maxTokens: number;
  /** The window that the request sets, in tokens. */
  readonly window: number | undefined;
  /** The body as it was received. */
  readonly bytes: Buffer;
  readonly body: Body;
}

/** More messages than any agent sends. Each is hashed, which takes time. */
const maxItems = 100_000;

/**
 * Reads the conversation of a request.
 * @param parsed the body, where it is known
 * @returns `null` for a request without one, one that cannot be read, and one whose conversation the provider stores
 */
export function readConversation(url: URL, bytes: Buffer, parsed?: Body): ConversationRequest | null {
  const wire = wireAt(url);
  const body = wire && (parsed ?? parseRecord(bytes.toString()));
  if (!body) return null;
  const { continues, identity, maxTokens = 0, model = '', tools, window } = wire.factsOf(body, url);
  const items = body[wire.list];
  if (!Array.isArray(items) || items.length > maxItems || !items.every(isRecord) || continues) return null;
  return { wire, items, identity, model, tools, maxTokens, window, bytes, body };
}

/** The window of a request in tokens: that of its model, or a smaller one that it sets itself. `undefined` if neither is known. */
export function windowOf({ model, window }: ConversationRequest, windows: ModelWindows): number | undefined {
  const known = windows(model)?.contextLength;
  return known === undefined || window === undefined ? (known ?? window) : Math.min(known, window);
}

/** The messages of a request; `null` for a conversation that cannot be read. */
export function messagesOf({ body, wire }: Pick<ConversationRequest, 'body' | 'wire'>): readonly Message[] | null {
  try {
    return wire.codec.decode(body).messages;
  } catch {
    return null;
  }
}
