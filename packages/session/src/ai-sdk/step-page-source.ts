import type { SummarizeResponse } from '@palimpsest/core';
import { readUsage } from '@palimpsest/formats/wire';
import { generateText, type LanguageModel, type ModelMessage, type SystemModelMessage, type ToolSet } from 'ai';
import { hasRoom, type PageSource } from '../conversation/page-source.ts';

/** What is known of an answered step. */
export interface AnsweredStep {
  readonly model: LanguageModel;
  readonly system: string | SystemModelMessage | SystemModelMessage[] | undefined;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly response: { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** Asks the model of a step with its messages. Other settings of the step, such as provider options, are not known. */
export function stepPageSource(step: AnsweredStep): PageSource {
  const { maxOutputTokens: maxTokens, messages, model, response, system } = step;
  const tools = step.tools && withoutFunctions(step.tools);
  return {
    maxTokens,
    hasRoom: hasRoom(new Headers(response?.headers)),
    ride: (instruction, abortSignal) =>
      generate({
        model,
        ...(system === undefined ? {} : { system: system as string }),
        messages: [...messages, { role: 'user', content: instruction }],
        ...(tools && { tools }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        abortSignal,
      }),
    ask: (prompt, answerTokens, abortSignal) =>
      generate({
        model,
        messages: [{ role: 'user', content: prompt }],
        ...(maxTokens === undefined ? {} : { maxOutputTokens: Math.max(maxTokens, answerTokens) }),
        abortSignal,
      }),
  };
}

/** The declarations of tools. A call in a page is not run. */
function withoutFunctions(tools: ToolSet): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { execute: _, ...declared }]) => [name, declared]),
  ) as ToolSet;
}

async function generate(call: Parameters<typeof generateText>[0]): Promise<SummarizeResponse> {
  const { finishReason, text, toolCalls, usage: reported } = await generateText({ ...call, maxRetries: 0 });
  const usage = readUsage(reported);
  return {
    text: toolCalls.length > 0 ? '' : text,
    finishReason: finishReason === 'length' ? 'length' : 'stop',
    ...(usage && { usage }),
  };
}
