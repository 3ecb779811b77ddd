import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { type Answers, answerKey, assistantTurns, errorIn, textIn } from '../wire/answer.ts';
import { eventStream } from '../wire/framing.ts';
import { combineUsage, usageOf } from '../wire/usage.ts';
import { ChatAnswerStream } from './answer-stream.ts';
import { readChat, textGap } from './turn.ts';

/** Answers of chat completions. */
export const chatAnswers: Answers = {
  framingOf: eventStream,
  openStream: (isOwn) => new ChatAnswerStream(isOwn),
  readWhole: readChat,
  mergeWhole(answers, turns) {
    const last = answers.at(-1)!;
    const choice = recordsIn(last.choices)[0] ?? {};
    const { hasHostCalls } = turns.at(-1)!;
    const reason = choice.finish_reason === 'tool_calls' && !hasHostCalls ? 'stop' : choice.finish_reason;
    const usage = answers.map(({ usage: reported }) => reported).reduce(combineUsage, undefined);
    return {
      ...last,
      id: answers[0]!.id,
      choices: [{ ...choice, message: joined(turns.flatMap(({ visible }) => visible)), finish_reason: reason }],
      ...(usage === undefined ? {} : { usage }),
    };
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
  turnsIn: assistantTurns,
  keyOf: (items) =>
    answerKey(
      items.map(({ content }) => textIn(content)),
      items.flatMap(({ tool_calls: calls }) => recordsIn(calls).map(({ id }) => id)),
    ),
  results: (calls) => calls.map(({ id, answer }) => ({ role: 'tool', tool_call_id: id, content: answer })),
  isResult: ({ role }) => role === 'tool',
};

/** One message of several: texts are joined, other fields are those of the last one. */
function joined(messages: readonly Fields[]): Fields {
  const texts = messages.map(({ content }) => textIn(content)).filter((text) => text !== '');
  const last = messages.at(-1) ?? {};
  return messages.length < 2 ? last : { ...last, content: texts.length === 0 ? last.content : texts.join(textGap) };
}
