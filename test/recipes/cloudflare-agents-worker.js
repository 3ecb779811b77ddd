// A Durable Object with one conversation, as docs/recipes.md describes it. Runs in workerd.

import { DurableObject } from 'cloudflare:workers';
import { createOpenAI } from '@ai-sdk/openai';
import { contentText } from '@palimpsest/core';
import { aiSdk } from '@palimpsest/formats';
import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { createSession, keyValueStore } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';
import { Lifecycle } from 'agents/lifecycle';
import { Sessions } from 'agents/sessions';
import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const engines = { compressor: { minimumThreshold: 0, threshold: 0.6 } };

export class Conversation extends DurableObject {
  sessions = new Sessions();
  lifecycle = Lifecycle.install(this).use(this.sessions);
  messages = this.sessions.session().onCompaction((messages) => this.summarize(messages));
  context = createSession({
    id: 'conversation',
    engine: (host) => createRegistry().create({ engine: 'compressor', engines }, host),
    model: { id: 'm', contextLength: 16_000 },
    recall: true,
    store: keyValueStore({
      getItem: (key) => this.ctx.storage.kv.get(key) ?? null,
      setItem: (key, value) => this.ctx.storage.kv.put(key, value),
    }),
  });

  async onRequest(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/ask') return Response.json(await this.ask(searchParams.get('text')));
    if (pathname === '/compact') return Response.json(await this.messages.compact());
    return Response.json(await this.history());
  }

  /** Answers a request of the user, and stores both. */
  async ask(text) {
    await this.messages.appendMessage({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] });
    const stored = await this.history();
    const fetch = contextFetch(this.context, { recall: true });
    const openai = createOpenAI({ apiKey: 'test', baseURL: this.env.PROVIDER, fetch });
    const result = streamText({
      model: openai.chat('m'),
      system: 'You are a coding agent.',
      messages: await convertToModelMessages(stored),
      tools: { read_file: readFile },
      stopWhen: stepCountIs(1_000),
      maxOutputTokens: 1_000,
      maxRetries: 0,
    });
    const stream = result.toUIMessageStream({
      originalMessages: stored,
      generateMessageId: () => crypto.randomUUID(),
      onFinish: ({ responseMessage }) => this.messages.appendMessage(responseMessage),
    });
    for await (const _ of stream);
    return { text: await result.text, compactions: this.context.records().length };
  }

  async history() {
    const all = [];
    for await (const message of this.messages.history()) all.push(message);
    return all;
  }

  /** Writes the summary that Cloudflare puts in the place of old messages. */
  async summarize(messages) {
    const converted = await Promise.all(messages.map((message) => convertToModelMessages([message])));
    const owners = converted.flatMap((list, at) => list.map(() => at));
    const decoded = aiSdk.decode({ messages: converted.flat() });
    const engine = await createRegistry().create({ engine: 'compressor', engines }, createEngineHost());
    await engine.updateModel({ id: 'm', contextLength: 16_000 });
    const { messages: shorter, provenance } = await engine.compress(decoded.messages, { force: true });
    const at = provenance.output.findIndex(({ kind }) => kind === 'inserted');
    if (at < 0) return null;
    const { from, to } = provenance.output[at].covers;
    const messageOf = (index) => owners[decoded.origins[index].pieces[0].index];
    // A message that is covered only in part stays.
    const last = to < decoded.messages.length ? messageOf(to) - 1 : messages.length - 1;
    return {
      fromMessageId: messages[messageOf(from)].id,
      toMessageId: messages[last].id,
      summary: contentText(shorter[at].content),
    };
  }
}

const readFile = tool({
  description: 'Reads a file.',
  inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
  execute: ({ path }) => Array.from({ length: 30 }, (_, line) => `line ${line} of ${path}: nothing of note`).join('\n'),
});

export default {
  fetch: (request, env) => env.CONVERSATIONS.getByName('one').fetch(request),
};
