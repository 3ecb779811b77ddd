import { rememberMessages } from '@palimpsest/formats';
import { type ContextConfig, createRegistry } from '@palimpsest/registry';
import { classifyFailure, createSession, type PreparedRequest, type Session } from '@palimpsest/session';
import { fileStore } from '@palimpsest/session/file-store';
import type { UsedModel } from './model-limits.ts';
import type { ModelLimit, OpencodeMessage } from './opencode-api.ts';
import { type PageSessions, usageOf } from './page-sessions.ts';
import { checkMessages, type Fields, type Reading, readMessages } from './read-messages.ts';
import { writeMessages } from './write-messages.ts';

/** What one conversation is created with. */
export interface ConversationOptions {
  readonly sessionID: string;
  readonly config: ContextConfig;
  readonly recall: boolean;
  /** The folder for the state of sessions; `null` if it is not known. */
  readonly folder: string | null;
  /** Asks opencode's models; `null` if rules write the summaries. */
  readonly pages: PageSessions | null;
}

/** The longest answer that opencode asks for, in tokens. */
const mostOutput = 32_000;

/** The most compactions of one request that opencode itself could not make smaller. */
const mostPasses = 3;

/** One conversation of opencode, with its session. */
export class Conversation {
  readonly session: Session;
  /** The system prompt of the last request. */
  system: readonly string[] = [];
  /** True between opencode's decision to compact and its request for a summary. */
  #isCompacting = false;
  readonly #archives: boolean;
  readonly #pages: PageSessions | null;
  readonly #remember = rememberMessages();
  /** Tokens of the last request before opencode compacted. The next one has to be smaller. */
  #tooLarge: number | null = null;
  /** The last request, and the number of messages that it was prepared from. */
  #last: { readonly request: PreparedRequest; readonly messages: number; readonly model: UsedModel } | null = null;

  constructor({ sessionID, config, recall, folder, pages }: ConversationOptions, model: UsedModel) {
    this.#archives = recall;
    this.#pages = pages;
    this.session = createSession({
      id: sessionID,
      engine: (host) => createRegistry().create(config, host),
      model: modelInfo(model),
      recall,
      ...(!pages && { summaries: 'rules' }),
      ...(folder !== null && { store: fileStore(folder) }),
    });
    if (pages) this.session.internals.attachPages();
  }

  /** opencode has decided to compact, at times because of a refusal. Its request for a summary comes next. */
  noteCompaction(): void {
    this.#isCompacting = true;
    this.#tooLarge = this.#last?.request.info.tokens ?? null;
  }

  /** opencode has nothing to summarize. */
  skipCompaction(): void {
    this.#isCompacting = false;
  }

  /** Returns the messages to send in place of the given ones. */
  async prepare(
    given: readonly OpencodeMessage[],
    model: UsedModel,
    tools: readonly unknown[],
  ): Promise<OpencodeMessage[]> {
    checkMessages(given);
    const readings = readMessages(this.#remember(given));
    const messages = readings.map(({ message }) => message);
    const options = {
      system: this.system.join('\n'),
      tools,
      maxTokens: longestAnswer(model.limit),
      model: modelInfo(model),
    };
    if (this.#isCompacting) {
      // opencode removes these from the history that it passes.
      this.#isCompacting = false;
      this.#last = null;
      if (this.#archives) await this.session.archive(messages);
      return this.#show(readings, await this.session.beforeRequest(messages, options), given, model);
    }
    this.#learn(given);
    let request = await this.session.beforeRequest(messages, options);
    // opencode keeps some messages whole when it compacts. They may have been shorter in the request before.
    for (let pass = 0; pass < mostPasses && this.#tooLarge !== null && request.info.tokens >= this.#tooLarge; pass++) {
      this.session.noteRefusal(classifyFailure(new Error('prompt is too long')));
      request = await this.session.beforeRequest(messages, options);
    }
    this.#tooLarge = null;
    return this.#show(readings, request, given, model);
  }

  #show(
    readings: readonly Reading[],
    request: PreparedRequest,
    given: readonly OpencodeMessage[],
    model: UsedModel,
  ): OpencodeMessage[] {
    this.#last = { request, messages: given.length, model };
    return writeMessages(readings, { messages: request.messages, provenance: request.info.provenance });
  }

  /** Learns from the usage of the last request, which is stored with its answer. */
  #learn(messages: readonly OpencodeMessage[]): void {
    const last = this.#last;
    const answer = last && messages.slice(last.messages).find(({ info }) => info.role === 'assistant');
    if (!answer) return;
    const { request, model } = last;
    const usage = usageOf(answer.info as typeof answer.info & Fields);
    const pages = this.#pages;
    const maxTokens = longestAnswer(model.limit);
    // The request itself, with its tools, cannot be repeated.
    if (pages)
      this.session.internals.noteSource(request, usage, {
        maxTokens,
        hasRoom: true,
        ride: null,
        ask: (prompt, _, signal) => pages.ask(this.session.id, model.name, prompt, signal),
      });
    this.session.afterResponse(usage, request);
  }
}

function modelInfo({ id, limit }: UsedModel) {
  return { id, contextLength: limit.context, reserveOutputTokens: longestAnswer(limit) };
}

function longestAnswer({ output }: ModelLimit): number {
  return output > 0 ? Math.min(output, mostOutput) : mostOutput;
}
