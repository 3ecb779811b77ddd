import { AIMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { ModelInfo } from '@palimpsest/core';
import { checkOptions, functionRule } from '@palimpsest/core/authoring';
import type { Session } from '@palimpsest/session';
import { sessionTools } from '@palimpsest/session/adapter';
import { type AgentMiddleware, createMiddleware, tool } from 'langchain';
import { toCoreMessage } from './messages/to-core.ts';
import { toLangchain } from './messages/to-langchain.ts';
import { type AgentRequest, pageSource } from './page-source.ts';
import { usageOf } from './usage.ts';

export interface AgentMiddlewareOptions {
  /**
   * Returns the window of a model by its name, for an agent that changes models. `undefined` keeps the session's model.
   * @default the session's model in every call
   */
  readonly model?: ((name: string) => ModelInfo | undefined) | undefined;
}

/**
 * Creates the middleware of `createAgent` for one conversation. The session prepares each request to the model and learns
 * from its answer; a refusal for size is followed by a smaller request. The state of the agent keeps the whole history. The
 * tools of the session, such as `recall` and `expand`, become tools of the agent.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [await agentMiddleware(session)] });
 */
export async function agentMiddleware(
  session: Session,
  options: AgentMiddlewareOptions = {},
): Promise<AgentMiddleware> {
  checkOptions('agentMiddleware', options, { model: functionRule });
  const { adapter } = session;
  adapter.attachPages();
  return createMiddleware({
    name: 'PalimpsestContext',
    tools: await toolsOf(session),
    async wrapModelCall(request, handler) {
      const { messages, systemPrompt, runtime } = request;
      const { signal } = runtime as { readonly signal?: AbortSignal };
      const { maxTokens, name } = settingsOf(request.model);
      const system = systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : [];
      // A checkpointer reads the messages again for each turn.
      const core = adapter.remember([...system, ...messages.map(toCoreMessage)]);
      const tools = request.tools.map((one) => convertToOpenAITool(one as Parameters<typeof convertToOpenAITool>[0]));
      const model = name === undefined ? undefined : options.model?.(name);
      const { answer: answered, request: prepared } = await adapter.send({
        maxTokens,
        signal,
        // The answer's length is a setting of the model that a request cannot change.
        prepare: () => session.beforeRequest(core, { tools, maxTokens, minTokens: maxTokens, signal, model }),
        async call({ messages: fitting, info }) {
          const natives = [...system.map(() => null), ...messages];
          const written = toLangchain(fitting, info.provenance, core, natives);
          const changed = written.systemPrompt !== null && written.systemPrompt !== systemPrompt;
          const own = changed ? { systemPrompt: written.systemPrompt! } : {};
          return { written, answer: await handler({ ...request, messages: written.messages, ...own }) };
        },
      });
      const { answer, written } = answered;
      const source = AIMessage.isInstance(answer)
        ? pageSource(request as AgentRequest, { ...written, answer, maxTokens })
        : null;
      session.afterResponse(usageOf(answer as AIMessage), prepared, source);
      return answer;
    },
  });
}

async function toolsOf(session: Session) {
  const tools = await sessionTools(session);
  return tools.map(({ name, description, parameters, call }) =>
    tool((input: unknown, { signal }: { readonly signal?: AbortSignal }) => call(input, signal), {
      name,
      description,
      schema: parameters,
    }),
  );
}

/** The settings of a chat model that a session counts with. Each class of models has its own set of them. */
function settingsOf(model: unknown): { readonly maxTokens: number | undefined; readonly name: string | undefined } {
  const { maxTokens, model: name } = model as { readonly maxTokens?: unknown; readonly model?: unknown };
  return {
    maxTokens: typeof maxTokens === 'number' && maxTokens > 0 ? maxTokens : undefined,
    name: typeof name === 'string' ? name : undefined,
  };
}
