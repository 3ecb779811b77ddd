import type { ModelRequest } from '@openai/agents';
import type { ModelInfo } from '@palimpsest/core';
import { openaiResponses, rememberMessages } from '@palimpsest/formats';
import { classifyFailure, type FailureContext, type PreparedRequest, type Session } from '@palimpsest/session';
import { toAgentItem } from './items/to-agent-item.ts';
import { toResponsesItem } from './items/to-responses.ts';

/** An answer, and the request that it answers; `null` if the session could not prepare it. */
export interface Sent<Answer> {
  readonly answer: Answer;
  /** The request as it was sent. */
  readonly sent: ModelRequest;
  readonly request: PreparedRequest | null;
}

/** Prepares a request and sends it. Repeats it while the provider refuses its size and a smaller request is possible. */
export async function sendRequest<Answer>(
  session: Session,
  given: ModelRequest,
  model: ModelInfo | undefined,
  call: (request: ModelRequest) => Promise<Answer>,
): Promise<Sent<Answer>> {
  const stored = given.previousResponseId ?? given.conversationId;
  if (stored !== undefined) {
    session.notePassedThrough(
      `The request continues "${stored}", which the provider stores, so its messages are not visible here. Run the agent without previousResponseId and conversationId instead.`,
    );
    return { answer: await call(given), request: null, sent: given };
  }
  const { input, modelSettings, signal, systemInstructions: instructions } = given;
  const items = typeof input === 'string' ? input : rememberedItems(session)(input).map(toResponsesItem);
  const decoded = openaiResponses.decode({ instructions, input: items });
  const tools = declarations(given);
  let { maxTokens } = modelSettings;
  for (;;) {
    const request = await session
      .beforeRequest(decoded.messages, { tools, maxTokens, model, signal })
      .catch((error: unknown) => {
        // Like a model that was aborted, which rejects with the reason of the signal.
        throw signal?.aborted ? signal.reason : error;
      });
    const { info } = request;
    const native = openaiResponses.encode(decoded, { messages: request.messages, provenance: info.provenance });
    const sent: ModelRequest = { ...given };
    if (Array.isArray(native.input) && native.input !== items) sent.input = native.input.map(toAgentItem);
    if (typeof native.instructions === 'string') sent.systemInstructions = native.instructions;
    if (info.maxTokens !== undefined) sent.modelSettings = { ...modelSettings, maxTokens: info.maxTokens };
    try {
      return { answer: await call(sent), request, sent };
    } catch (error) {
      const recovery = await session.recover(
        classifyFailure(error, failureContext(session, request)),
        request,
        info.maxTokens,
      );
      if (!recovery.retry) throw error;
      maxTokens = recovery.maxTokens;
    }
  }
}

/** What helps to classify a refusal that does not state its cause. */
export function failureContext(session: Session, { info }: PreparedRequest): FailureContext {
  return { promptTokens: info.tokens, contextLength: session.status().contextLength };
}

/** The SDK copies all items for each request. The models of a session share the memory of them. */
const memories = new WeakMap<Session, ReturnType<typeof rememberMessages>>();

function rememberedItems(session: Session): ReturnType<typeof rememberMessages> {
  const known = memories.get(session) ?? rememberMessages();
  memories.set(session, known);
  return known;
}

/** The declarations of the tools, and of the tools that hand over to other agents. */
function declarations({ tools, handoffs }: ModelRequest): readonly unknown[] {
  const named = handoffs.map(({ toolName, toolDescription, inputJsonSchema }) => ({
    name: toolName,
    description: toolDescription,
    parameters: inputJsonSchema,
  }));
  return [...tools, ...named];
}
