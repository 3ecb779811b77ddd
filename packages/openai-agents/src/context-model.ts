import type { AgentOutputItem, Model } from '@openai/agents';
import type { ModelInfo } from '@palimpsest/core';
import { checkOptions, type Fields, modelRule } from '@palimpsest/core/authoring';
import type { Session } from '@palimpsest/session';
import { callModel, type ModelAnswer } from './call-model.ts';
import { pageSource } from './page-source.ts';
import { usageOf } from './usage.ts';

export interface ContextModelOptions {
  /** The window of this model, for agents that use several models. @default the session's model */
  readonly model?: ModelInfo | undefined;
}

/** The parts of an answer that a session learns from. */
interface Answer {
  readonly output: readonly AgentOutputItem[];
  readonly usage?: Parameters<typeof usageOf>[0];
}

/**
 * Wraps a model of the OpenAI Agents SDK. The session prepares each request and learns from its answer; a refusal for size
 * is followed by a smaller request. The SDK keeps the whole history, in its run state and in its own session.
 * Requests that continue a conversation stored by the provider are sent unchanged, and the session reports it.
 *
 * @example
 * const agent = new Agent({ name: 'Coder', model: contextModel(session, await provider.getModel('gpt-5')) });
 */
export function contextModel(session: Session, model: Model, options: ContextModelOptions = {}): Model {
  checkOptions('contextModel', options, { model: { ...modelRule, isRequired: false } });
  const { adapter } = session;
  adapter.attachPages();
  /** Passes what an answer reports to the session. */
  const learnFrom = (
    { request, sent }: Pick<ModelAnswer<unknown>, 'request' | 'sent'>,
    { output, usage }: Answer,
  ): void => {
    if (request) session.afterResponse(usageOf(usage), request, pageSource(model, sent, output));
  };
  return {
    ...('supportsPromptModelSelection' in model && {
      supportsPromptModelSelection: model.supportsPromptModelSelection === true,
    }),
    ...(model.getRetryAdvice && { getRetryAdvice: (given) => model.getRetryAdvice!(given) }),
    async getResponse(given) {
      const answered = await callModel(session, given, options.model, (sent) => model.getResponse(sent));
      learnFrom(answered, answered.answer);
      return answered.answer;
    },
    async *getStreamedResponse(given) {
      const { answer, request, sent } = await callModel(session, given, options.model, async (sent) => {
        const events = model.getStreamedResponse(sent)[Symbol.asyncIterator]();
        return { events, first: await events.next() };
      });
      const { events, first } = answer;
      let isOver = false;
      let problem: unknown = null;
      try {
        for (let next = first; !next.done; next = await events.next()) {
          const event = next.value;
          problem ??= streamErrorIn(event);
          if (event.type === 'response_done') learnFrom({ request, sent }, event.response);
          yield event;
        }
        isOver = true;
      } catch (error) {
        isOver = true;
        problem ??= error;
        throw error;
      } finally {
        // A part of the answer was passed on, so the call cannot be repeated. The next request is made smaller.
        if (request && problem) session.noteRefusal(adapter.failureOf(problem, request), request);
        if (!isOver) await events.return?.();
      }
    },
  };
}

/**
 * Reads the provider's error from a raw event of a stream; `null` for any other event. The error that the SDK throws
 * afterwards does not contain it.
 */
function streamErrorIn(event: object): unknown {
  const raw = (event as Fields).type === 'model' ? ((event as Fields).event as Fields | undefined) : undefined;
  if (raw?.type === 'error') return raw;
  return raw?.type === 'response.failed' ? ((raw.response as Fields | undefined)?.error ?? raw) : null;
}
