import { contentText, hasToolCalls, type Message, toolCalls } from '@palimpsest/core';

/** Describes a transcript in one line: role, calls and size of each message, never its text. Elides the middle. */
export function sketchTranscript(messages: readonly Message[], most = 24): string {
  const one = (message: Message, index: number): string => {
    const calls = hasToolCalls(message) ? ` ${Math.max(1, toolCalls(message).length)} call(s)` : '';
    return `${index} ${message.role}${calls} ${contentText(message.content).length}`;
  };
  const shown = messages.map(one);
  if (shown.length <= most) return shown.join(', ');
  return [...shown.slice(0, most / 2), `... ${shown.length - most} more ...`, ...shown.slice(-most / 2)].join(', ');
}
