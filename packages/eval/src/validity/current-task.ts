import { agentReader } from '@palimpsest/agents';
import { contentText, contentWithoutHandoff, type Message, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

/** Returns the texts of the current task, one per message, without a handoff before them. Empty without a task. */
export function currentTask(messages: readonly Message[], counter: TokenCounter): readonly string[] {
  const { task } = Transcript.of(messages, counter, { reader: agentReader });
  return task
    ? messages.slice(task.from, task.to).map((message) => contentText(contentWithoutHandoff(message, agentReader)))
    : [];
}

/** Returns true if user messages still contain every text of the task word for word. */
export function isTaskKept(task: readonly string[], kept: readonly Message[]): boolean {
  const said = kept.filter(({ role }) => role === 'user').map(({ content }) => contentText(content));
  return task.every((text) => said.some((one) => one.includes(text)));
}
