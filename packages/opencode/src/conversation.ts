import type { Fields } from '@palimpsest/core/authoring';
import { createRegistry, type EngineChoice } from '@palimpsest/registry';
import { createSession, type PreparedRequest, type Session } from '@palimpsest/session';
import { fileStore } from '@palimpsest/session/file-store';
import type { UsedModel } from './model-limits.ts';
import type { ModelLimit, OpencodeMessage } from './opencode-api.ts';
import { checkMessages, readMessages } from './read-messages.ts';
import { writeMessages } from './write-messages.ts';

/** What one conversation is created with. */
export interface ConversationOptions extends EngineChoice {
  readonly sessionID: string;
  readonly recall: boolean;
  /** The folder for the state of sessions; `null` if it is not known. */
  readonly folder: string | null;
}

/** The longest answer that opencode asks for, in tokens. */
const maxOutputTokens = 32_000;

/** One conversation of opencode, with its session. */
export class Conversation {
  readonly session: Session;
  /** The system prompt of the last request. */
  system: readonly string[] = [];
  /** True between opencode's decision to compact and its request for a summary. */
  isCompacting = false;
  readonly #archives: boolean;
  #last: { readonly request: PreparedRequest; readonly messages: number } | null = null;

  constructor({ sessionID, engine, recall, folder }: ConversationOptions, model: UsedModel) {
    this.#archives = recall;
    this.session = createSession({
      id: sessionID,
      engine: (host) => createRegistry().create(engine, host),
      model: modelInfo(model),
      recall,
      ...(folder !== null && { store: fileStore(folder) }),
    });
  }

  /** Returns the messages to send in place of the given ones. */
  async prepare(
    given: readonly OpencodeMessage[],
    model: UsedModel,
    tools: readonly unknown[],
  ): Promise<OpencodeMessage[]> {
    checkMessages(given);
    const readings = readMessages(this.session.adapter.remember(given));
    const messages = readings.map(({ message }) => message);
    if (this.isCompacting) {
      // opencode removes these from the history that it passes.
      this.isCompacting = false;
      this.#last = null;
      if (this.#archives) await this.session.archive(messages);
    } else this.#learn(given);
    const request = await this.session.beforeRequest(messages, {
      system: this.system.join('\n'),
      tools,
      maxTokens: maxAnswerTokens(model.limit),
      model: modelInfo(model),
    });
    this.#last = { request, messages: given.length };
    return writeMessages(readings, { messages: request.messages, provenance: request.info.provenance });
  }

  /** Learns from the usage of the last request, which is stored with its answer. */
  #learn(messages: readonly OpencodeMessage[]): void {
    const answer = this.#last && messages.slice(this.#last.messages).find(({ info }) => info.role === 'assistant');
    if (!answer) return;
    const { tokens } = answer.info as typeof answer.info & { readonly tokens?: Fields };
    const { input, output, cache } = (tokens ?? {}) as Readonly<Record<string, number>>;
    const { read = 0, write = 0 } = (cache ?? {}) as unknown as Readonly<Record<string, number>>;
    this.session.afterResponse(
      {
        promptTokens: (input ?? 0) + read + write,
        completionTokens: output,
        cachedTokens: read,
        cacheWriteTokens: write,
      },
      this.#last!.request,
    );
  }
}

function modelInfo({ id, limit }: UsedModel) {
  return { id, contextLength: limit.context, reserveOutputTokens: maxAnswerTokens(limit) };
}

function maxAnswerTokens({ output }: ModelLimit): number {
  return output > 0 ? Math.min(output, maxOutputTokens) : maxOutputTokens;
}
