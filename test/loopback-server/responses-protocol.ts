import { type Answer, data, inPieces, type Protocol, sentence } from './protocol.ts';

const status = { stop: 'completed', length: 'incomplete', refusal: 'completed', window: 'incomplete' } as const;

let responses = 0;
const nextResponseId = (): string => `resp_${++responses}`;

/** OpenAI Responses, also for Codex with a ChatGPT login. */
export const responsesProtocol: Protocol = {
  name: 'openai-responses',
  path: /^\/(?:v1|backend-api\/codex)\/responses$/,
  whole: (model, answer) => response(nextResponseId(), model, answer, outputOf(answer)),
  events(model, answer) {
    let sequence = 0;
    const id = nextResponseId();
    const event = (type: string, value: object): string =>
      `event: ${type}\n${data({ type, sequence_number: sequence++, ...value })}`;
    const begun = { ...(response(id, model, answer, []) as object), status: 'in_progress', usage: null };
    return [
      event('response.created', { response: begun }),
      event('response.in_progress', { response: begun }),
      ...outputOf(answer).flatMap((item, index) => {
        const at = { item_id: item.id, output_index: index };
        if (item.type === 'function_call')
          return [
            event('response.output_item.added', { output_index: index, item: { ...item, arguments: '' } }),
            event('response.function_call_arguments.delta', { ...at, delta: item.arguments }),
            event('response.function_call_arguments.done', { ...at, name: item.name, arguments: item.arguments }),
            event('response.output_item.done', { output_index: index, item }),
          ];
        if (item.type === 'reasoning')
          return [
            event('response.output_item.added', { output_index: index, item: { ...item, summary: [] } }),
            event('response.output_item.done', { output_index: index, item }),
          ];
        const part = { ...at, content_index: 0 };
        return [
          event('response.output_item.added', { output_index: index, item: { ...item, content: [] } }),
          event('response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } }),
          ...inPieces(answer.text, answer.pieces ?? 5).map((delta) =>
            event('response.output_text.delta', { ...part, delta, logprobs: [] }),
          ),
          event('response.output_text.done', { ...part, text: answer.text, logprobs: [] }),
          event('response.content_part.done', { ...part, part: item.content![0] }),
          event('response.output_item.done', { output_index: index, item }),
        ];
      }),
      event('response.completed', { response: response(id, model, answer, outputOf(answer)) }),
    ];
  },
  error: (httpStatus, code, message) => ({
    error: { message, type: httpStatus === 429 ? code : 'invalid_request_error', param: null, code },
  }),
  errorEvent: (code) => `event: error\n${data({ type: 'error', code, message: sentence(code), param: null })}`,
};

interface OutputItem {
  readonly type: 'message' | 'function_call' | 'reasoning';
  readonly id: string;
  readonly status: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly arguments?: string;
  readonly content?: readonly object[];
  readonly summary?: readonly object[];
}

/** Ids tell which reasoning item an item follows: `rs_x` leads to `msg_x` or to the call `x`. */
function outputOf({ text, calls = [], reasoning }: Answer): readonly OutputItem[] {
  const about = calls[0]?.id ?? text.replace(/\W/g, '');
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: 'reasoning' as const,
            id: `rs_${about}`,
            status: 'completed',
            summary: [{ type: 'summary_text', text: reasoning }],
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            type: 'message' as const,
            id: reasoning === undefined ? 'msg_1' : `msg_${about}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map(({ id, name, namespace, arguments: given }) => ({
      type: 'function_call' as const,
      id: `fc_${id}`,
      call_id: id,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: given,
      status: 'completed',
    })),
  ];
}

function response(id: string, model: string, answer: Answer, output: readonly OutputItem[]): unknown {
  const { promptTokens = 0, completionTokens = 0, cachedTokens = 0 } = answer;
  return {
    id,
    object: 'response',
    created_at: 1,
    model,
    status: status[answer.finish ?? 'stop'],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: cachedTokens },
      output_tokens: completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + completionTokens,
    },
  };
}
