import { readToolName, resultReader } from '@palimpsest/agents';
import { contentText, type Message, type ToolCall, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { oneLine } from '@palimpsest/salience';
import { callArguments } from '../calls/call-arguments.ts';
import { cutText } from '../text/cut-text.ts';
import type { DecisionSentence } from './decision-sentences.ts';

/**
 * Matches the tools by which known agents ask the user: Claude Code, Codex, opencode, Hermes Agent, Cline, Gemini CLI. A
 * person answers them. Anything may answer an `ask_expert`, or a tool of a server.
 */
const asksUser: RegExp =
  /^(?:ask_user(?:_questions?)?|ask_followup_question|request_user_input|clarify|question|human_input)$/;

// All lengths are in characters.
const longestAnswer = 400;
const longestQuestion = 200;
/** Maximum length of a result that is read. */
const longestResult = 20_000;

/**
 * Returns what the user says in tool results, in order: answers to a tool that asks, the approval of a plan, and words
 * with which a call was refused. The output of a program may imitate a refusal, so a refusal is not by the user.
 */
export function toolAnswers(messages: readonly Message[]): DecisionSentence[] {
  const calls = new Map<string, ToolCall>();
  const found: DecisionSentence[] = [];
  messages.forEach((message, index) => {
    for (const call of message.role === 'assistant' ? toolCalls(message) : []) calls.set(call.id, call);
    const call = message.role === 'tool' ? calls.get(message.tool_call_id ?? '') : undefined;
    if (!call) return;
    const text = contentText(message.content);
    const refusal = resultReader.refusalWords(text);
    if (refusal !== null)
      found.push({ index, text: short(refusal), by: 'refusal', question: readToolName(toolCallName(call)).called });
    else
      for (const answer of isApproval(call, text) ? [approvedPlan(call, text)] : answersTo(call, text))
        found.push({ index, ...answer, by: 'user' });
  });
  return found;
}

/** True for the result of Claude Code's tool for plans if the user approved the plan. */
function isApproval(call: ToolCall, result: string): boolean {
  return toolCallName(call) === 'ExitPlanMode' && result.startsWith('User has approved your plan');
}

/** Names the plan by its first line, and the file in which it is. */
function approvedPlan(call: ToolCall, result: string): Answer {
  const plan = callArguments(call).values?.plan;
  const title = typeof plan === 'string' ? (/^[#\s]*([^\n]*)/.exec(plan)?.[1] ?? '') : '';
  const file = /\bsaved to: (\S[^\n]{0,400})/.exec(result.slice(0, longestResult))?.[1] ?? '';
  const named = [title, file === '' ? '' : `in ${file.trim()}`].filter(Boolean).join(', ');
  return { text: short(named === '' ? 'the plan is approved' : `the plan is approved: ${named}`), question: null };
}

type Answer = Pick<DecisionSentence, 'text' | 'question'>;

function answersTo(call: ToolCall, result: string): Answer[] {
  const { tool, server } = readToolName(toolCallName(call));
  if (server !== '' || !asksUser.test(tool) || result.length > longestResult || toolCallInput(call) === '') return [];
  const questions = questionsOf(callArguments(call).values);
  const answers = jsonAnswers(result) ?? taggedAnswer(result);
  const pairs =
    answers === null
      ? quotedAnswers(questions, result)
      : questions.map(({ question, id }, at) => ({ question, text: answers(id, at) }));
  return pairs.flatMap(({ question, text }) =>
    text.trim() === '' ? [] : [{ text: short(text), question: cutText(oneLine(question).trim(), 1, longestQuestion) }],
  );
}

interface Question {
  readonly question: string;
  /** Name of the question in the answers; `''` if it has none. */
  readonly id: string;
}

function questionsOf(input: Readonly<Record<string, unknown>> | null): Question[] {
  const listed = Array.isArray(input?.questions) ? (input.questions as readonly unknown[]) : [input];
  return listed.flatMap((one) => {
    const { question, id } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return typeof question === 'string' && question !== '' ? [{ question, id: typeof id === 'string' ? id : '' }] : [];
  });
}

/** Returns the answer to a question by its name or its place among the questions; `''` if there is none. */
type AnswerReader = (id: string, at: number) => string;

/** Reads `{"answers": {"store": {"answers": ["Redis"]}}}` and `{"user_response": "Redis"}`. */
function jsonAnswers(result: string): AnswerReader | null {
  if (!/^\s*\{/.test(result)) return null;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(result) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
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
function taggedAnswer(result: string): AnswerReader | null {
  const tagged = /^\s*<answer>([\s\S]*)<\/answer>\s*$/.exec(result)?.[1];
  return tagged === undefined ? null : (_, at) => (at === 0 ? tagged : '');
}

/** Matches the words before answers that the user gave; not "Auto-answered with safe defaults". */
const answered: RegExp = /^(?:user has answered|your questions have been answered)\b/i;
/** Matches what follows an answer: notes, a preview, or words to the agent. */
const afterAnswer: RegExp = /"(?: user notes: ([\s\S]*)| selected [\s\S]*|\. You can now [\s\S]*|[.,]?\s*)$/;

/** Reads `User has answered your questions: "Which store?"="Redis", "Since when?"="May" user notes: about`. */
function quotedAnswers(questions: readonly Question[], result: string): { question: string; text: string }[] {
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

function short(text: string): string {
  const line = oneLine(text).trim();
  const cut = cutText(line, 1, longestAnswer);
  return cut.length < line.length ? `${cut} \u2026` : cut;
}
