import { describe, expect, it } from 'vitest';
import { answerReader, appendItems, type Body, readUsage, wireAt, wireFormats, wireNamed } from '../src/wire.ts';
import { addresses, answers, forbidding, plainTools, withoutCalls, withoutTools } from './wire-samples.ts';

const encoder = new TextEncoder();

describe.each(wireFormats)('the wire %s', (format) => {
  const wire = wireNamed(format);
  const address = addresses[format];

  it('has the name under which it is registered, and is found by its address', () => {
    expect(wire.name).toBe(format);
    expect(wireAt(new URL(address))).toBe(wire);
    expect(wireAt(new URL(`${address}/batches`))).toBeNull();
  });

  it('appends its answer and a message of the user to a request, and keeps all other bytes', () => {
    const text = 'What is in "a.ts"?';
    const body: Body = {
      model: 'm',
      [wire.list]: [wire.userMessage(text)],
      stream: false,
      anthropic_version: 'bedrock-2023-05-31',
    };
    const sent = JSON.stringify(body);
    const reader = answerReader(wire, 'application/json')!;
    reader.read(encoder.encode(JSON.stringify(answers[format])));
    const answer = reader.end();
    expect(answer).toMatchObject({ text: 'Nothing.', isComplete: true, hasHostCalls: false, error: null });
    expect(answer.usage).toMatchObject({ promptTokens: 10, completionTokens: 2 });
    const next = appendItems(wire, body, sent, [...answer.items, wire.userMessage('Sum up.')])!;
    const end = sent.indexOf('],"stream"');
    expect(next.startsWith(sent.slice(0, end)) && next.endsWith(sent.slice(end))).toBe(true);
    const { messages } = wire.codec.decode(JSON.parse(next) as Body);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(wire.codec.validate(JSON.parse(next) as Body)).toEqual([]);
    // The same list twice: it is not known which one is the conversation.
    expect(appendItems(wire, body, sent + sent, [])).toBeNull();
  });

  it('says what forbids another message of the user', () => {
    expect(
      wire.obstaclesIn({ tools: plainTools[format], tool_choice: 'auto', stop: [], stop_sequences: null }).text,
    ).toBeNull();
    for (const body of forbidding[format])
      expect(wire.obstaclesIn(body).text, JSON.stringify(body)).toEqual(expect.any(String));
  });

  it('says what forbids tools whose calls the client does not see', () => {
    for (const choice of ['auto', 'none', 'required', { type: 'any' }, { type: 'none' }, { type: 'allowed_tools' }])
      expect(wire.obstaclesIn({ tool_choice: choice }).tools, JSON.stringify(choice)).toBeNull();
    for (const body of withoutTools[format])
      expect(wire.obstaclesIn(body).tools, JSON.stringify(body)).toEqual(expect.any(String));
  });

  it('declares tools in front of those of the client, and can forbid calls', () => {
    const schema = { type: 'function', function: { name: 'recall', parameters: {} } } as const;
    const own = wire.declareTool(schema);
    const given = plainTools[format][0]!;
    const body = wire.withTools({ tools: [given], toolConfig: { tools: [given] } }, [own]);
    const facts = wire.factsOf(body, new URL(address));
    expect(facts.tools).toMatchObject(
      [{ name: 'recall' }, { name: 'read' }].map((tool) =>
        format === 'openai-chat' || format === 'ollama' ? { function: tool } : tool,
      ),
    );
    expect(wire.withoutCalls(body)).toMatchObject(withoutCalls[format]);
  });
});

describe('a usage report', () => {
  it('is read in the format of any API and the AI SDK', () => {
    const cached = { promptTokens: 10, completionTokens: 2, cachedTokens: 8 };
    for (const usage of [
      { promptTokens: 10, completionTokens: 2, cachedTokens: 8 },
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } },
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 8 },
      { inputTokens: 10, outputTokens: 2, cachedInputTokens: 8 },
      { inputTokens: { total: 10, cacheRead: 8 }, outputTokens: { total: 2 } },
      { promptTokenCount: 10, candidatesTokenCount: 2, cachedContentTokenCount: 8 },
      { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 8 } },
      { input_tokens: 2, output_tokens: 2, cache_read_input_tokens: 8 },
      { inputTokens: 2, outputTokens: 2, cacheReadInputTokens: 8, totalTokens: 12 },
    ])
      expect(readUsage({ usage }), JSON.stringify(usage)).toMatchObject(cached);
    for (const none of [null, 'usage', {}, { usage: { output_tokens: 1 } }, { prompt_tokens: 0 }])
      expect(readUsage(none)).toBeNull();
  });
});
