import type { Content, FunctionToolCall, Message, Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { contentOf } from '../content.ts';
import { Memo } from '../memo.ts';
import { checkTexts, malformationError, type Place } from '../native-error.ts';
import { assistantMessage, checkPart, functionCall, PromptMemo, type TextFields } from '../read-message.ts';
import { type Fields, fieldsOf } from '../record.ts';
import { textPart } from '../write-message.ts';
import type { PiConversation } from './conversation.ts';
import { piGrammar, viewPart } from './grammar.ts';

const format = 'pi';
const memo = new Memo<Message | null>();
const prompts = new PromptMemo();

export function decodePi<Native extends PiConversation>(native: Native): Decoded<Native> {
  if (!isRecord(native) || !Array.isArray(native.messages))
    throw malformationError({ format, index: -1 }, 'messages', 'is not an array');
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  const { systemPrompt } = native;
  if (systemPrompt) {
    messages.push(prompts.recall(systemPrompt, native.messages[0]));
    origins.push({ pieces: [{ index: -1 }] });
  }
  native.messages.forEach((message, index) => {
    const place: Place = { format, index };
    if (!isRecord(message) || typeof message.role !== 'string')
      throw malformationError(place, 'role', 'is not a string');
    const read = memo.recall([message], () => messageOf(message as Fields, place));
    if (!read) return;
    messages.push(read);
    origins.push({ pieces: [{ index }] });
  });
  return { native, messages, origins };
}

/** Returns the message as the model gets it; `null` for one that is never sent. */
function messageOf(message: Fields, place: Place): Message | null {
  switch (message.role) {
    case 'user':
    case 'custom':
      return { role: 'user', content: contentIn(message, place) };
    case 'assistant':
      // An answer that failed or was stopped is not sent again.
      return message.stopReason === 'error' || message.stopReason === 'aborted' ? null : readAssistant(message, place);
    case 'toolResult':
      return { role: 'tool', tool_call_id: textIn(message, 'toolCallId', place), content: contentIn(message, place) };
    case 'bashExecution':
      return message.excludeFromContext === true ? null : { role: 'user', content: commandText(message) };
    case 'branchSummary':
      return { role: 'user', content: `${branchOpening}${textIn(message, 'summary', place)}</summary>` };
    case 'compactionSummary':
      return { role: 'user', content: `${compactionOpening}${textIn(message, 'summary', place)}\n</summary>` };
    default:
      return null;
  }
}

// The words with which pi sends its own kinds of messages.
const branchOpening = 'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n';
const compactionOpening =
  'The conversation history before this point was compacted into the following summary:\n\n<summary>\n';

function commandText({ command, output, cancelled, exitCode, truncated, fullOutputPath }: Fields): string {
  const shown = output ? `\`\`\`\n${String(output)}\n\`\`\`` : '(no output)';
  const ended = cancelled
    ? '\n\n(command cancelled)'
    : exitCode
      ? `\n\nCommand exited with code ${String(exitCode)}`
      : '';
  const cut = truncated && fullOutputPath ? `\n\n[Output truncated. Full output: ${String(fullOutputPath)}]` : '';
  return `Ran \`${String(command)}\`\n${shown}${ended}${cut}`;
}

function contentIn(message: Fields, place: Place): Content {
  if (typeof message.content === 'string') return message.content;
  const parts = partsIn(message, place);
  return parts.length === 0 ? '' : contentOf(parts, viewPart);
}

const texts: TextFields = {
  text: ['text'],
  thinking: ['thinking'],
  toolCall: ['id', 'name'],
};

function partsIn({ content }: Fields, place: Place): readonly Part[] {
  if (!Array.isArray(content)) throw malformationError(place, 'content', 'is not an array of parts');
  content.forEach((part: unknown, at) => {
    checkPart(part, place, `content[${at}]`, texts);
  });
  return content as readonly Part[];
}

function textIn(fields: Fields, name: string, place: Place): string {
  checkTexts(fields, [name], place);
  return fields[name] as string;
}

function readAssistant(message: Fields, place: Place): Message {
  // OpenClaw stores some answers as a string.
  const parts = typeof message.content === 'string' ? [textPart(message.content)] : partsIn(message, place);
  const kinds = piGrammar.kindsOf(parts);
  const said = parts.filter((_, at) => kinds[at] === 'said');
  const calls = parts.filter((_, at) => kinds[at] === 'call').map((part) => toolCall(part, place));
  const thoughts = parts.filter((_, at) => kinds[at] === 'thought').map((part) => fieldsOf(part).thinking);
  return assistantMessage(said.length === 0 ? null : contentOf(said, viewPart), calls, thoughts);
}

function toolCall(part: Part, place: Place): FunctionToolCall {
  const { id, name, arguments: input } = fieldsOf(part);
  return functionCall({ id, name, input }, place, 'toolCall whose arguments');
}
