import {
  contentText,
  contentWithoutHandoff,
  type EngineHost,
  isTextPart,
  type Message,
  type Part,
} from '@palimpsest/core';
import { isRemovedMedia, Transcript } from '@palimpsest/core/authoring';
import type { Projection } from './checkpoint-chain.ts';

/** Why a stored plan must not be used: it removes the current task. `null` when it keeps the task. */
export function requestProblem(
  { messages: output, provenance }: Projection,
  messages: readonly Message[],
  host: Pick<EngineHost, 'tokens' | 'reader' | 'isFromPerson'>,
): string | null {
  const { task } = Transcript.of(messages, host.tokens, host);
  if (!task) return null;
  const outcomes = provenance.source.slice(task.from, task.to);
  const last = outcomes.at(-1)!;
  const isLost =
    outcomes.some(({ kind }) => kind === 'summarized' || kind === 'dropped') ||
    // A changed plan could quote the task as a harness message, or carry older words after it.
    (last.kind === 'carried' &&
      !requestText(output[last.at]!, host).endsWith(requestText(messages[task.to - 1]!, host)));
  return isLost ? 'It leaves out the current task.' : null;
}

/** The text of a message of the user, without placeholders of removed pictures. */
function requestText(message: Message, { reader }: Pick<EngineHost, 'reader'>): string {
  const content = contentWithoutHandoff(message, reader);
  if (typeof content === 'string') return content;
  return contentText(content.filter((part) => !part || !isTextPart(part) || !isRemovedMedia(part.text)) as Part[]);
}
