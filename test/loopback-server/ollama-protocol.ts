import { type Answer, inPieces, type Protocol, sentence } from './protocol.ts';

/** Ollama's own API. A model whose name has a 2 gives its calls no ids, like older versions of Ollama. */
export const ollamaProtocol: Protocol = {
  name: 'ollama',
  path: '/api/chat',
  whole: (model, answer) => ({
    ...about(model),
    message: {
      role: 'assistant',
      content: answer.text,
      ...(answer.reasoning && { thinking: answer.reasoning }),
      ...(answer.calls && { tool_calls: callsOf(model, answer) }),
    },
    ...ending(answer),
  }),
  events(model, answer) {
    const pieces = [
      ...(answer.reasoning ? [{ content: '', thinking: answer.reasoning }] : []),
      ...(answer.text === '' ? [] : inPieces(answer.text, answer.pieces ?? 5).map((content) => ({ content }))),
      ...callsOf(model, answer).map((call) => ({ content: '', tool_calls: [call] })),
    ];
    return [
      ...pieces.map((piece) => line({ ...about(model), message: { role: 'assistant', ...piece }, done: false })),
      line({ ...about(model), message: { role: 'assistant', content: '' }, ...ending(answer) }),
    ];
  },
  error: (_status, _code, message) => ({ error: message }),
  errorEvent: (code) => line({ error: sentence(code) }),
};

const line = (value: object): string => `${JSON.stringify(value)}\n`;

function about(model: string): object {
  return { model, created_at: '2026-01-01T00:00:00.000000Z' };
}

function callsOf(model: string, { calls = [] }: Answer): object[] {
  const hasIds = !model.includes('2');
  return calls.map(({ id, name, arguments: given }, index) => ({
    ...(hasIds && { id }),
    function: { index, name, arguments: JSON.parse(given) as unknown },
  }));
}

/** Counts of 0 are left out. */
function ending({ finish = 'stop', promptTokens = 0, completionTokens = 0 }: Answer): object {
  return {
    done: true,
    done_reason: finish === 'length' || finish === 'window' ? 'length' : 'stop',
    total_duration: 2_000,
    load_duration: 1_000,
    ...(promptTokens > 0 && { prompt_eval_count: promptTokens, prompt_eval_duration: 500 }),
    ...(completionTokens > 0 && { eval_count: completionTokens, eval_duration: 500 }),
  };
}
