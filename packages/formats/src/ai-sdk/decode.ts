import type { Content, Message, Part, ToolCall } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { contentOf } from '../content.ts';
import { Memo } from '../memo.ts';
import type { Place } from '../native-error.ts';
import { assistantMessage, functionCall, PromptMemo } from '../read-message.ts';
import { type Fields, fieldsOf } from '../record.ts';
import { checkConversation, checkMessage } from './check.ts';
import type { AiSdkConversation, AiSdkMessage, AiSdkPart } from './conversation.ts';
import { aiSdkGrammar } from './grammar.ts';
import { viewPart } from './media.ts';

/** A core message and the indices of the parts it was made from; `undefined` for the whole native message. */
interface Unit {
  readonly message: Message;
  readonly blocks: readonly number[] | undefined;
}

const memo = new Memo<readonly Unit[]>();
const prompts = new PromptMemo();

export function decodeAiSdk<Native extends AiSdkConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  systemOf(native).forEach((prompt, at) => {
    messages.push(
      typeof prompt === 'string'
        ? prompts.recall(prompt, native.messages[0])
        : prompts.recall(prompt.content as string, prompt),
    );
    origins.push({ pieces: [Array.isArray(native.system) ? { index: -1, blocks: [at] } : { index: -1 }] });
  });
  native.messages.forEach((message, index) => {
    checkMessage(message, index);
    const units = memo.recall([message], () => unitsOf(message, { format: 'aiSdk', index }));
    const last = origins.at(-1);
    // Approvals are not sent to the model. They are kept with the calls before them.
    if (units.length === 0 && last && last.pieces[0]!.index >= 0)
      origins[origins.length - 1] = { pieces: [...last.pieces, { index }] };
    else if (units.length === 0) {
      messages.push({ role: 'developer', content: message.content as readonly AiSdkPart[] });
      origins.push({ pieces: [{ index }] });
    }
    for (const { message: core, blocks } of units) {
      messages.push(core);
      origins.push({ pieces: [blocks === undefined ? { index } : { index, blocks }] });
    }
  });
  return { native, messages, origins };
}

/** Returns the system prompts outside the messages. */
export function systemOf({ system }: AiSdkConversation): readonly (string | AiSdkMessage)[] {
  if (!system) return [];
  return Array.isArray(system) ? (system as readonly AiSdkMessage[]) : [system as string | AiSdkMessage];
}

function unitsOf({ role, content }: AiSdkMessage, place: Place): readonly Unit[] {
  if (typeof content === 'string') return [{ message: { role, content }, blocks: undefined }];
  const blocks = content.map((_, at) => at);
  if (role === 'tool') return resultUnits(content);
  if (role === 'assistant') return [{ message: readAssistant(content, place), blocks }];
  return [{ message: { role, content: contentOf(content, viewPart) }, blocks }];
}

/** Creates a tool message for each result. An approval in the same message is kept with a result. */
function resultUnits(parts: readonly AiSdkPart[]): readonly Unit[] {
  const units: { readonly message: Message; readonly blocks: number[] }[] = [];
  let waiting: number[] = [];
  parts.forEach((part, at) => {
    if (part.type === 'tool-result') {
      units.push({ message: resultMessage(part), blocks: [...waiting, at] });
      waiting = [];
    } else if (units.length > 0) units.at(-1)!.blocks.push(at);
    else waiting.push(at);
  });
  return units;
}

function resultMessage(part: AiSdkPart): Message {
  const { toolCallId, output } = fieldsOf(part);
  return { role: 'tool', tool_call_id: toolCallId as string, content: outputContent(output as Fields) };
}

function outputContent({ type, value, reason }: Fields): Content {
  if (type === 'execution-denied') return typeof reason === 'string' ? reason : 'Tool execution denied.';
  if (typeof value === 'string') return value;
  if (type === 'content') return contentOf(value as readonly Part[], viewPart);
  return value === undefined ? '' : jsonText(value);
}

function readAssistant(parts: readonly AiSdkPart[], place: Place): Message {
  const kinds = aiSdkGrammar.kindsOf(parts);
  const said = parts.filter((_, at) => kinds[at] === 'said');
  const calls = parts.filter((_, at) => kinds[at] === 'call').map((part) => toolCall(part, place));
  const thoughts = parts.filter(({ type }) => type === 'reasoning').map((part) => fieldsOf(part).text);
  return assistantMessage(said.length === 0 ? null : contentOf(said, viewPart), calls, thoughts);
}

function toolCall(part: AiSdkPart, place: Place): ToolCall {
  const { toolCallId, toolName, input } = fieldsOf(part);
  const [id, name] = [toolCallId as string, toolName as string];
  // Custom tools have a string as input, all others JSON.
  if (typeof input === 'string') return { id, type: 'custom', custom: { name, input } };
  return functionCall({ id, name, input }, place, 'tool-call whose input');
}
