import type { SummarizeResponse } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';
import type { PiMessage } from '@palimpsest/formats';
import { wireFormats, wireNamed } from '@palimpsest/formats/wire';
import type { PreparedRequest } from '@palimpsest/session';
import { hasRoom, type PageSource, pendingResult, toPage } from '@palimpsest/session/adapter';
import { type PiAnswer, usageOf } from './answer.ts';
import type { AskPi } from './ask-pi.ts';
import type { PiModel } from './pi-api.ts';

/** A request that waits for its answer, as pi sent it. */
export interface PiRequest {
  readonly request: PreparedRequest;
  readonly model: PiModel;
  readonly sessionId: string;
  /** The longest answer in tokens. */
  readonly maxTokens: number | undefined;
  /** The body in the form of the provider, once pi has made it. */
  payload: Fields | null;
  /** Of the answer. */
  headers: Headers;
}

/** Where the bodies of different providers have the conversation. */
const lists = ['messages', 'input', 'contents'] as const;

/** Asks the model of an answered request through pi, with the access that pi has. pi's session does not know of it. */
export function pageSource(ask: AskPi, sent: PiRequest, answer: PiAnswer): PageSource {
  const { headers, maxTokens, model, payload, sessionId } = sent;
  const list = lists.find((name) => Array.isArray(payload?.[name]));
  const cached = payload && list && allowsText(payload, list) ? payload : null;
  return {
    maxTokens,
    hasRoom: hasRoom(headers, usageOf(answer)),
    askCached: cached
      ? (instruction, signal) =>
          write(
            ask(model, [...answerOf(answer), userMessage(instruction)], {
              ...{ signal, sessionId, maxRetries: 0 },
              // A second request on the agent's own connection would replace the state that the provider keeps there.
              transport: 'sse',
              onPayload: (made) => ({
                ...cached,
                [list!]: [...listOf(cached, list!), ...withoutMarks(listOf(made, list!))],
              }),
            }),
          )
      : null,
    ask: (prompt, answerTokens, signal) =>
      write(
        ask(model, [userMessage(prompt)], {
          ...{ signal, maxRetries: 0, transport: 'sse' },
          ...(maxTokens !== undefined && { maxTokens: Math.max(maxTokens, answerTokens) }),
        }),
      ),
  };
}

function listOf(payload: unknown, name: string): readonly unknown[] {
  return (payload as Fields)[name] as readonly unknown[];
}

/** False for a body, which an extension may have changed, that forces a call or a format, or continues a stored answer. */
function allowsText(body: Fields, list: string): boolean {
  const { config, inferenceConfig, toolConfig } = body as Readonly<Record<string, Fields | undefined>>;
  // Bedrock's choice is an object with the kind as its name.
  const { toolChoice } = (toolConfig ?? {}) as { toolChoice?: Fields };
  if (body.previous_response_id !== undefined || (toolChoice !== undefined && toolChoice.auto === undefined))
    return false;
  // Google's SDK has below `config` what its API has apart from the conversation.
  const asked = { generationConfig: config, stop: inferenceConfig?.stopSequences, ...config, ...body };
  const wires = wireFormats.map((format) => wireNamed(format)).filter((wire) => wire.list === list);
  return wires.every((wire) => wire.obstaclesIn(asked).text === null);
}

/** Without marks for the provider's cache: their number is limited, and the request that is sent again has its own. */
function withoutMarks<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => {
      if (name === 'cache_control') return undefined;
      return Array.isArray(inner) ? inner.filter((part) => (part as Fields | null)?.cachePoint === undefined) : inner;
    }),
  ) as Value;
}

function userMessage(content: string): PiMessage {
  return { role: 'user', content, timestamp: Date.now() } as PiMessage;
}

/** The answer, with results of its calls. */
function answerOf(answer: PiAnswer): readonly PiMessage[] {
  const parts = partsOf(answer);
  if (parts.length === 0) return [];
  const results = parts.flatMap(({ type, id, name }) =>
    type === 'toolCall'
      ? ({
          ...{ role: 'toolResult', toolCallId: id, toolName: name, isError: false, timestamp: Date.now() },
          content: [{ type: 'text', text: pendingResult }],
        } as object as PiMessage)
      : [],
  );
  return [answer, ...results];
}

function partsOf({ content }: PiAnswer): readonly Fields[] {
  return Array.isArray(content) ? (content as readonly Fields[]) : [];
}

async function write(asking: Promise<PiAnswer>): Promise<SummarizeResponse> {
  const answer = await asking;
  const { stopReason, errorMessage } = answer;
  if (stopReason === 'error' || stopReason === 'aborted') throw new Error(errorMessage ?? 'The model did not answer.');
  const parts = partsOf(answer);
  const hasCalls = parts.some(({ type }) => type === 'toolCall');
  const text = parts.flatMap((part) => (part.type === 'text' ? String(part.text) : [])).join('');
  return toPage({ text, hasCalls, isCut: stopReason === 'length', usage: usageOf(answer) });
}
