import { signatureOf } from './check-gemini.ts';
import { googleCode } from './google-code.ts';
import { type Answer, data, inPieces, type Protocol, sentence } from './protocol.ts';

const finish = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY', window: 'MAX_TOKENS' } as const;

let answers = 0;
const nextId = (): string => `response-${++answers}`;

/** The Gemini API. A model whose name has a 2 gives its calls no ids, like those before Gemini 3. */
export const geminiProtocol: Protocol = {
  name: 'gemini',
  path: /^\/v1(?:beta1?)?\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/google\/)?models\/[^/]+:(?:streamG|g)enerateContent$/,
  whole: (model, answer) => chunk(nextId(), model, answer, [...wordsOf(answer), ...callsOf(model, answer)], true),
  events(model, answer) {
    const id = nextId();
    const words = inPieces(answer.text, answer.pieces ?? 5).map((text) => ({ text }));
    const thoughts = answer.reasoning ? [{ text: answer.reasoning, thought: true }] : [];
    const calls = callsOf(model, answer);
    // The signature of an answer in words comes last, with an empty text.
    const last = { text: '', ...(calls.length === 0 && { thoughtSignature: signatureOf([]) }) };
    return [
      ...[...thoughts, ...words, ...calls].map((part) => data(chunk(id, model, answer, [part], false))),
      data(chunk(id, model, answer, [last], true)),
    ];
  },
  error: (status, code, message, seconds) => ({
    error: {
      code: status,
      message,
      status: code,
      ...(seconds !== undefined && {
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }],
      }),
    },
  }),
  errorEvent: (code) => data({ error: { code: 503, message: sentence(code), status: googleCode(503) } }),
};

/** The events of a stream as the pieces of one list, as the API sends them without `alt=sse`. */
export function asList(events: readonly (string | Uint8Array)[]): string[] {
  return events.map((event, at) => {
    const item = JSON.stringify(JSON.parse(String(event).slice('data: '.length)), null, 2);
    return `${at === 0 ? '[' : ',\r\n'}${item}${at === events.length - 1 ? '\n]\n' : ''}`;
  });
}

function wordsOf({ text, reasoning, calls }: Answer): object[] {
  const signed = calls ? {} : { thoughtSignature: signatureOf([]) };
  return [...(reasoning ? [{ text: reasoning, thought: true }] : []), ...(text === '' ? [] : [{ text, ...signed }])];
}

/** The first call of an answer carries the signature of all. */
function callsOf(model: string, { calls = [] }: Answer): object[] {
  const hasIds = !model.includes('2');
  return calls.map(({ id, name, arguments: given }, at) => ({
    functionCall: { ...(hasIds && { id }), name, args: JSON.parse(given) as unknown },
    ...(at === 0 && { thoughtSignature: signatureOf(calls.map((call) => call.name)) }),
  }));
}

function chunk(id: string, model: string, answer: Answer, parts: object[], isLast: boolean): object {
  const { promptTokens = 0, completionTokens = 0, cachedTokens = 0, reasoning } = answer;
  const thoughts = reasoning ? Math.min(5, completionTokens) : 0;
  return {
    candidates: [
      { content: { parts, role: 'model' }, ...(isLast && { finishReason: finish[answer.finish ?? 'stop'] }), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: completionTokens - thoughts,
      totalTokenCount: promptTokens + completionTokens,
      ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
      ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    },
    modelVersion: model,
    responseId: id,
  };
}
