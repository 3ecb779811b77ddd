import { askingTools, resultReader, userAnswers } from '@palimpsest/agents';
import { contentText, type Message, type ToolCall, toolCallName, toolCalls } from '@palimpsest/core';
import { oneLine, truncate } from '@palimpsest/pruner/salience';
import { callArguments } from '../calls/call-arguments.ts';

/** Words of the user in the result of a tool. */
export interface ToolAnswer {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
  /** The question that the tool asked, or the name of the tool whose call was refused; `null` if unknown. */
  readonly question: string | null;
  /** True for words with which a call was refused. */
  readonly isRefusal: boolean;
}

// Lengths in characters.
const maxAnswerLength = 400;
const maxQuestionLength = 200;

/**
 * Returns what the user says in tool results, in order: answers to a tool that asks, the approval of a plan, and words
 * with which a call was refused. The output of a program may imitate a refusal, so its words are not taken for the user's.
 */
export function toolAnswers(messages: readonly Message[]): ToolAnswer[] {
  const calls = new Map<string, ToolCall>();
  const found: ToolAnswer[] = [];
  const asks = askingTools(messages);
  messages.forEach((message, index) => {
    for (const call of message.role === 'assistant' ? toolCalls(message) : []) calls.set(call.id, call);
    const call = message.role === 'tool' ? calls.get(message.tool_call_id ?? '') : undefined;
    if (!call) return;
    const name = toolCallName(call);
    const result = contentText(message.content);
    const refusal = resultReader.refusalWords(result);
    if (refusal !== null) found.push({ index, text: short(refusal, maxAnswerLength), question: name, isRefusal: true });
    else
      for (const { question, text } of userAnswers(asks, { name, input: callArguments(call).values }, result))
        found.push({
          index,
          text: short(text, maxAnswerLength),
          question: question === null ? null : short(question, maxQuestionLength),
          isRefusal: false,
        });
  });
  return found;
}

function short(text: string, maxLength: number): string {
  return truncate(oneLine(text).trim(), maxLength);
}
