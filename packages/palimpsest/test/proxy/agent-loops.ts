import type Anthropic from '@anthropic-ai/sdk';
import type { BedrockRuntimeClient, Message } from '@aws-sdk/client-bedrock-runtime';
import type { Content, GenerateContentResponse, Part } from '@google/genai';
import type { Ollama } from 'ollama';
import type OpenAI from 'openai';
import { askConverse } from '../../../../test/converse.ts';
import type { ProxyClients } from './running-proxy.ts';

/** Options of a loop. */
export interface LoopOptions extends Omit<ProxyClients, 'bedrock' | 'ollama'> {
  /** For the loop on Bedrock. */
  readonly bedrock?: BedrockRuntimeClient;
  /** For the loop on Ollama. */
  readonly ollama?: Ollama;
  /** The history that the loop continues and appends to. */
  readonly history: object[];
  /** The user's request; added to an empty history. */
  readonly task: string;
  /** The loop stops after this many rounds, or when the model is done. */
  readonly rounds?: number;
  /** Longest answer. Tokens. @default 1_000 */
  readonly maxTokens?: number;
  /** @default true */
  readonly isStreamed?: boolean;
  /** The window that the loop on Ollama asks for. Tokens. @default none */
  readonly window?: number;
}

/** An agent that works until the model is done. */
export type AgentLoop = (options: LoopOptions) => Promise<void>;

/** Of the tool of each agent. */
export const parameters = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
/** What each agent is told first. */
export const system = 'You are a coding agent. Use the tools.';
/** Of the tool of each agent. */
export const description = 'Reads a file.';

/** A result of about 400 tokens, the same for the same arguments. */
export function fileText(input: unknown): string {
  const { path } = (typeof input === 'string' ? JSON.parse(input) : input) as { path: string };
  return Array.from(
    { length: 30 },
    (_, line) => `${path}:${line}: export const value${line} = compute(${line * 7});`,
  ).join('\n');
}

/** An agent on chat completions that streams. */
export async function chatLoop({
  openai,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
}: LoopOptions): Promise<void> {
  const messages = history as OpenAI.ChatCompletionMessageParam[];
  if (messages.length === 0) messages.push({ role: 'system', content: system }, { role: 'user', content: task });
  const tools = [{ type: 'function' as const, function: { name: 'read_file', description, parameters } }];
  for (let round = 0; round < rounds; round++) {
    const body = { model: 'm', max_tokens: maxTokens, messages, tools };
    const { content, tool_calls: calls } = (
      isStreamed
        ? await openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalMessage()
        : (await openai.chat.completions.create(body)).choices[0]!.message
    ) as OpenAI.ChatCompletionMessage;
    messages.push({ role: 'assistant', content, ...(calls?.length ? { tool_calls: calls } : {}) });
    if (!calls?.length) return;
    for (const call of calls)
      if (call.type === 'function')
        messages.push({ role: 'tool', tool_call_id: call.id, content: fileText(call.function.arguments) });
  }
}

/** An agent on Responses that streams and sends the whole input each time. */
export async function responsesLoop({
  openai,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
}: LoopOptions): Promise<void> {
  const input = history as OpenAI.Responses.ResponseInputItem[];
  if (input.length === 0) input.push({ role: 'user', content: task });
  const tools = [{ type: 'function' as const, name: 'read_file', description, parameters, strict: false }];
  for (let round = 0; round < rounds; round++) {
    const body = { model: 'm', max_output_tokens: maxTokens, instructions: system, input, tools, store: false };
    const { output } = await (isStreamed
      ? openai.responses.stream(body).finalResponse()
      : openai.responses.create(body));
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    if (calls.length === 0) return;
    for (const call of calls)
      input.push({ type: 'function_call_output', call_id: call.call_id, output: fileText(call.arguments) });
  }
}

/** An agent on Anthropic messages that streams and moves a cache mark along. */
export async function messagesLoop({
  anthropic,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
}: LoopOptions): Promise<void> {
  const messages = history as Anthropic.MessageParam[];
  if (messages.length === 0) messages.push({ role: 'user', content: task });
  const tools = [{ name: 'read_file', description, input_schema: parameters }];
  for (let round = 0; round < rounds; round++) {
    const body = { model: 'm', max_tokens: maxTokens, system, tools, messages: markedLast(messages) };
    const { content } = await (isStreamed
      ? anthropic.messages.stream(body).finalMessage()
      : anthropic.messages.create(body));
    messages.push({ role: 'assistant', content });
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: fileText(input) })),
    });
  }
}

/** An agent on the Gemini API that joins the pieces of a streamed text, like Gemini CLI. */
export async function geminiLoop({
  gemini,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
}: LoopOptions): Promise<void> {
  if (history.length === 0) history.push({ role: 'user', parts: [{ text: task }] });
  const contents = history as Content[];
  contents.splice(0, contents.length, ...history.map(asContent));
  const functionDeclarations = [{ name: 'read_file', description, parametersJsonSchema: parameters }];
  const config = { maxOutputTokens: maxTokens, systemInstruction: system, tools: [{ functionDeclarations }] };
  for (let round = 0; round < rounds; round++) {
    const request = { model: 'gemini-3-pro', contents, config };
    const chunks: GenerateContentResponse[] = [];
    if (isStreamed) for await (const chunk of await gemini.models.generateContentStream(request)) chunks.push(chunk);
    else chunks.push(await gemini.models.generateContent(request));
    const answer = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []).reduce(withPart, []);
    contents.push({ role: 'model', parts: answer });
    const calls = answer.flatMap(({ functionCall: call }) => call ?? []);
    if (calls.length === 0) return;
    const parts = calls.map(({ id, name, args }) => ({
      functionResponse: { id: id!, name: name!, response: { output: fileText(args) } },
    }));
    contents.push({ role: 'user', parts });
  }
}

function withPart(before: Part[], part: Part): Part[] {
  const last = before.at(-1);
  if (last?.text === undefined || part.text === undefined || last.thoughtSignature) return [...before, part];
  return [...before.slice(0, -1), { ...part, text: last.text + part.text }];
}

/** Tests append the user's words as the other APIs take them. */
function asContent(item: object): Content {
  const { content, ...rest } = item as { readonly content?: unknown };
  return typeof content === 'string' ? { ...rest, parts: [{ text: content }] } : (item as Content);
}

/** An agent on `Converse` that moves a cache point along. */
export async function converseLoop({
  bedrock,
  history,
  task,
  rounds = 1_000,
  maxTokens = 1_000,
  isStreamed = true,
}: LoopOptions): Promise<void> {
  if (history.length === 0) history.push({ role: 'user', content: [{ text: task }] });
  const messages = history as Message[];
  messages.splice(0, messages.length, ...history.map(asMessage));
  const tools = [{ toolSpec: { name: 'read_file', description, inputSchema: { json: parameters } } }];
  for (let round = 0; round < rounds; round++) {
    const last = messages.at(-1)!;
    const marked = { ...last, content: [...last.content!, { cachePoint: { type: 'default' as const } }] };
    const input = {
      modelId: 'm',
      system: [{ text: system }],
      messages: [...messages.slice(0, -1), marked],
      toolConfig: { tools },
      inferenceConfig: { maxTokens },
    };
    const { content } = await askConverse(bedrock!, input, isStreamed);
    messages.push({ role: 'assistant', content: [...content] });
    const calls = content.flatMap(({ toolUse }) => toolUse ?? []);
    if (calls.length === 0) return;
    const results = calls.map(({ toolUseId, input: given }) => ({
      toolResult: { toolUseId, content: [{ text: fileText(given) }] },
    }));
    messages.push({ role: 'user', content: results });
  }
}

function asMessage(item: object): Message {
  const { content, ...rest } = item as { readonly content?: unknown };
  return (typeof content === 'string' ? { ...rest, content: [{ text: content }] } : item) as Message;
}

/** The loops by their wire format. */
export const loops: Readonly<
  Record<'chat completions' | 'Responses' | 'Anthropic messages' | 'Gemini' | 'Bedrock', AgentLoop>
> = {
  'chat completions': chatLoop,
  Responses: responsesLoop,
  'Anthropic messages': messagesLoop,
  Gemini: geminiLoop,
  Bedrock: converseLoop,
};

function markedLast(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.at(-1)!;
  const blocks: Anthropic.ContentBlockParam[] =
    typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  const marked = blocks.map((block, at) =>
    at === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  );
  return [...messages.slice(0, -1), { ...last, content: marked } as Anthropic.MessageParam];
}
