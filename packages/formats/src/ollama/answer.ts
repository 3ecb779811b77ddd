import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { isGivenId } from '../unnamed-calls.ts';
import { type Answers, answerKey, assistantAnswers, callKey, textIn } from '../wire/answers.ts';
import { textGap } from '../wire/text-gaps.ts';
import { OllamaAnswerStream } from './answer-stream.ts';
import { ollamaFraming } from './framing.ts';
import { ollamaError, ollamaUsage, readOllama, withAllCounts } from './read-answer.ts';

/** Answers of `/api/chat`. */
export const ollamaAnswers: Answers = {
  framingOf: ollamaFraming,
  openStream: (isOwn) => new OllamaAnswerStream(isOwn),
  readWhole: readOllama,
  mergeWhole(answers, read) {
    const message = joinMessages(read.flatMap(({ visible }) => visible));
    return { ...withAllCounts(answers.at(-1) ?? {}, answers.slice(0, -1)), message };
  },
  errorIn: ollamaError,
  usageOf: ollamaUsage,
  answersIn: assistantAnswers,
  // SDKs make ids for calls that have none.
  keyOf: (items) =>
    answerKey(
      items.map(({ content }) => textIn(content)),
      items.flatMap(({ tool_calls: calls }) =>
        recordsIn(calls).map(({ function: called }) => callKey(fieldsIn(called).name, fieldsIn(called).arguments)),
      ),
    ),
  results: (calls) =>
    calls.map(({ id, name, answer }) => ({
      role: 'tool',
      tool_name: name,
      ...(isGivenId(id) && { tool_call_id: id }),
      content: answer,
    })),
  isResult: ({ role }) => role === 'tool',
};

/** One message of several: texts are joined, other fields are those of the last one. */
function joinMessages(messages: readonly Fields[]): Fields {
  const texts = messages.map(({ content }) => textIn(content)).filter((text) => text !== '');
  return { ...messages.at(-1), content: texts.join(textGap) };
}
