import type { ModelRequest } from '@openai/agents';
import type { ModelInfo } from '@palimpsest/core';
import { openaiResponses } from '@palimpsest/formats';
import type { PreparedRequest, Session } from '@palimpsest/session';
import { toAgentItem } from './items/to-agent-item.ts';
import { toResponsesItem } from './items/to-responses.ts';

/** An answer, and the request that it answers; `null` if the session could not prepare it. */
export interface ModelAnswer<Answer> {
  readonly answer: Answer;
  /** The request as it was sent. */
  readonly sent: ModelRequest;
  readonly request: PreparedRequest | null;
}

/** Prepares a request and sends it. Repeats it while the provider refuses its size and a smaller request is possible. */
export async function callModel<Answer>(
  session: Session,
  given: ModelRequest,
  model: ModelInfo | undefined,
  call: (request: ModelRequest) => Promise<Answer>,
): Promise<ModelAnswer<Answer>> {
  const stored = given.previousResponseId ?? given.conversationId;
  if (stored !== undefined) {
    session.notePassedThrough(
      `The request continues "${stored}", which the provider stores, so its messages are not visible here. Run the agent without previousResponseId and conversationId instead.`,
    );
    return { answer: await call(given), request: null, sent: given };
  }
  const { input, modelSettings, signal, systemInstructions: instructions } = given;
  const items = typeof input === 'string' ? input : session.adapter.remember(input).map(toResponsesItem);
  const decoded = openaiResponses.decode({ instructions, input: items });
  const tools = declarations(given);
  const { answer, request } = await session.adapter.send({
    maxTokens: modelSettings.maxTokens,
    signal,
    prepare: (maxTokens) => session.beforeRequest(decoded.messages, { tools, maxTokens, model, signal }),
    async call({ messages, info: { maxTokens, provenance } }) {
      const native = openaiResponses.encode(decoded, { messages, provenance });
      const sent: ModelRequest = { ...given };
      if (Array.isArray(native.input) && native.input !== items) sent.input = native.input.map(toAgentItem);
      if (typeof native.instructions === 'string') sent.systemInstructions = native.instructions;
      if (maxTokens !== undefined) sent.modelSettings = { ...modelSettings, maxTokens };
      return { answer: await call(sent), sent };
    },
  });
  return { ...answer, request };
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
