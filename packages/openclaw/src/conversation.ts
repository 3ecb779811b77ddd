import { type PiMessage, pi as piCodec } from '@palimpsest/formats';
import { createRegistry, type EngineChoice } from '@palimpsest/registry';
import { type CompactFeedback, createSession, type PreparedRequest, type Session } from '@palimpsest/session';
import { type PageSource, toPage } from '@palimpsest/session/adapter';
import { fileStore } from '@palimpsest/session/file-store';
import type { OpenclawLlm } from './openclaw-api.ts';
import { WholeHistory } from './whole-history.ts';

/** What one conversation is created with. */
export interface ConversationOptions extends EngineChoice {
  readonly sessionId: string;
  readonly recall: boolean;
  /** The folder for the state of sessions; `null` if it is not known. */
  readonly folder: string | null;
  readonly summaries: 'model' | 'rules';
}

/** What is known about a request besides its history. */
interface Given {
  readonly model: string;
  /** Tokens that the history may have; 0 if it is not known. */
  readonly room: number;
  /** Tokens that the agent and its tools have added in this turn. */
  readonly turnTokens: number;
}

/** Room for the history after a refusal, as a share of its size in the refused request. */
const shrunkShare = 0.8;

/** One conversation of OpenClaw, with its session. */
export class Conversation {
  readonly session: Session;
  readonly history: WholeHistory = new WholeHistory();
  /** The last request, until a refusal is known, and what it was prepared from. */
  #last: { readonly request: PreparedRequest; readonly history: PiMessage[]; readonly given: Given } | null = null;

  constructor({ sessionId, engine, recall, folder, summaries }: ConversationOptions) {
    this.session = createSession({
      id: sessionId,
      engine: (host) => createRegistry().create(engine, host),
      // Each request names its model.
      model: { id: 'unknown', contextLength: 0 },
      recall,
      summaries,
      // After a refusal, a history may need two passes. OpenClaw itself limits how often it asks again.
      limits: { attempts: 6 },
      ...(folder !== null && { store: fileStore(folder) }),
    });
  }

  /** Returns the messages to send in place of a history. */
  async prepare<Message extends PiMessage>(
    history: Message[],
    given: Given,
  ): Promise<{ messages: Message[]; estimatedTokens: number }> {
    const { model, room, turnTokens } = given;
    // OpenClaw does not report answers, but they are in what follows. It repeats a request that failed.
    if (this.#last) {
      const { request, history: before, given: last } = this.#last;
      if (answersIn(history) > answersIn(before) || turnTokens > last.turnTokens)
        this.session.afterResponse(null, request);
    }
    const messages = this.session.adapter.remember(history);
    const decoded = piCodec.decode({ messages });
    const request = await this.session.beforeRequest(decoded.messages, { model: { id: model, contextLength: room } });
    this.#last = { request, history, given };
    const prepared = piCodec.encode(decoded, { messages: request.messages, provenance: request.info.provenance });
    const shown = prepared.messages === messages ? history : [...prepared.messages];
    return { messages: shown, estimatedTokens: request.info.tokens };
  }

  /**
   * Makes the history of a refused request smaller.
   * @returns its tokens before and after, and `room`, how many it may have; `null` if it cannot be made smaller
   */
  async shrink(): Promise<{ readonly before: number; readonly after: number; readonly room: number } | null> {
    if (!this.#last) return null;
    const { request, history, given } = this.#last;
    const before = request.info.tokens;
    const room = Math.floor(before * shrunkShare);
    this.#last = null;
    const { estimatedTokens: after } = await this.prepare(history, { ...given, room });
    return after < before ? { before, after, room } : null;
  }

  /**
   * Compacts the history of the last request.
   * @param llm writes the summary. @default rules write it
   * @returns `null` before the first request
   */
  async compact(
    focusTopic: string | undefined,
    signal: AbortSignal | undefined,
    llm: OpenclawLlm | undefined,
  ): Promise<CompactFeedback | null> {
    if (!this.#last) return null;
    const { adapter } = this.session;
    if (llm) adapter.offerSource(this.#last.request, pageSource(llm));
    try {
      return await this.session.compact({ focusTopic: focusTopic ?? undefined, signal });
    } finally {
      // OpenClaw lends its model only for this call.
      adapter.forgetSource();
    }
  }
}

function answersIn(history: readonly PiMessage[]): number {
  return history.filter(({ role }) => role === 'assistant').length;
}

/** Asks the model of an agent of OpenClaw. It gets no request with tools, so the last one cannot be repeated. */
function pageSource(llm: OpenclawLlm): PageSource {
  return {
    maxTokens: undefined,
    hasRoom: true,
    askCached: null,
    async ask(content, maxTokens, signal) {
      const messages = [{ role: 'user' as const, content }];
      const { text, stopReason, usage } = await llm.complete({
        ...{ messages, maxTokens, signal },
        purpose: 'palimpsest.summary',
      });
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
      const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
      const counted = promptTokens > 0 ? { promptTokens, completionTokens: outputTokens } : null;
      return toPage({ text, hasCalls: false, isCut: stopReason === 'length', usage: counted });
    },
  };
}
