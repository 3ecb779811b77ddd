import { agentReader } from '@palimpsest/agents';
import { contentText, type Message, toolCalls } from '@palimpsest/core';
import { collapseMarkdown, type OutputReading } from './output-reading.ts';

const maxConclusionLength = 120;
/** A shorter sentence ("Done.") is returned with the rest of its line. */
const minConclusionLength = 30;
/** Shorter lines are not conclusions. */
const minLineLength = 12;

/** Returns the first sentence, up to 120 characters, of the agent's message to the user at the end of each turn. */
export function conclusionsOf(messages: readonly Message[]): string[] {
  const conclusions = new Set<string>();
  let last: string | null = null;
  const endTurn = (): void => {
    const sentence = last === null ? '' : firstSentence(last);
    if (sentence !== '') conclusions.add(sentence);
    last = null;
  };
  for (const message of messages) {
    if (message.role === 'user' && agentReader.separateSpeech(message).said !== null) endTurn();
    else if (message.role === 'assistant') last = toolCalls(message).length > 0 ? null : contentText(message.content);
  }
  endTurn();
  return [...conclusions];
}

/** Headings and code are not sentences. */
function firstSentence(text: string): string {
  const lines = text
    .replace(/<think>[\s\S]*?<\/think>/g, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n');
  const isHeading = (line: string): boolean => /^\s*(?:#{1,6} .*|\*\*[^*]*\*\*:?|-{3,}|```.*)\s*$/.test(line);
  const line = collapseMarkdown(
    lines.find((one) => !isHeading(one) && collapseMarkdown(one).length >= minLineLength) ?? '',
  );
  // The period after the number of a list item does not end a sentence.
  for (const { index } of line.matchAll(/(?<!\b\d{1,3})[.!?](?= |$)|。/g))
    if (index + 1 >= minConclusionLength) return line.slice(0, Math.min(index + 1, maxConclusionLength)).trim();
  return line.slice(0, maxConclusionLength).trim();
}

/** Returns the conclusions that an output still has. */
export const conclusionsIn = (conclusions: readonly string[], { prose }: OutputReading): string[] =>
  conclusions.filter((sentence) => prose.includes(sentence));
