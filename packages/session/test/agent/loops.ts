import { createOpenAI } from '@ai-sdk/openai';
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from 'ai';
import { OAuth2Client } from 'google-auth-library';
import OpenAI from 'openai';
import { runTool, type ToolInput, toolNames, toolParameters } from '../../../../test/coding-agent/real-tools.ts';
import { awsCredentials } from '../../../../test/loopback-server/index.ts';
import { contextStep, contextTools } from '../../src/ai-sdk.ts';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { allResponseMessages } from './response-messages.ts';

/** Options of a loop. */
export interface LoopOptions {
  readonly baseURL: string;
  readonly session: Session;
  /** Number of requests of the user. */
  readonly requests: number;
  /** Folder that the agent writes to. */
  readonly notes: string;
  /** Folder of the sources. @default this repository */
  readonly root?: string;
  /** The history that the loop continues and appends to. */
  readonly history: object[];
  /** The model gets the tools `recall` and `expand`. @default false */
  readonly recall?: boolean;
  /** Called when a message was appended, for an agent that stores its history elsewhere. */
  readonly appended?: (message: object) => void;
}

/** What each agent is told first. */
export const systemPrompt = 'You are a coding agent. Use the tools to read the project and take notes.';

/** Of each tool. */
export const description = 'Works on the files of the project.';
/** The longest answer. */
export const maxTokens = 1_000;

/** The words of the user. */
export function requestText(number: number): string {
  return `Part ${number}: read the next sources and write down what you learn. Keep number ${number * 1_009} in mind.`;
}

/** Number of requests of the user in a history. */
function requested(history: readonly object[]): number {
  return history.filter((message) => JSON.stringify(message).includes('Keep number')).length;
}

/** An agent on chat completions; every other answer is streamed. */
export async function openaiLoop({
  baseURL,
  session,
  requests,
  notes,
  root,
  history,
  recall,
  appended,
}: LoopOptions): Promise<void> {
  const client = new OpenAI({ apiKey: 'test', baseURL, fetch: contextFetch(session, { recall }), maxRetries: 0 });
  const messages = history as OpenAI.ChatCompletionMessageParam[];
  const add = (message: OpenAI.ChatCompletionMessageParam): void => {
    messages.push(message);
    appended?.(message);
  };
  if (messages.length === 0) add({ role: 'system', content: systemPrompt });
  const tools = toolNames.map((name) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...toolParameters } },
  }));
  for (;;) {
    const last = messages.at(-1)!;
    if (last.role === 'system' || (last.role === 'assistant' && !last.tool_calls)) {
      if (requested(messages) === requests) return;
      add({ role: 'user', content: requestText(requested(messages) + 1) });
    }
    const body = { model: 'm', max_tokens: maxTokens, messages, tools };
    const reply =
      messages.length % 2 === 0
        ? (await client.chat.completions.create(body)).choices[0]!.message
        : await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalMessage();
    const { content, tool_calls: calls } = reply;
    add({ role: 'assistant', content, ...(calls?.length ? { tool_calls: calls } : {}) });
    for (const call of calls ?? []) {
      if (call.type !== 'function') continue;
      const input = JSON.parse(call.function.arguments) as ToolInput;
      add({ role: 'tool', tool_call_id: call.id, content: runTool(call.function.name, input, notes, root) });
    }
  }
}

/** An agent on Responses that sends the whole input each time. */
export async function responsesLoop({
  baseURL,
  session,
  requests,
  notes,
  history,
  recall,
}: LoopOptions): Promise<void> {
  const client = new OpenAI({ apiKey: 'test', baseURL, fetch: contextFetch(session, { recall }), maxRetries: 0 });
  const input = history as OpenAI.Responses.ResponseInputItem[];
  const tools = toolNames.map((name) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...toolParameters },
    strict: false,
  }));
  for (let request = 1; request <= requests; request++) {
    input.push({ role: 'user', content: requestText(request) });
    for (let calling = true; calling; ) {
      const body = { model: 'm', max_output_tokens: maxTokens, instructions: systemPrompt, input, tools, store: false };
      const reply =
        input.length % 2 === 0
          ? await client.responses.create(body)
          : await client.responses.stream(body).finalResponse();
      input.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]));
      const calls = reply.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      for (const { call_id: id, name, arguments: given } of calls)
        input.push({
          type: 'function_call_output',
          call_id: id,
          output: runTool(name, JSON.parse(given) as ToolInput, notes),
        });
      calling = calls.length > 0;
    }
  }
}

/** An agent on Anthropic messages; every fourth answer is not streamed. */
export function anthropicLoop(options: LoopOptions): Promise<void> {
  return messagesLoop(options, new Anthropic({ apiKey: 'test', ...connection(options) }));
}

/** The same on Bedrock, with signed requests. */
export function bedrockMessagesLoop(options: LoopOptions): Promise<void> {
  const { accessKeyId: awsAccessKey, secretAccessKey: awsSecretKey } = awsCredentials;
  const fetch = contextFetch(options.session, { recall: options.recall, aws: awsCredentials });
  const client = new AnthropicBedrock({
    ...connection(options),
    awsAccessKey,
    awsSecretKey,
    awsRegion: 'eu-west-1',
    fetch,
  });
  return messagesLoop(options, client as unknown as Pick<Anthropic, 'messages'>);
}

/** The same on Vertex, with a token of Google. */
export function vertexLoop(options: LoopOptions): Promise<void> {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'test-token', expiry_date: Number.MAX_SAFE_INTEGER });
  const project = { projectId: 'my-project', region: 'europe-west1' };
  return messagesLoop(options, new AnthropicVertex({ ...project, authClient, ...connection(options) }));
}

function connection({ baseURL, session, recall }: LoopOptions) {
  return { baseURL, fetch: contextFetch(session, { recall }), maxRetries: 0 };
}

async function messagesLoop(
  { requests, notes, history }: LoopOptions,
  client: Pick<Anthropic, 'messages'> | AnthropicVertex,
): Promise<void> {
  const messages = history as Anthropic.MessageParam[];
  const tools = toolNames.map((name) => ({
    name,
    description,
    input_schema: { ...toolParameters, required: ['path'] },
  }));
  for (let request = 1; request <= requests; request++) {
    messages.push({ role: 'user', content: requestText(request) });
    for (let calling = true; calling; ) {
      const body: Anthropic.MessageCreateParamsNonStreaming = {
        model: 'm',
        max_tokens: maxTokens,
        system: [{ type: 'text', text: systemPrompt, cache_control: { type: 'ephemeral' } }],
        messages: markedLast(messages),
        tools,
      };
      const reply =
        messages.length % 4 === 1
          ? await client.messages.create(body)
          : await client.messages.stream(body).finalMessage();
      messages.push({ role: 'assistant', content: reply.content });
      const results = reply.content.flatMap((block) =>
        block.type === 'tool_use'
          ? [
              {
                type: 'tool_result' as const,
                tool_use_id: block.id,
                content: runTool(block.name, block.input as ToolInput, notes),
              },
            ]
          : [],
      );
      if (results.length > 0) messages.push({ role: 'user', content: results });
      calling = results.length > 0;
    }
  }
}

/**
 * An agent like Claude Code 2.1: requests of two parts, notes of the harness as system messages after user turns,
 * and four cache marks that move along: system prompt, tools, and the last two user turns.
 */
export async function claudeCodeLoop({
  baseURL,
  session,
  requests,
  notes,
  history,
  recall,
}: LoopOptions): Promise<void> {
  const client = new Anthropic({ apiKey: 'test', baseURL, fetch: contextFetch(session, { recall }), maxRetries: 0 });
  const messages = history as Anthropic.MessageParam[];
  const mark = { cache_control: { type: 'ephemeral' as const } };
  const tools = toolNames.map((name, at) => ({
    name,
    description,
    input_schema: { ...toolParameters, required: ['path'] },
    ...(at === toolNames.length - 1 ? mark : {}),
  }));
  const say = (content: Anthropic.ContentBlockParam[], note: string | null): void => {
    messages.push({ role: 'user', content });
    if (note) messages.push({ role: 'system', content: note });
  };
  for (let request = 1; request <= requests; request++) {
    // Large enough that the request itself often causes a compaction while it has a cache mark.
    const pasted = `<system-reminder>${'The file has changed since it was read. '.repeat(250)}</system-reminder>`;
    say([textPart(pasted), textPart(requestText(request))], `The user opened file ${request} in the editor.`);
    for (let round = 1; ; round++) {
      const reply = await client.messages.create({
        model: 'm',
        max_tokens: maxTokens,
        system: [{ ...textPart(systemPrompt), ...mark }],
        messages: markedTurns(messages),
        tools,
      });
      messages.push({ role: 'assistant', content: reply.content });
      const results = reply.content.flatMap((block) =>
        block.type === 'tool_use'
          ? [
              {
                type: 'tool_result' as const,
                tool_use_id: block.id,
                content: runTool(block.name, block.input as ToolInput, notes),
              },
            ]
          : [],
      );
      if (results.length === 0) break;
      say(results, round % 3 === 0 ? `Round ${request}.${round}: the to-do list has not been touched lately.` : null);
    }
  }
}

function textPart(text: string): Anthropic.TextBlockParam {
  return { type: 'text', text };
}

/** The messages with cache marks on the last two user turns. */
function markedTurns(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const turns = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-2);
  return messages.map((message, at) => (turns.includes(at) ? markedLast([message])[0]! : message));
}

/** An agent of the AI SDK, which runs the tools and keeps the history of a request itself. */
export async function aiSdkLoop({ baseURL, session, requests, notes, history, recall }: LoopOptions): Promise<void> {
  const model = createOpenAI({ apiKey: 'test', baseURL }).chat('m');
  const messages = history as ModelMessage[];
  const own = Object.fromEntries(
    toolNames.map((name) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<ToolInput>({ ...toolParameters, required: ['path'] }),
        execute: (input: ToolInput) => runTool(name, input, notes),
      }),
    ]),
  );
  const tools = recall ? { ...own, ...(await contextTools(session)) } : own;
  const prepareStep = contextStep(session);
  for (let request = 1; request <= requests; request++) {
    messages.push({ role: 'user', content: requestText(request) });
    const result = await generateText({
      model,
      system: systemPrompt,
      tools,
      messages,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      stopWhen: stepCountIs(1_000),
      prepareStep,
    });
    messages.push(...allResponseMessages(result));
  }
}

/** The messages with the cache mark on the last one, as agents move it along. */
function markedLast(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.at(-1)!;
  const blocks: Anthropic.ContentBlockParam[] =
    typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  const marked = blocks.map((block, at) =>
    at === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' as const } } : block,
  );
  return [...messages.slice(0, -1), { ...last, content: marked } as Anthropic.MessageParam];
}
