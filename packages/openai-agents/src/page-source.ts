import type { AgentInputItem, AgentOutputItem, Model, ModelRequest } from '@openai/agents';
import type { SummarizeResponse } from '@palimpsest/core';
import { allowsText, type PageSource, pendingResult, toPage } from '@palimpsest/session/adapter';
import { usageOf } from './usage.ts';

/** Asks the model of an answered request. @param sent the request as it was sent */
export function pageSource(model: Model, sent: ModelRequest, output: readonly AgentOutputItem[]): PageSource {
  const { input, modelSettings, outputType } = sent;
  const { maxTokens, parallelToolCalls: _, toolChoice, ...settings } = modelSettings;
  const format = outputType === 'text' ? undefined : { type: 'json_schema' };
  // The SDK sends the data for a provider as fields of the body.
  const mayWrite = allowsText({ response_format: format, tool_choice: toolChoice, ...modelSettings.providerData });
  const items = typeof input === 'string' ? [question(input)] : input;
  return {
    maxTokens,
    hasRoom: true,
    askCached: mayWrite
      ? (instruction, signal) => {
          const asked = [...items, ...answerOf(output), question(instruction)];
          return write(model, { ...sent, input: asked, tracing: false, signal });
        }
      : null,
    ask(prompt, answerTokens, signal) {
      const maxAnswerTokens = maxTokens && Math.max(maxTokens, answerTokens);
      return write(model, {
        input: prompt,
        modelSettings: { ...settings, ...(maxAnswerTokens === undefined ? {} : { maxTokens: maxAnswerTokens }) },
        tools: [],
        handoffs: [],
        outputType: 'text',
        tracing: false,
        signal,
      });
    },
  };
}

function question(content: string): AgentInputItem {
  return { role: 'user', content };
}

/** The answer, with results of its calls. It is left out if it has items that only the SDK can answer. */
function answerOf(output: readonly AgentOutputItem[]): AgentInputItem[] {
  if (output.some(({ type }) => type !== undefined && !/^(?:message|reasoning|function_call)$/.test(type))) return [];
  const results = output.flatMap((item): AgentInputItem[] =>
    item.type === 'function_call'
      ? [
          {
            type: 'function_call_result',
            callId: item.callId,
            name: item.name,
            status: 'completed',
            output: { type: 'text', text: pendingResult },
          },
        ]
      : [],
  );
  return [...(output as AgentInputItem[]), ...results];
}

async function write(model: Model, request: ModelRequest): Promise<SummarizeResponse> {
  const answer = await model.getResponse(request);
  const hasCalls = answer.output.some(({ type }) => /_call$/.test(type ?? ''));
  const messages = answer.output.flatMap((item) => ('role' in item && item.role === 'assistant' ? [item] : []));
  const texts = messages.flatMap(({ content }) =>
    content.map((part) => (part.type === 'output_text' ? part.text : '')),
  );
  const isCut = messages.some(({ status }) => status === 'incomplete');
  return toPage({ text: texts.join(''), hasCalls, isCut, usage: usageOf(answer.usage) });
}
