import { type Fields, fieldsIn, fieldsOf, recordsIn } from '../record.ts';
import { idField } from '../unnamed-calls.ts';
import { type Answers, answerKey, callKey, errorIn } from '../wire/answers.ts';
import { GeminiAnswerStream } from './answer-stream.ts';
import { geminiFraming } from './framing.ts';
import { callIn, gap, hasResponses, isWords, responseIn } from './part.ts';
import { combineGeminiUsage, geminiUsage, readGemini } from './read-answer.ts';

/** Answers of `generateContent` and `streamGenerateContent`. */
export const geminiAnswers: Answers = {
  framingOf: geminiFraming,
  openStream: (isOwn) => new GeminiAnswerStream(isOwn),
  readWhole: readGemini,
  mergeWhole(answers, read) {
    const last = answers.at(-1) ?? {};
    const [candidate = {}] = recordsIn(last.candidates);
    const parts = read.reduce<Fields[]>((before, { visible }) => withGap(before, partsIn(visible)), []);
    const usage = answers.map(({ usageMetadata }) => usageMetadata).reduce(combineGeminiUsage, undefined);
    const content = { ...fieldsIn(candidate.content), role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] };
    const { responseId = last.responseId } = answers[0] ?? {};
    return {
      ...last,
      candidates: [{ ...candidate, content }],
      ...(usage === undefined ? {} : { usageMetadata: usage }),
      ...(responseId === undefined ? {} : { responseId }),
    };
  },
  errorIn,
  usageOf: geminiUsage,
  // A streamed answer may be sent back as one content for each chunk.
  answersIn(list) {
    const ranges: [number, number][] = [];
    list.forEach(({ role }, at) => {
      if (role !== 'model') return;
      const last = ranges.at(-1);
      if (last?.[1] === at) last[1] = at + 1;
      else ranges.push([at, at + 1]);
    });
    return ranges;
  },
  // SDKs give ids to calls that have none, so calls are known by what they ask for.
  keyOf(items) {
    const parts = partsIn(items);
    return answerKey(
      parts.map((part) => (isWords(part) ? String(part.text) : '')),
      parts.flatMap((part) => {
        const call = callIn(part);
        return call ? [callKey(call.name, call.args)] : [];
      }),
    );
  },
  results(calls) {
    const parts = calls.map(({ id, name, answer }) => ({
      functionResponse: { ...idField(id), name, response: { output: answer } },
    }));
    return [{ role: 'user', parts }];
  },
  isResult: ({ role, parts }) =>
    role === 'user' &&
    Array.isArray(parts) &&
    parts.length > 0 &&
    recordsIn(parts).every((part) => responseIn(part) !== null),
  // The turn after calls has to have as many results. Words of the user stay a separate content.
  joinResults([result], next) {
    const parts = recordsIn(next?.parts);
    if (next?.role === 'model' || !hasResponses(parts)) return null;
    return { ...next, parts: [...recordsIn(result?.parts), ...parts] };
  },
};

function partsIn(contents: readonly Fields[]): readonly Fields[] {
  return contents.flatMap(({ parts }) => recordsIn(parts));
}

function withGap(before: Fields[], parts: readonly Fields[]): Fields[] {
  const at = before.some(isWords) ? parts.findIndex(isWords) : -1;
  const split = at < 0 ? parts.length : at;
  return [...before, ...parts.slice(0, split), ...(at < 0 ? [] : [fieldsOf(gap)]), ...parts.slice(split)];
}
