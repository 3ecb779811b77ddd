import { parseRecord } from '@palimpsest/core/authoring';
import { readToolName } from '../tools/tool-name.ts';

/** What a user answered to a tool. */
export interface UserAnswer {
  /** The question, verbatim; `null` for the approval of a plan. */
  readonly question: string | null;
  /** The answer, verbatim; for a plan, its first line and its file. */
  readonly text: string;
}

/** Maximum length of a result that is read, in characters. */
const maxResultLength = 20_000;

/**
 * Reads what the user answered to a tool that asks, or that the user approved a plan. Empty for other tools, for tools of
 * a server, and for results without an answer.
 * @param asks tells with which tools the agent asks the user: {@link askingTools} of the transcript
 * @param call name: the name of the tool, as called; input: the arguments by name, or `null` if they could not be read
 */
export function userAnswers(
  asks: (tool: string) => boolean,
  { name, input }: { readonly name: string; readonly input: Readonly<Record<string, unknown>> | null },
  result: string,
): UserAnswer[] {
  const { tool, server } = readToolName(name);
  if (server !== '' || result.length > maxResultLength || !asks(tool)) return [];
  // The tool with which Claude Code presents a plan.
  if (tool === 'exit_plan_mode')
    return result.startsWith('User has approved your plan') ? [readApprovedPlan(input, result)] : [];
  const questions = readQuestions(input);
  const answers = readJsonAnswers(result) ?? readTaggedAnswer(result);
  const found =
    answers === null
      ? readQuotedAnswers(questions, result)
      : questions.map(({ question, id }, at) => ({ question, text: answers(id, at) }));
  return found.filter(({ text }) => text.trim() !== '');
}

/** Names a plan by its first line, and the file in which it is. */
function readApprovedPlan(input: Readonly<Record<string, unknown>> | null, result: string): UserAnswer {
  const title = typeof input?.plan === 'string' ? (/^[#\s]*([^\n]*)/.exec(input.plan)?.[1] ?? '') : '';
  const file = /\bsaved to: (\S[^\n]{0,400})/.exec(result)?.[1]?.trim();
  const named = [title, file === undefined ? '' : `in ${file}`].filter(Boolean).join(', ');
  return { question: null, text: named === '' ? 'the plan is approved' : `the plan is approved: ${named}` };
}

/** Returns the answer to a question, found by its name or its place among the questions; `''` without an answer. */
type AnswerReader = (id: string, at: number) => string;

/** Reads `{"answers": {"store": {"answers": ["Redis"]}}}` and `{"user_response": "Redis"}`. */
function readJsonAnswers(result: string): AnswerReader | null {
  const parsed = parseRecord(result);
  if (!parsed) return null;
  const { answers, user_response: response } = parsed;
  if (typeof answers !== 'object' || answers === null)
    return (_, at) => (at === 0 && typeof response === 'string' ? response : '');
  const all = answers as Readonly<Record<string, unknown>>;
  return (id, at) => textsIn(all[id] ?? all[at]).join(', ');
}

/** Returns a text, the texts of a list, or those of its member `answers`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  const { answers } = (value ?? {}) as { readonly answers?: unknown };
  return answers === undefined ? [] : textsIn(answers);
}

/** Reads `<answer>Redis</answer>`. */
function readTaggedAnswer(result: string): AnswerReader | null {
  const tagged = /^\s*<answer>([\s\S]*)<\/answer>\s*$/.exec(result)?.[1];
  return tagged === undefined ? null : (_, at) => (at === 0 ? tagged : '');
}

/** Matches the words before answers that the user gave; not "Auto-answered with safe defaults". */
const answered: RegExp = /^(?:user has answered|your questions have been answered)\b/i;
/** Matches what follows an answer: notes, a preview, or words to the agent. */
const afterAnswer: RegExp = /"(?: user notes: ([\s\S]*)| selected [\s\S]*|\. You can now [\s\S]*|[.,]?\s*)$/;

/** Reads `User has answered your questions: "Which store?"="Redis", "Since when?"="May" user notes: about`. */
function readQuotedAnswers(questions: readonly Question[], result: string): UserAnswer[] {
  if (!answered.test(result)) return [];
  let from = 0;
  const places = questions.flatMap(({ question }) => {
    const mark = `"${question}"="`;
    const at = result.indexOf(mark, from);
    if (at < 0) return [];
    from = at + mark.length;
    return [{ question, at, from }];
  });
  return places.map(({ question, from: start }, place) => {
    const segment = result.slice(start, places[place + 1]?.at ?? result.length).replace(/,\s*$/, '');
    const end = afterAnswer.exec(segment);
    const given = end ? segment.slice(0, end.index) : segment;
    const notes = end?.[1]?.replace(/\. You can now [\s\S]*$/, '').trim() ?? '';
    return { question, text: notes === '' || given.includes(notes) ? given : `${given} (${notes})` };
  });
}

/** A question in the arguments of a tool that asks the user. */
export interface Question {
  readonly question: string;
  /** The name by which the result refers to the question; `''` for a question without a name. */
  readonly id: string;
}

/** Reads the questions from the arguments of a tool that asks: a list `questions`, or one `question`. */
export function readQuestions(input: Readonly<Record<string, unknown>> | null): Question[] {
  const asked = Array.isArray(input?.questions) ? (input.questions as readonly unknown[]) : [input];
  return asked.flatMap((one) => {
    const { question, id } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return typeof question === 'string' && question !== '' ? [{ question, id: typeof id === 'string' ? id : '' }] : [];
  });
}
