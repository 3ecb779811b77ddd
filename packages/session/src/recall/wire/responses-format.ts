import { wireNamed } from '@palimpsest/formats/wire';
import { combineUsage } from './combine-usage.ts';
import { type Fields, fieldsIn, type RecallFormat, wordsOf } from './recall-format.ts';
import { ResponsesStream } from './responses-stream.ts';
import { isCall, responsesTurn } from './responses-turn.ts';

/** OpenAI Responses. */
export const responsesFormat: RecallFormat = {
  declaration: (schema) => ({ ...wireNamed('openai-responses').declareTool(schema) }),
  obstacle: ({ background }) => (background === true ? 'The response is made in the background.' : null),
  noCalls: 'none',
  turnsIn(list) {
    const turns: [number, number][] = [];
    list.forEach((item, at) => {
      if (!isOfModel(item)) return;
      const last = turns.at(-1);
      if (last?.[1] === at) last[1] = at + 1;
      else turns.push([at, at + 1]);
    });
    return turns;
  },
  keyOf(items) {
    const words = items.map(({ content }) => wordsOf(textIn(content))).join('');
    return `${words}|${items.flatMap(({ type, call_id: id }) => (isCall(type) ? [id] : [])).join(' ')}`;
  },
  results: (calls) => calls.map(({ id, answer }) => ({ type: 'function_call_output', call_id: id, output: answer })),
  readWhole: ({ output, status }, isOwn) => responsesTurn(fieldsIn(output), status, isOwn),
  mergeWhole(replies, turns) {
    const usage = replies.map((reply) => reply.usage).reduce(combineUsage, undefined);
    const output = turns.flatMap(({ visible }) => visible);
    return { ...replies.at(-1)!, id: replies[0]!.id, output, ...(usage === undefined ? {} : { usage }) };
  },
  openStream: (isOwn) => new ResponsesStream(isOwn),
};

function isOfModel({ type, role }: Fields): boolean {
  if (typeof role === 'string') return role === 'assistant';
  return typeof type === 'string' && !/_output$|^item_reference$/.test(type);
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return fieldsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
