import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { SummarizeResponse } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';
import { allowsText, type PageSource, pendingResult, toPage } from '@palimpsest/session/adapter';
import { usageOf } from './usage.ts';

/** The part of a chat model of LangChain that is used. */
interface ChatModel {
  /** Texts that end an answer. Classes of models name them differently. */
  readonly stop?: unknown;
  readonly stopSequences?: unknown;
  bindTools?(tools: unknown, settings: Fields): ChatModel;
  invoke(messages: readonly BaseMessage[], config: Fields): Promise<unknown>;
}

/** An answered request of an agent. */
export interface AgentRequest {
  readonly model: unknown;
  readonly tools: unknown;
  readonly toolChoice?: unknown;
  readonly modelSettings?: Fields | undefined;
  readonly responseFormat?: unknown;
  /** Since version 1.1. */
  readonly systemMessage?: SystemMessage | undefined;
  readonly systemPrompt?: string | undefined;
}

/** What was sent for it, and its answer. */
interface Sent {
  readonly messages: readonly BaseMessage[];
  /** `null` if the agent has no system prompt. */
  readonly systemPrompt: string | null;
  readonly answer: AIMessage;
  readonly maxTokens: number | undefined;
}

/** Asks the model of an answered request. It bypasses the agent, so the page is not streamed to the user. */
export function pageSource(request: AgentRequest, sent: Sent): PageSource {
  const { modelSettings, responseFormat, toolChoice, tools } = request;
  const model = request.model as ChatModel;
  const format = responseFormat == null ? undefined : { type: 'json_schema' };
  const stop = model.stopSequences ?? model.stop;
  const mayWrite = allowsText({ response_format: format, tool_choice: toolChoice, stop, ...modelSettings });
  return {
    maxTokens: sent.maxTokens,
    hasRoom: true,
    askCached:
      mayWrite && model.bindTools
        ? (instruction, signal) => {
            const bound = model.bindTools!(tools, { ...modelSettings, tool_choice: toolChoice });
            const messages = [
              ...systemOf(request, sent),
              ...sent.messages,
              ...answerOf(sent),
              new HumanMessage(instruction),
            ];
            return write(bound, messages, signal);
          }
        : null,
    ask: (prompt, _, signal) => write(model, [new HumanMessage(prompt)], signal),
  };
}

/** The system prompt in the form in which LangChain sends it. */
function systemOf({ systemMessage, systemPrompt: given }: AgentRequest, { systemPrompt }: Sent): BaseMessage[] {
  if (!systemPrompt) return [];
  if (systemMessage && systemPrompt === given) return [systemMessage];
  return [new SystemMessage(systemMessage ? { content: [{ type: 'text', text: systemPrompt }] } : systemPrompt)];
}

/** The answer, with results of its calls. It is left out if it cannot be sent back. */
function answerOf({ answer }: Sent): BaseMessage[] {
  const { invalid_tool_calls: invalid = [], tool_calls: calls = [] } = answer;
  if (invalid.length > 0 || calls.some(({ id }) => id === undefined)) return [];
  return [answer, ...calls.map(({ id, name }) => new ToolMessage({ content: pendingResult, tool_call_id: id!, name }))];
}

async function write(
  model: ChatModel,
  messages: readonly BaseMessage[],
  signal: AbortSignal,
): Promise<SummarizeResponse> {
  // The callbacks of the agent would stream the page to its user.
  const answer = await model.invoke(messages, { signal, callbacks: [], tags: ['nostream', 'langsmith:nostream'] });
  if (!AIMessage.isInstance(answer)) throw new Error('The model did not answer with a message.');
  const { finish_reason: reason, stop_reason: stop, status } = answer.response_metadata as Fields;
  const isCut = reason === 'length' || stop === 'max_tokens' || status === 'incomplete';
  const hasCalls = (answer.tool_calls ?? []).length > 0;
  return toPage({ text: answer.text, hasCalls, isCut, usage: usageOf(answer) });
}
