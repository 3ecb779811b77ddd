import type { SummarizeResponse, Usage } from '@palimpsest/core';
import type { OpencodeInput, OpencodeModelName } from './opencode-api.ts';
import type { Fields } from './read-messages.ts';

/** By its title, a session that an earlier process has left behind is found. */
const title = 'Palimpsest writes a summary';

/** The agent of opencode that has no tools. Its own prompt tells it to summarize as it is asked. */
const agent = 'compaction';

/**
 * Asks models of opencode, each time in a session of its own below the conversation. Lists of sessions do not show those,
 * and it is deleted when the model has answered.
 */
export class PageSessions {
  readonly #client: OpencodeInput['client'];
  readonly #open = new Map<string, Promise<unknown>>();
  readonly #startedAt = Date.now();

  constructor(client: OpencodeInput['client']) {
    this.#client = client;
  }

  /** True for a session in which a model is asked. */
  has(sessionID: string): boolean {
    return this.#open.has(sessionID);
  }

  /** @throws {Error} if the model does not answer */
  async ask(
    parentID: string,
    model: OpencodeModelName,
    prompt: string,
    signal: AbortSignal,
  ): Promise<SummarizeResponse> {
    const { data: made } = await this.#client.session.create({ body: { parentID, title } });
    if (!made) throw new Error('opencode did not create a session for the summary.');
    const asking = this.#ask(made.id, model, prompt, signal);
    this.#open.set(
      made.id,
      asking.catch(() => undefined),
    );
    return asking;
  }

  async #ask(id: string, model: OpencodeModelName, prompt: string, signal: AbortSignal): Promise<SummarizeResponse> {
    const { session } = this.#client;
    const abort = (): void => void session.abort({ path: { id } }).catch(() => undefined);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const body = { agent, model, parts: [{ type: 'text' as const, text: prompt }] };
      const { data } = await session.prompt({ path: { id }, body });
      signal.throwIfAborted();
      if (!data) throw new Error('opencode did not answer.');
      return responseOf(data.info as Fields, data.parts as readonly Fields[]);
    } finally {
      signal.removeEventListener('abort', abort);
      await session.delete({ path: { id } }).catch(() => undefined);
      this.#open.delete(id);
    }
  }

  /** Deletes what a process has left below a conversation because it was ended. */
  async removeOld(parentID: string): Promise<void> {
    const { session } = this.#client;
    const { data = [] } = await session.children({ path: { id: parentID } });
    const old = data.filter((child) => child.title === title && child.time.created < this.#startedAt);
    await Promise.all(old.map(({ id }) => session.delete({ path: { id } })));
  }

  /** Resolves when no session is left. */
  async closed(): Promise<void> {
    await Promise.all(this.#open.values());
  }
}

function responseOf(info: Fields, parts: readonly Fields[]): SummarizeResponse {
  const { error, finish } = info;
  if (error) throw new Error(`opencode's model did not write a summary: ${String((error as Fields).name)}`);
  const text = parts.flatMap((part) => (part.type === 'text' ? String(part.text) : [])).join('\n\n');
  const usage = usageOf(info);
  return { text, finishReason: finish === 'length' ? 'length' : 'stop', ...(usage && { usage }) };
}

/** The usage that opencode stores with an answer; `null` if the provider reported none. */
export function usageOf({ tokens }: Fields): Usage | null {
  const { input = 0, output = 0, cache } = (tokens ?? {}) as Readonly<Record<string, number>>;
  const { read = 0, write = 0 } = (cache ?? {}) as unknown as Readonly<Record<string, number>>;
  const promptTokens = input + read + write;
  return promptTokens === 0
    ? null
    : { promptTokens, completionTokens: output, cachedTokens: read, cacheWriteTokens: write };
}
