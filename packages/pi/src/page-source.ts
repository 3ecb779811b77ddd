import type { SummarizeResponse, Usage } from '@palimpsest/core';
import type { PiMessage } from '@palimpsest/formats';
import type { PreparedRequest, Session } from '@palimpsest/session';
import { type Answer, usageOf } from './answer.ts';
import type { AskPi } from './ask-pi.ts';
import type { PiModel } from './pi-api.ts';

type Fields = Readonly<Record<string, unknown>>;
type PageSource = Parameters<Session['internals']['noteSource']>[2];

/** A request as pi sent it. */
interface SentToPi {
  readonly ask: AskPi;
  readonly model: PiModel;
  readonly sessionId: string;
  /** The longest answer in tokens. */
  readonly maxTokens: number | undefined;
  /** The body in the form of the provider; `null` if it is not known. */
  readonly payload: Fields | null;
  readonly hasRoom: boolean;
  readonly pendingResult: string;
}

/** A request that waits for its answer. */
export interface SentRequest extends Pick<SentToPi, 'model' | 'sessionId' | 'maxTokens'> {
  readonly request: PreparedRequest;
  /** The body, once pi has made it. */
  payload: SentToPi['payload'];
  /** Of the answer. */
  headers: Headers;
}

/** Notes how the model of an answered request can be asked for a page. */
export function noteSource(
  { internals }: Session,
  ask: AskPi,
  { request, headers, ...sent }: SentRequest,
  answer: Answer,
): void {
  if (answer.stopReason === 'error' || answer.stopReason === 'aborted') return;
  const usage = usageOf(answer);
  const hasRoom = internals.hasRoom(headers, usage?.promptTokens);
  const { pendingResult } = internals;
  internals.noteSource(request, usage, pageSource({ ...sent, ask, hasRoom, pendingResult }, answer));
}

/** Where the bodies of different providers have the conversation. */
const lists = ['messages', 'input', 'contents'] as const;

/** Asks the model of an answered request through pi, with the access that pi has. pi's session does not know of it. */
function pageSource(sent: SentToPi, answer: Answer): PageSource {
  const { ask, hasRoom, maxTokens, model, payload, sessionId } = sent;
  const list = lists.find((name) => Array.isArray(payload?.[name]));
  const ride = payload && list && allowsText(payload) ? payload : null;
  return {
    maxTokens,
    hasRoom,
    ride: ride
      ? (instruction, signal) =>
          write(
            ask(model, [...answerOf(answer, sent.pendingResult), userMessage(instruction)], {
              ...{ signal, sessionId, maxRetries: 0 },
              // A second request on the agent's own connection would replace the state that the provider keeps there.
              transport: 'sse',
              onPayload: (made) => ({
                ...ride,
                [list!]: [...listOf(ride, list!), ...withoutMarks(listOf(made, list!))],
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

/** False for a body, which an extension may have changed, that forces a call or a format, or goes on from a stored answer. */
function allowsText(body: Fields): boolean {
  const { tool_choice: choice, previous_response_id: stored, response_format: format, text } = body;
  // Google's fields are below `config` in the SDK, and Bedrock's choice is an object with the kind as its name.
  const config = (body.config ?? body.generationConfig ?? {}) as Fields;
  const { functionCallingConfig } = (config.toolConfig ?? body.toolConfig ?? {}) as { functionCallingConfig?: Fields };
  const { toolChoice } = (body.toolConfig ?? {}) as { toolChoice?: Fields };
  const isFree = choice === undefined || /^"(?:auto|none)"$/.test(JSON.stringify((choice as Fields).type ?? choice));
  const isForced = functionCallingConfig?.mode === 'ANY' || (toolChoice !== undefined && toolChoice.auto === undefined);
  const isJson =
    format !== undefined ||
    config.responseMimeType === 'application/json' ||
    ((text as { format?: Fields } | undefined)?.format?.type ?? 'text') !== 'text';
  return isFree && !isForced && !isJson && stored === undefined;
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
function answerOf(answer: Answer, text: string): readonly PiMessage[] {
  const parts = partsOf(answer);
  if (parts.length === 0) return [];
  const results = parts.flatMap(({ type, id, name }) =>
    type === 'toolCall'
      ? ({
          ...{ role: 'toolResult', toolCallId: id, toolName: name, isError: false, timestamp: Date.now() },
          content: [{ type: 'text', text }],
        } as object as PiMessage)
      : [],
  );
  return [answer, ...results];
}

function partsOf({ content }: Answer): readonly Fields[] {
  return Array.isArray(content) ? (content as readonly Fields[]) : [];
}

async function write(asking: Promise<Answer>): Promise<SummarizeResponse> {
  const answer = await asking;
  const { stopReason, errorMessage } = answer;
  if (stopReason === 'error' || stopReason === 'aborted') throw new Error(errorMessage ?? 'The model did not answer.');
  const parts = partsOf(answer);
  const hasCalls = parts.some(({ type }) => type === 'toolCall');
  const text = hasCalls ? '' : parts.flatMap((part) => (part.type === 'text' ? String(part.text) : [])).join('');
  const usage: Usage | null = usageOf(answer);
  return { text, finishReason: stopReason === 'length' ? 'length' : 'stop', ...(usage && { usage }) };
}
