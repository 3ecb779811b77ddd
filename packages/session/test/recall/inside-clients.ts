import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@aws-sdk/client-bedrock-runtime';
import type { Content } from '@google/genai';
import { type ChatResponse, Ollama, type Message as OllamaMessage } from 'ollama';
import OpenAI from 'openai';
import { askConverse } from '../../../../test/converse.ts';
import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { bedrockClient } from '../bedrock-client.ts';
import { geminiClient } from '../gemini-client.ts';
import { filler } from '../make-session.ts';

/** What a host sees of one reply. */
interface HostReply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly finish: string | null | undefined;
}

/** A host that keeps its own history in one wire format, and knows nothing of recall. */
export interface Host {
  ask(words: string): Promise<HostReply>;
  /** Appends results of the calls of the last reply, and asks again. */
  answer(results: Readonly<Record<string, string>>): Promise<HostReply>;
  /** The list of messages or items. Tests may change it. */
  history: unknown[];
}

type MakeHost = (server: LoopbackServer, session: Session, isStreamed: boolean) => Host;

const own = { name: 'read_file', description: 'Reads a file.' };
const parameters = { type: 'object' as const, properties: { path: { type: 'string' } } };

/** Old turns, so that the conversation is compacted at the first request. */
function oldTurns<Item>(write: (index: number, text: string) => readonly Item[]): Item[] {
  return Array.from({ length: 30 }, (_, index) => write(index, filler(200, index))).flat();
}

const chat: MakeHost = (server, session, isStreamed) => {
  const client = new OpenAI({
    apiKey: 'test',
    baseURL: server.openaiUrl,
    fetch: contextFetch(session, { recall: true }),
    maxRetries: 0,
  });
  const history: OpenAI.ChatCompletionMessageParam[] = oldTurns((index, text) => [
    { role: 'user', content: `Show file ${index}.` },
    { role: 'assistant', content: text },
  ]);
  const send = async (): Promise<HostReply> => {
    const body = {
      model: 'm',
      messages: history,
      tools: [{ type: 'function' as const, function: { ...own, parameters } }],
    };
    const reply = isStreamed
      ? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(body);
    const { message, finish_reason: finish } = reply.choices[0]!;
    history.push(message);
    const calls = (message.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.type === 'function' ? call.function.name : '',
    }));
    const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = reply.usage!;
    return { text: message.content ?? '', calls, promptTokens, completionTokens, finish };
  };
  return {
    history,
    ask(content) {
      history.push({ role: 'user', content });
      return send();
    },
    answer(results) {
      for (const [id, content] of Object.entries(results)) history.push({ role: 'tool', tool_call_id: id, content });
      return send();
    },
  };
};

const responses: MakeHost = (server, session, isStreamed) => {
  const client = new OpenAI({
    apiKey: 'test',
    baseURL: server.openaiUrl,
    fetch: contextFetch(session, { recall: true }),
    maxRetries: 0,
  });
  const history: OpenAI.Responses.ResponseInputItem[] = oldTurns((index, text) => [
    { role: 'user', content: `Show file ${index}.` },
    { role: 'assistant', content: text },
  ]);
  const send = async (): Promise<HostReply> => {
    const body = {
      model: 'm',
      input: history,
      store: false,
      tools: [{ type: 'function' as const, ...own, parameters, strict: false }],
    };
    const reply = isStreamed
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    history.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = reply.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name }] : [],
    );
    const { input_tokens: promptTokens, output_tokens: completionTokens } = reply.usage!;
    const text = reply.output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
      .join('\n\n');
    return { text, calls, promptTokens, completionTokens, finish: reply.status };
  };
  return {
    history,
    ask(content) {
      history.push({ role: 'user', content });
      return send();
    },
    answer(results) {
      for (const [id, output] of Object.entries(results))
        history.push({ type: 'function_call_output', call_id: id, output });
      return send();
    },
  };
};

const anthropic: MakeHost = (server, session, isStreamed) => {
  const client = new Anthropic({
    apiKey: 'test',
    baseURL: server.anthropicUrl,
    fetch: contextFetch(session, { recall: true }),
    maxRetries: 0,
  });
  const history: Anthropic.MessageParam[] = oldTurns((index, text) => [
    { role: 'user', content: `Show file ${index}.` },
    { role: 'assistant', content: text },
  ]);
  const send = async (): Promise<HostReply> => {
    const body = { model: 'm', max_tokens: 500, messages: history, tools: [{ ...own, input_schema: parameters }] };
    const reply = isStreamed ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    history.push({ role: 'assistant', content: reply.content });
    const text = reply.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
    const calls = reply.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name }] : [],
    );
    const { input_tokens: uncached, cache_read_input_tokens: cached, output_tokens: completionTokens } = reply.usage;
    return { text, calls, promptTokens: uncached + (cached ?? 0), completionTokens, finish: reply.stop_reason };
  };
  return {
    history,
    ask(content) {
      history.push({ role: 'user', content });
      return send();
    },
    answer(results) {
      const content = Object.entries(results).map(([id, text]) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: text,
      }));
      history.push({ role: 'user', content });
      return send();
    },
  };
};

const gemini: MakeHost = (server, session, isStreamed) => {
  const { ask } = geminiClient(server.geminiUrl, (fetch) => contextFetch(session, { recall: true, fetch }));
  const history: Content[] = oldTurns((index, text) => [
    { role: 'user', parts: [{ text: `Show file ${index}.` }] },
    { role: 'model', parts: [{ text }] },
  ]);
  const send = async (): Promise<HostReply> => {
    const functionDeclarations = [{ ...own, parametersJsonSchema: parameters }];
    const config = { tools: [{ functionDeclarations }] };
    const chunks = await ask({ model: 'gemini-3-pro', contents: history, config }, isStreamed);
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    history.push({ role: 'model', parts });
    const calls = parts.flatMap(({ functionCall: call }) => (call ? [{ id: call.id!, name: call.name! }] : []));
    const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = chunks.at(-1)!.usageMetadata!;
    return {
      text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
      calls,
      promptTokens: promptTokenCount!,
      completionTokens: candidatesTokenCount + thoughtsTokenCount,
      finish: chunks.at(-1)!.candidates![0]!.finishReason,
    };
  };
  return {
    history,
    ask(text) {
      history.push({ role: 'user', parts: [{ text }] });
      return send();
    },
    answer(results) {
      const asked = history.flatMap(({ parts = [] }) => parts.flatMap(({ functionCall = [] }) => functionCall));
      const parts = Object.entries(results).map(([id, output]) => ({
        functionResponse: { id, name: asked.find((call) => call.id === id)!.name!, response: { output } },
      }));
      history.push({ role: 'user', parts });
      return send();
    },
  };
};

const bedrock: MakeHost = (server, session, isStreamed) => {
  const client = bedrockClient(server.bedrockUrl, 'key', contextFetch(session, { recall: true }));
  const history: Message[] = oldTurns((index, text) => [
    { role: 'user', content: [{ text: `Show file ${index}.` }] },
    { role: 'assistant', content: [{ text }] },
  ]);
  const send = async (): Promise<HostReply> => {
    const toolConfig = { tools: [{ toolSpec: { ...own, inputSchema: { json: parameters } } }] };
    const { content, stopReason, usage } = await askConverse(
      client,
      { modelId: 'm', messages: history, toolConfig },
      isStreamed,
    );
    history.push({ role: 'assistant', content: [...content] });
    return {
      text: content.flatMap(({ text = [] }) => text).join('\n\n'),
      calls: content.flatMap(({ toolUse }) => (toolUse ? [{ id: toolUse.toolUseId!, name: toolUse.name! }] : [])),
      promptTokens: usage!.inputTokens! + (usage!.cacheReadInputTokens ?? 0),
      completionTokens: usage!.outputTokens!,
      finish: stopReason,
    };
  };
  return {
    history,
    ask(text) {
      history.push({ role: 'user', content: [{ text }] });
      return send();
    },
    answer(results) {
      const content = Object.entries(results).map(([toolUseId, text]) => ({
        toolResult: { toolUseId, content: [{ text }] },
      }));
      history.push({ role: 'user', content });
      return send();
    },
  };
};

/** Calls of `llama3.2` have no ids, so its results name their tool. */
const ollama: MakeHost = (server, session, isStreamed) => {
  const fetch = contextFetch(session, { recall: true }) as typeof globalThis.fetch;
  const client = new Ollama({ host: server.ollamaUrl, fetch });
  const history: OllamaMessage[] = oldTurns((index, text) => [
    { role: 'user', content: `Show file ${index}.` },
    { role: 'assistant', content: text },
  ]);
  const send = async (): Promise<HostReply> => {
    const body = {
      model: isStreamed ? 'qwen3' : 'llama3.2',
      messages: history,
      tools: [{ type: 'function', function: { ...own, parameters } }],
    };
    const message: OllamaMessage = { role: 'assistant', content: '' };
    let last: Partial<ChatResponse> = {};
    const take = (part: ChatResponse): void => {
      message.content += part.message.content;
      if (part.message.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...part.message.tool_calls];
      last = part;
    };
    if (isStreamed) for await (const part of await client.chat({ ...body, stream: true })) take(part);
    else take(await client.chat({ ...body, stream: false }));
    history.push(message);
    return {
      text: message.content,
      // Tests know only ids.
      calls: (message.tool_calls ?? []).map(({ function: { name } }, at) => ({ id: `h${at + 1}`, name })),
      promptTokens: last.prompt_eval_count!,
      completionTokens: last.eval_count!,
      finish: last.done_reason,
    };
  };
  return {
    history,
    ask(text) {
      history.push({ role: 'user', content: text });
      return send();
    },
    answer(results) {
      for (const content of Object.values(results)) history.push({ role: 'tool', tool_name: own.name, content });
      return send();
    },
  };
};

/** Hosts on the real clients, streamed and not. */
export const hosts: Readonly<Record<string, (server: LoopbackServer, session: Session) => Host>> = {
  'chat completions': (server, session) => chat(server, session, false),
  'chat completions, streamed': (server, session) => chat(server, session, true),
  Responses: (server, session) => responses(server, session, false),
  'Responses, streamed': (server, session) => responses(server, session, true),
  Anthropic: (server, session) => anthropic(server, session, false),
  'Anthropic, streamed': (server, session) => anthropic(server, session, true),
  Gemini: (server, session) => gemini(server, session, false),
  'Gemini, streamed': (server, session) => gemini(server, session, true),
  Bedrock: (server, session) => bedrock(server, session, false),
  'Bedrock, streamed': (server, session) => bedrock(server, session, true),
  Ollama: (server, session) => ollama(server, session, false),
  'Ollama, streamed': (server, session) => ollama(server, session, true),
};
