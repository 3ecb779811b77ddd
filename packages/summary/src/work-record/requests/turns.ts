import { contentText, hasToolCalls, isSystem, isToolResult, type Message } from '@palimpsest/core';

/** What the agent did between one or more messages of the user and the next. */
export interface UserTurn {
  /** Indices of the consecutive user messages that began the turn. Empty if the agent began. */
  readonly asked: readonly number[];
  /** Index of the agent's message that ended the turn; -1 if the turn was interrupted or is not over. */
  readonly end: number;
  /** True if the agent called tools. */
  readonly worked: boolean;
}

/**
 * Splits messages into turns. A turn ends with a text of the agent without tool calls, directly before a user message
 * or at the end. Linear time.
 * @param isReal returns by index whether a person typed the user message
 */
export function userTurns(messages: readonly Message[], isReal: (index: number) => boolean): UserTurn[] {
  const turns: UserTurn[] = [];
  let asked: number[] = [];
  let end = -1;
  let worked = false;
  let answered = false;
  const close = (): void => {
    if (asked.length > 0 || answered) turns.push({ asked, end, worked });
    asked = [];
    end = -1;
    worked = false;
    answered = false;
  };
  messages.forEach((message, index) => {
    if (isSystem(message)) return;
    if (message.role === 'user' && isReal(index)) {
      if (answered) close();
      asked.push(index);
    } else if (message.role === 'assistant') {
      answered = true;
      if (hasToolCalls(message)) {
        worked = true;
        end = -1;
      } else if (isAnswer(contentText(message.content))) end = index;
    } else {
      // After a tool result, or a message that no person typed, the agent has to answer again.
      if (isToolResult(message)) worked = true;
      end = -1;
    }
  });
  close();
  return turns;
}

/** Claude Code records "No response requested." after built-in commands. */
function isAnswer(text: string): boolean {
  const words = text.trim();
  return words !== '' && words !== 'No response requested.';
}
