import { asBlocks } from '../assemble.ts';
import { type Fields, fieldsOf, recordsIn } from '../record.ts';
import { type Answers, answerKey, assistantAnswers, errorIn, mergeFields } from '../wire/answers.ts';
import { eventStream } from '../wire/framing.ts';
import { AnthropicAnswerStream } from './answer-stream.ts';
import { anthropicUsage, readAnthropic } from './read-answer.ts';

/** Answers of Anthropic Messages. */
export const anthropicAnswers: Answers = {
  framingOf: eventStream,
  openStream: (isOwn) => new AnthropicAnswerStream(isOwn),
  readWhole: readAnthropic,
  mergeWhole(answers, read) {
    const merged = mergeFields(answers);
    const content = read.flatMap(({ visible }) => visible.flatMap((message) => recordsIn(message.content)));
    const isCalled = merged.stop_reason !== 'tool_use' || read.at(-1)?.hasHostCalls;
    return { ...merged, content, stop_reason: isCalled ? merged.stop_reason : 'end_turn' };
  },
  errorIn,
  usageOf: anthropicUsage,
  answersIn: assistantAnswers,
  keyOf(items) {
    const blocks = items.flatMap(({ content }) => blocksOf(content));
    return answerKey(
      blocks.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')),
      blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    );
  },
  results(calls) {
    const content = calls.map(({ id, answer }) => ({ type: 'tool_result', tool_use_id: id, content: answer }));
    return [{ role: 'user', content }];
  },
  isResult: ({ role, content }) =>
    role === 'user' && Array.isArray(content) && recordsIn(content).every(({ type }) => type === 'tool_result'),
  // All results of a turn have to be at the beginning of one message.
  joinResults([result], next) {
    if (next?.role !== 'user') return null;
    return { ...next, content: [...recordsIn(result?.content), ...blocksOf(next.content)] };
  },
};

function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === 'string' ? asBlocks(content).map(fieldsOf) : recordsIn(content);
}
