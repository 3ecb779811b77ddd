import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { type Answers, answerKey, assistantAnswers, errorIn, mergeFields, textIn } from '../wire/answers.ts';
import { eventStream } from '../wire/framing.ts';
import { textGap } from '../wire/text-gaps.ts';
import { usageOf } from '../wire/usage.ts';
import { ChatAnswerStream } from './answer-stream.ts';
import { readChat } from './read-answer.ts';

/** Answers of chat completions. */
export const chatAnswers: Answers = {
  framingOf: eventStream,
  openStream: (isOwn) => new ChatAnswerStream(isOwn),
  readWhole: readChat,
  mergeWhole(answers, read) {
    const [choice = {}] = recordsIn(answers.at(-1)?.choices);
    const isCalled = choice.finish_reason !== 'tool_calls' || read.at(-1)?.hasHostCalls;
    const message = joinMessages(read.flatMap(({ visible }) => visible));
    const finish = isCalled ? choice.finish_reason : 'stop';
    return { ...mergeFields(answers), choices: [{ ...choice, message, finish_reason: finish }] };
  },
  errorIn,
  usageOf(usage) {
    const { cached_tokens: cached, cache_write_tokens: cacheWrite } = fieldsIn(usage.prompt_tokens_details);
    return usageOf({
      prompt: usage.prompt_tokens,
      completion: usage.completion_tokens,
      // DeepSeek's field.
      cached: cached ?? usage.prompt_cache_hit_tokens,
      cacheWrite,
      reasoning: fieldsIn(usage.completion_tokens_details).reasoning_tokens,
    });
  },
  answersIn: assistantAnswers,
  keyOf: (items) =>
    answerKey(
      items.map(({ content }) => textIn(content)),
      items.flatMap(({ tool_calls: calls }) => recordsIn(calls).map(({ id }) => id)),
    ),
  results: (calls) => calls.map(({ id, answer }) => ({ role: 'tool', tool_call_id: id, content: answer })),
  isResult: ({ role }) => role === 'tool',
};

/** One message of several: texts are joined, other fields are those of the last one. */
function joinMessages(messages: readonly Fields[]): Fields {
  const texts = messages.map(({ content }) => textIn(content)).filter((text) => text !== '');
  const last = messages.at(-1) ?? {};
  return messages.length < 2 ? last : { ...last, content: texts.length === 0 ? last.content : texts.join(textGap) };
}
