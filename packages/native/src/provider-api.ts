import { isRecord } from '@palimpsest/core/authoring';
import type { Body, BodyHeaders, Wire } from '@palimpsest/session/fetch';

/** A message of Anthropic's API or an item of the Responses API. */
export type Item = Readonly<Record<string, unknown>>;

/** A provider's documented compaction on request. */
export interface ProviderApi {
  /** Headers for the request to compact, and for every request with what it returned. */
  readonly headers: BodyHeaders;
  /** True for an item that is not compacted, but kept in front of what the provider returns. */
  isInstruction(item: Item): boolean;
  /**
   * True if what it returns contains the user's messages. Then the handoff, which is sent as one, is not compacted again.
   */
  readonly returnsUsers: boolean;
  /** Where to post a request to compact. @param url of ordinary requests */
  url(url: string): string;
  /** The request to compact these items. @param body the caller's */
  request(body: Body, items: readonly Item[]): Body;
  /** The provider's replacement for the items; `null` if the reply contains no compaction. */
  read(reply: Body): readonly Item[] | null;
}

/** `POST /responses/compact`: returns the user's messages, and an item that only OpenAI can read. */
const openai: ProviderApi = {
  headers: {},
  returnsUsers: true,
  isInstruction: ({ role }) => role === 'system' || role === 'developer',
  url(given) {
    const url = new URL(given);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/compact`;
    return url.href;
  },
  request(body, input) {
    const kept = ['model', 'instructions', 'prompt_cache_key', 'prompt_cache_options', 'service_tier'];
    const fields = kept.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
    return { ...Object.fromEntries(fields), input };
  },
  read({ output }) {
    if (!Array.isArray(output) || !output.every(isRecord)) return null;
    const isCompaction = ({ type, encrypted_content: content }: Item): boolean =>
      type === 'compaction' && typeof content === 'string' && content !== '';
    return output.some(isCompaction) ? output : null;
  },
};

/** Compaction on demand: the whole reply is one signed block with a summary. */
const anthropic: ProviderApi = {
  headers: { 'anthropic-beta': 'compact-2026-09-04' },
  returnsUsers: false,
  // Its system prompt is outside the messages.
  isInstruction: () => false,
  url: (given) => given,
  request(body, messages) {
    // A summary cannot be combined with context editing, and it calls no tool.
    const { stream: _, context_management: __, tool_choice: ___, ...rest } = body;
    return { ...rest, messages, compaction: { type: 'summarize' } };
  },
  read({ content, stop_reason: reason }) {
    if (reason !== 'compaction' || !Array.isArray(content) || content.length !== 1) return null;
    const block: unknown = content[0];
    // The content is null when the model wrote no valid summary.
    const isWritten = isRecord(block) && block.type === 'compaction' && typeof block.content === 'string';
    return isWritten ? [{ role: 'assistant', content }] : null;
  },
};

/** By the name of the wire. Others have no compaction on request. */
const apis: ReadonlyMap<string, ProviderApi> = new Map([
  ['openai-responses', openai],
  ['anthropic', anthropic],
]);

/** The compaction that a wire's provider offers; `null` for none. */
export function apiOf({ name }: Wire): ProviderApi | null {
  return apis.get(name) ?? null;
}
