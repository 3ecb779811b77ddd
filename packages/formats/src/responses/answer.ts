import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn } from '../record.ts';
import { type Answers, answerKey, errorIn, mergeFields, textIn } from '../wire/answers.ts';
import { eventStream } from '../wire/framing.ts';
import { usageOf } from '../wire/usage.ts';
import { ResponsesAnswerStream } from './answer-stream.ts';
import { isCall, readResponse } from './read-answer.ts';

/** Answers of the Responses API. */
export const responsesAnswers: Answers = {
  framingOf: eventStream,
  openStream: (isOwn) => new ResponsesAnswerStream(isOwn),
  readWhole: readResponse,
  mergeWhole: (answers, read) => ({ ...mergeFields(answers), output: read.flatMap(({ visible }) => visible) }),
  errorIn: (answer) => fieldsIn(answer.response).error ?? errorIn(answer),
  // Cached tokens are in `input_tokens`.
  usageOf(usage) {
    const { input_tokens_details: input, output_tokens_details: output } = usage;
    if (!isRecord(input) && !isRecord(output)) return null;
    return usageOf({
      prompt: usage.input_tokens,
      completion: usage.output_tokens,
      cached: fieldsIn(input).cached_tokens,
      reasoning: fieldsIn(output).reasoning_tokens,
    });
  },
  answersIn(list) {
    const ranges: [number, number][] = [];
    list.forEach((item, at) => {
      if (!isOfModel(item)) return;
      const last = ranges.at(-1);
      if (last?.[1] === at) last[1] = at + 1;
      else ranges.push([at, at + 1]);
    });
    return ranges;
  },
  keyOf: (items) =>
    answerKey(
      items.map(({ content }) => textIn(content)),
      items.flatMap((item) => (isCall(item) ? [item.call_id] : [])),
    ),
  results: (calls) => calls.map(({ id, answer }) => ({ type: 'function_call_output', call_id: id, output: answer })),
  isResult: ({ role, type }) => role === undefined && type === 'function_call_output',
};

function isOfModel({ type, role }: Fields): boolean {
  if (typeof role === 'string') return role === 'assistant';
  return typeof type === 'string' && !/_output$|^item_reference$/.test(type);
}
