/**
 * Any model can write the handoff: here one behind any server that speaks OpenAI's chat completions (Ollama, vLLM,
 * llama.cpp, a gateway), with nothing but `fetch`. Everything in the prompt is redacted already.
 */
import type { Message, Summarizer } from '@palimpsest/core';
import { createEngineHost, createRegistry } from '@palimpsest/registry';

const server = process.env.SUMMARIZER_URL ?? 'http://127.0.0.1:11434/v1';
const model = process.env.SUMMARIZER_MODEL ?? 'qwen3:8b';

const summarizer: Summarizer = {
  id: `local:${model}`,
  contextLength: 32_000,
  async summarize({ prompt, signal }) {
    const response = await fetch(`${server}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.SUMMARIZER_KEY ?? 'none'}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }),
      signal: signal ?? null,
    });
    // The engine reads `status`: what to retry, and what to leave alone, is its business.
    if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
    const { choices } = (await response.json()) as {
      choices: { message: { content: string | null }; finish_reason: string }[];
    };
    return {
      text: choices[0]?.message.content ?? '',
      finishReason: choices[0]?.finish_reason === 'length' ? 'length' : 'stop',
    };
  },
};

const engine = await createRegistry().create({ engine: 'compressor' }, createEngineHost({ summarizer }));
await engine.updateModel({ id: 'gpt-5', contextLength: 16_000 });

/** A session that has outgrown its window. */
const history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }];
for (let turn = 1; turn <= 40; turn++)
  history.push(
    { role: 'user', content: `Add the endpoint /v1/items/${turn}, with a test.` },
    { role: 'assistant', content: `Added it in src/routes/items-${turn}.ts. ${'All of its tests pass. '.repeat(60)}` },
  );
history.push({ role: 'user', content: 'Now document all of them.' });

const { messages, report } = await engine.compress(history);
console.log(report.message);
console.log(`${history.length} messages became ${messages.length}; ${report.modelCalls} call(s) to ${summarizer.id}.`);
