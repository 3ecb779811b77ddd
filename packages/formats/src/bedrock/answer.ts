import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { type Answers, answerKey, assistantAnswers } from '../wire/answers.ts';
import { BedrockAnswerStream } from './answer-stream.ts';
import { callsIn, resultIn, wordsIn } from './block.ts';
import { converseFraming, framingFor } from './framing.ts';
import { bedrockUsage, combineBedrockUsage, readBedrock } from './read-answer.ts';

/** Answers of `Converse` and `ConverseStream`. */
export const bedrockAnswers: Answers = {
  framingOf: framingFor(converseFraming),
  openStream: (isOwn) => new BedrockAnswerStream(isOwn),
  readWhole: readBedrock,
  mergeWhole(answers, read) {
    const last = answers.at(-1) ?? {};
    const content = blocksIn(read.flatMap(({ visible }) => visible));
    const isCalled = last.stopReason !== 'tool_use' || read.at(-1)?.hasHostCalls;
    const usage = answers.map((answer) => answer.usage).reduce(combineBedrockUsage, undefined);
    return {
      ...last,
      output: { ...fieldsIn(last.output), message: { role: 'assistant', content } },
      stopReason: isCalled ? last.stopReason : 'end_turn',
      usage,
    };
  },
  errorIn,
  usageOf: bedrockUsage,
  answersIn: assistantAnswers,
  keyOf(items) {
    const blocks = blocksIn(items);
    return answerKey(
      blocks.map((block) => wordsIn(block) ?? ''),
      callsIn(blocks).map(({ toolUseId }) => toolUseId),
    );
  },
  results(calls) {
    const content = calls.map(({ id, answer }) => ({ toolResult: { toolUseId: id, content: [{ text: answer }] } }));
    return [{ role: 'user', content }];
  },
  isResult: ({ role, content }) =>
    role === 'user' && Array.isArray(content) && recordsIn(content).every((block) => resultIn(block) !== null),
  // All results of a turn have to be in one message.
  joinResults([result], next) {
    if (next?.role !== 'user') return null;
    return { ...next, content: [...recordsIn(result?.content), ...recordsIn(next.content)] };
  },
};

function blocksIn(items: readonly Fields[]): readonly Fields[] {
  return items.flatMap(({ content }) => recordsIn(content));
}

/** The error in an event, such as `{ throttlingException: { message } }`. */
function errorIn(event: Fields): unknown {
  for (const [type, value] of Object.entries(event))
    if (type.endsWith('Exception') && isRecord(value)) return { ...value, type };
  return null;
}
