import { isRecord } from '@palimpsest/core/authoring';
import type { NativeViolation } from '../codec.ts';
import type { Fields } from '../record.ts';
import { checkContent, checkConversation } from './check.ts';
import { type GeminiContent, type GeminiConversation, isModel } from './conversation.ts';
import { callIn, callsIn, hasResponses, isSigned, partsOf, responsesIn } from './part.ts';
import { responseName } from './response.ts';

/** Rules of `generateContent`. */
export type GeminiRule =
  | 'no-contents'
  | 'first-not-user'
  | 'parts-empty'
  | 'call-unanswered'
  | 'call-unsigned'
  | 'call-args-not-object'
  | 'result-orphan';

/** Neighbouring contents of one role. The API reads them as one, because SDKs send streamed answers so. */
interface ContentRun {
  readonly isModel: boolean;
  readonly index: number;
  readonly parts: object[];
}

type Add = (rule: GeminiRule, reason: string, index: number) => void;

export function validateGemini(native: GeminiConversation): readonly NativeViolation[] {
  checkConversation(native);
  const found: NativeViolation[] = [];
  const add: Add = (rule, reason, index) => found.push({ index, rule, reason });
  const { contents } = native;
  if (contents.length === 0) add('no-contents', 'a request needs at least one content', -1);
  contents.forEach((content, index) => {
    checkContent(content, index);
    if (partsOf(content).length === 0) add('parts-empty', 'a content without parts', index);
  });
  const runs = runsOf(contents);
  if (runs[0]?.isModel) add('first-not-user', 'the first content is not of the user', 0);
  runs.forEach((run, at) => {
    checkPair(runs[at - 1], run, add);
  });
  const last = runs.at(-1);
  if (last?.isModel && last.parts.some(callIn)) add('call-unanswered', 'the last calls have no results', last.index);
  checkSignatures(runs, add);
  return found.sort((left, right) => left.index - right.index);
}

function runsOf(contents: readonly GeminiContent[]): readonly ContentRun[] {
  const runs: ContentRun[] = [];
  contents.forEach((content, index) => {
    const last = runs.at(-1);
    const parts = partsOf(content);
    // Results are a separate run, also next to words of the user.
    const isSame = last && last.isModel === isModel(content) && hasResponses(last.parts) === hasResponses(parts);
    if (isSame) last.parts.push(...parts);
    else runs.push({ isModel: isModel(content), index, parts: [...parts] });
  });
  return runs;
}

/** Checks that a turn has one result for each call of the turn before it, and no other results. */
function checkPair(before: ContentRun | undefined, run: ContentRun, add: Add): void {
  const calls = before?.isModel ? callsIn(before.parts) : [];
  const results = run.isModel ? [] : responsesIn(run.parts);
  const open = [...calls];
  for (const result of results) {
    const at = open.findIndex((call) => answers(result, call));
    if (at < 0) add('result-orphan', 'a result that answers no call of the turn before it', run.index);
    else open.splice(at, 1);
  }
  if (open.length > 0)
    add('call-unanswered', `${open.length} of ${calls.length} calls without a result in the next turn`, before!.index);
  for (const { args } of run.isModel ? callsIn(run.parts) : [])
    if (args !== undefined && !isRecord(args)) add('call-args-not-object', 'args that are not an object', run.index);
}

function answers(result: Fields, call: Fields): boolean {
  const [asked, given] = [call.id, result.id];
  return asked === undefined || given === undefined ? call.name === responseName(result) : asked === given;
}

/**
 * Checks the first call of each step since the user's last words, in a conversation with a model that signs: Gemini 3
 * rejects it without a signature. Older calls may have lost theirs.
 */
function checkSignatures(runs: readonly ContentRun[], add: Add): void {
  if (!runs.some(({ parts }) => parts.some((part) => callIn(part) && isSigned(part)))) return;
  const from = runs.findLastIndex((run) => !run.isModel && !hasResponses(run.parts));
  for (const run of runs.slice(from + 1)) {
    const first = run.isModel ? run.parts.find(callIn) : undefined;
    if (first && !isSigned(first)) add('call-unsigned', 'the first call of a step has no signature', run.index);
  }
}
