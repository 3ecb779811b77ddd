import { contentText, hasToolCalls, type Message } from '@palimpsest/core';
import { startOf } from '@palimpsest/salience';
import { isQuestion, sentencesOf } from '../source/sentences.ts';

/** The questions of a user: those the agent answered, with the opening of the answer, and those it did not. */
export interface UserQuestions {
  readonly answered: readonly string[];
  readonly open: readonly string[];
}

/** Finds the questions in real user messages and the text the agent gave before the next one. */
export function userQuestions(messages: readonly Message[], isReal: (at: number) => boolean): UserQuestions {
  const answered: string[] = [];
  const open: string[] = [];
  let waiting: string[] = [];
  const settle = (answer: string): void => {
    for (const asked of waiting) answered.push(`${asked} - ${answer}`);
    waiting = [];
  };
  let answer = '';
  messages.forEach((message, at) => {
    if (message.role === 'user' && isReal(at)) {
      if (answer !== '') settle(answer);
      for (const asked of waiting) open.push(asked);
      waiting = questionsOf(contentText(message.content));
      answer = '';
    } else if (message.role === 'assistant' && !hasToolCalls(message) && answer === '')
      answer = openingOf(contentText(message.content));
  });
  if (answer !== '') settle(answer);
  return { answered, open: [...open, ...waiting] };
}

function questionsOf(text: string): string[] {
  if (text.length > 4_000) return [];
  return text
    .split('\n')
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.length >= 8 && sentence.length <= 300 && isQuestion(sentence));
}

function openingOf(text: string): string {
  const line = text.split('\n').find((candidate) => /\p{L}/u.test(candidate) && !candidate.trimStart().startsWith('#'));
  return line ? startOf(sentencesOf(startOf(line, 1_000))[0] ?? '', 300) : '';
}
