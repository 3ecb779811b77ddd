import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import { startOf } from '@palimpsest/pruner/salience';
import { isQuestion, sentencesOf } from '../text/sentences.ts';
import { rememberedBlocks } from '../text/typed-blocks.ts';

/** A question of the user, verbatim. */
interface UserQuestion {
  /** Index of the user message. */
  readonly index: number;
  readonly question: string;
}

/** A question of the user and the first sentence of the agent's answer, at most 300 characters. */
interface AnsweredQuestion extends UserQuestion {
  /** Index of the assistant message. */
  readonly answeredAt: number;
  readonly answer: string;
}

export interface UserQuestions {
  readonly answered: readonly AnsweredQuestion[];
  readonly open: readonly UserQuestion[];
}

/** Maximum length of a message to search for questions, in characters. Longer messages contain documents. */
const longestMessage = 4_000;
const shortestQuestion = 8;
const longestQuestion = 300;
const longestAnswer = 300;

/**
 * Pairs the questions in user messages with the agent's first text without tool calls before the next user message.
 * @param isReal returns by index whether a person typed the user message
 */
export function userQuestions(messages: readonly Message[], isReal: (index: number) => boolean): UserQuestions {
  const answered: AnsweredQuestion[] = [];
  const open: UserQuestion[] = [];
  let waiting: UserQuestion[] = [];
  let answer = '';
  let answeredAt = -1;
  const close = (): void => {
    if (answer === '') open.push(...waiting);
    else answered.push(...waiting.map((asked) => ({ ...asked, answeredAt, answer })));
    waiting = [];
    answer = '';
  };
  messages.forEach((message, index) => {
    if (message.role === 'user' && isReal(index)) {
      close();
      waiting = questionsOf(message).map((question) => ({ index, question }));
    } else if (message.role === 'assistant' && !hasToolCalls(message) && answer === '') {
      answer = firstSentence(contentText(message.content));
      answeredAt = index;
    }
  });
  close();
  // An interrupted request is often sent again, and only then answered.
  const lastAnswered = new Map(answered.map(({ index, question }) => [question, index]));
  return { answered, open: open.filter(({ index, question }) => (lastAnswered.get(question) ?? -1) < index) };
}

/** Returns the questions that the user typed. Questions in pasted text and quotations are not the user's. */
function questionsOf(message: Message): string[] {
  const text = contentText(message.content);
  if (text.length > longestMessage) return [];
  return rememberedBlocks(text, message)
    .filter(({ isPasted }) => !isPasted)
    .flatMap(({ lines }) => lines)
    .flatMap(sentencesOf)
    .filter(
      (sentence) => sentence.length >= shortestQuestion && sentence.length <= longestQuestion && isQuestion(sentence),
    );
}

/** Returns the first sentence of the first line that contains a letter and is not a heading. */
function firstSentence(text: string): string {
  const line = text.split('\n').find((candidate) => /\p{L}/u.test(candidate) && !candidate.trimStart().startsWith('#'));
  return line ? startOf(sentencesOf(startOf(line, 1_000))[0] ?? '', longestAnswer) : '';
}
