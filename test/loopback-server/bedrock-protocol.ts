import { EventStreamCodec } from '@smithy/eventstream-codec';
import { type Answer, anthropicProtocol, inPieces, type Protocol, sentence } from './protocol.ts';

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'guardrail_intervened',
  window: 'model_context_window_exceeded',
} as const;

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/** A frame of a stream, written by the codec of the AWS SDK. A name that ends with `Exception` is that of an exception. */
export function frame(name: string, value: object): Uint8Array {
  const kind = name.endsWith('Exception') ? 'exception' : 'event';
  return codec.encode({
    headers: {
      [`:${kind}-type`]: { type: 'string', value: name },
      ':content-type': { type: 'string', value: 'application/json' },
      ':message-type': { type: 'string', value: kind },
    },
    body: Buffer.from(JSON.stringify(value)),
  });
}

/** `Converse` and `ConverseStream` of Bedrock. */
export const bedrockProtocol: Protocol = {
  name: 'bedrock',
  path: /^\/model\/[^/]+\/converse(?:-stream)?$/,
  whole: (_, answer) => ({
    output: { message: { role: 'assistant', content: [...thoughts(answer), ...words(answer), ...calls(answer)] } },
    stopReason: reasonOf(answer),
    usage: usageOf(answer),
    metrics: { latencyMs: 5 },
  }),
  events(_, answer) {
    const at = answer.reasoning ? 1 : 0;
    const delta = (contentBlockIndex: number, given: object): Uint8Array =>
      frame('contentBlockDelta', { contentBlockIndex, delta: given, p: 'abcdef' });
    const stop = (contentBlockIndex: number): Uint8Array => frame('contentBlockStop', { contentBlockIndex });
    return [
      frame('messageStart', { role: 'assistant', p: 'abc' }),
      ...(answer.reasoning
        ? [
            delta(0, { reasoningContent: { text: answer.reasoning } }),
            delta(0, { reasoningContent: { signature: 'c2ln' } }),
            stop(0),
          ]
        : []),
      ...(answer.text === ''
        ? []
        : [...inPieces(answer.text, answer.pieces ?? 5).map((text) => delta(at, { text })), stop(at)]),
      ...(answer.calls ?? []).flatMap(({ id, name, arguments: input }, number) => {
        const contentBlockIndex = at + 1 + number;
        const start = { toolUse: { toolUseId: id, name } };
        return [
          frame('contentBlockStart', { contentBlockIndex, start }),
          ...inPieces(input, 2).map((piece) => delta(contentBlockIndex, { toolUse: { input: piece } })),
          stop(contentBlockIndex),
        ];
      }),
      frame('messageStop', { stopReason: reasonOf(answer) }),
      frame('metadata', { usage: usageOf(answer), metrics: { latencyMs: 5 } }),
    ];
  },
  error: (_status, _code, message) => ({ message }),
  errorEvent: (code) => frame('modelStreamErrorException', { message: sentence(code), originalStatusCode: 500 }),
};

/** `InvokeModel` and `InvokeModelWithResponseStream` with the bodies of Anthropic. Each event is the content of a chunk. */
export const bedrockInvokeProtocol: Protocol = {
  ...bedrockProtocol,
  name: 'bedrock-invoke',
  path: /^\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  whole: anthropicProtocol.whole,
  events: (model, answer) =>
    anthropicProtocol.events(model, answer).map((event) => {
      const data = String(event)
        .replace(/^.*data: /s, '')
        .trim();
      return frame('chunk', { bytes: Buffer.from(data).toString('base64'), p: 'abc' });
    }),
};

function reasonOf({ calls: called, finish = 'stop' }: Answer): string {
  return called ? 'tool_use' : stopReasons[finish];
}

function thoughts({ reasoning }: Answer): object[] {
  return reasoning ? [{ reasoningContent: { reasoningText: { text: reasoning, signature: 'c2ln' } } }] : [];
}

function words({ text }: Answer): object[] {
  return text === '' ? [] : [{ text }];
}

function calls({ calls: given = [] }: Answer): object[] {
  return given.map(({ id, name, arguments: input }) => ({
    toolUse: { toolUseId: id, name, input: JSON.parse(input) as unknown },
  }));
}

function usageOf({ promptTokens = 0, completionTokens = 0, cachedTokens = 0 }: Answer): object {
  return {
    inputTokens: promptTokens - cachedTokens,
    outputTokens: completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheReadInputTokens: cachedTokens,
    cacheWriteInputTokens: 0,
  };
}
