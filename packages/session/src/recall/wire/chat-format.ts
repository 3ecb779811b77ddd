import { ChatStream } from './chat-stream.ts';
import { chatTurn, textGap } from './chat-turn.ts';
import { combineUsage } from './combine-usage.ts';
import { type Fields, fieldsIn, isFields, type RecallFormat, wordsOf } from './recall-format.ts';

/** OpenAI chat completions. */
export const chatFormat: RecallFormat = {
  declaration: (schema) => ({ ...schema }),
  obstacle({ n, functions }) {
    if (typeof n === 'number' && n > 1) return 'The request asks for several answers (n).';
    return functions === undefined ? null : 'The request uses "functions" instead of "tools".';
  },
  noCalls: 'none',
  turnsIn: (list) => list.flatMap(({ role }, at) => (role === 'assistant' ? [[at, at + 1] as const] : [])),
  keyOf: (items) =>
    `${items.map(({ content }) => wordsOf(textIn(content))).join('')}|${items.flatMap(callIds).join(' ')}`,
  results: (calls) => calls.map(({ id, answer }) => ({ role: 'tool', tool_call_id: id, content: answer })),
  readWhole: (reply, isOwn) => {
    const choice = fieldsIn(reply.choices)[0];
    return chatTurn(isFields(choice?.message) ? choice.message : {}, choice?.finish_reason, isOwn);
  },
  mergeWhole(replies, turns) {
    const last = replies.at(-1)!;
    const choice = fieldsIn(last.choices)[0] ?? {};
    const messages = turns.flatMap(({ visible }) => visible);
    const { hasHostCalls } = turns.at(-1)!;
    const reason = choice.finish_reason === 'tool_calls' && !hasHostCalls ? 'stop' : choice.finish_reason;
    const usage = replies.map((reply) => reply.usage).reduce(combineUsage, undefined);
    return {
      ...last,
      id: replies[0]!.id,
      choices: [{ ...choice, message: joined(messages), finish_reason: reason }],
      ...(usage === undefined ? {} : { usage }),
    };
  },
  openStream: (isOwn) => new ChatStream(isOwn),
};

/** One message of several: texts are joined, other fields are those of the last one. */
function joined(messages: readonly Fields[]): Fields {
  const texts = messages.map(({ content }) => textIn(content)).filter((text) => text !== '');
  const last = messages.at(-1) ?? {};
  return messages.length < 2 ? last : { ...last, content: texts.length === 0 ? last.content : texts.join(textGap) };
}

function callIds(message: Fields): readonly unknown[] {
  return fieldsIn(message.tool_calls).map(({ id }) => id);
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return fieldsIn(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}
