import { isSystem, type Message, type Part } from '@palimpsest/core';
import type { Decoded, EditedMessages, NativePiece } from '../codec.ts';
import { PartPool } from '../content.ts';
import type { Grammar } from '../grammar.ts';
import { fieldsOf } from '../record.ts';
import { replay, type Step } from '../replay.ts';
import { rewriteBlocks } from '../rewrite-blocks.ts';
import { inputObject, toolNames } from '../write-message.ts';
import { assembleContents, type Fragment } from './assemble-contents.ts';
import type { GeminiContent, GeminiConversation } from './conversation.ts';
import { systemOf } from './decode.ts';
import { callIn, kindOf, nameIn, partsOf, responseIn, viewPart } from './part.ts';
import { mediaIn, withResponse } from './response.ts';
import { contentParts, writeParts } from './write.ts';

const geminiGrammar: Grammar = {
  kindsOf: (parts) => parts.map(kindOf),
  contentBlocks: contentParts,
  poolOf: (parts) => new PartPool(parts, viewPart),
  // The signature stays: a call of the current turn is refused without it.
  withInput(part, written) {
    const call = { ...callIn(part), args: inputObject(written) };
    return { ...part, [nameIn(fieldsOf(part), 'functionCall')]: call };
  },
  withContent(part, content) {
    const response = responseIn(part)!;
    const pool = new PartPool(mediaIn(response), viewPart);
    return {
      ...part,
      [nameIn(fieldsOf(part), 'functionResponse')]: withResponse(response, content, pool, contentParts),
    };
  },
};

export function encodeGemini<Native extends GeminiConversation>(
  decoded: Decoded<Native>,
  result: EditedMessages,
): Native {
  const steps = replay(decoded, result);
  if (steps === null) return decoded.native;
  const { native } = decoded;
  const names = toolNames(decoded.messages);
  let system = systemOf(native);
  const later: Part[] = [];
  const fragments: Fragment[] = [];
  for (const step of steps) {
    const isPrompt = step.kind !== 'inserted' && decoded.origins[step.unit]!.pieces[0]!.index === -1;
    if (isPrompt && step.kind === 'rewritten')
      system = { ...system, parts: rewriteParts(partsOf(system!), decoded.messages[step.unit]!, step.message) };
    else if (isPrompt && step.kind === 'removed') system = null;
    else if (step.kind === 'inserted' && isSystem(step.message)) later.push(...contentParts(step.message.content));
    else if (!isPrompt) fragments.push(...fragmentsOf(decoded, step, names));
  }
  if (later.length > 0) system = { ...system, parts: [...partsOf(system ?? {}), ...later] };
  const contents = assembleContents(fragments, native.contents);
  if (system === systemOf(native)) return { ...native, contents };
  return { ...native, contents, [nameIn(fieldsOf(native), 'systemInstruction')]: system ?? undefined };
}

function fragmentsOf(
  decoded: Decoded<GeminiConversation>,
  step: Step,
  names: ReadonlyMap<string, string>,
): readonly Fragment[] {
  if (step.kind === 'removed') return [];
  if (step.kind === 'inserted') {
    const carried = step.carries.flatMap((unit) => partsIn(decoded, decoded.origins[unit]!.pieces));
    const parts = writeParts(step.message, new PartPool(carried, viewPart), names);
    return [{ role: roleOf(step.message), index: null, edited: true, parts }];
  }
  const { pieces } = decoded.origins[step.unit]!;
  const { role = 'user' } = contentAt(decoded, pieces[0]!);
  if (step.kind === 'kept')
    return pieces.map((piece) => ({ role, index: piece.index, edited: false, parts: partsIn(decoded, [piece]) }));
  const parts = rewriteParts(partsIn(decoded, pieces), decoded.messages[step.unit]!, step.message);
  return [{ role, index: pieces[0]!.index, edited: true, parts }];
}

function rewriteParts(parts: readonly object[], before: Message, after: Message): readonly Part[] {
  return rewriteBlocks(geminiGrammar, parts as readonly Part[], before, after) as readonly Part[];
}

function contentAt({ native }: Decoded<GeminiConversation>, { index }: NativePiece): GeminiContent {
  return native.contents[index] ?? {};
}

function partsIn(decoded: Decoded<GeminiConversation>, pieces: readonly NativePiece[]): readonly Part[] {
  return pieces.flatMap((piece) => {
    const parts = partsOf(contentAt(decoded, piece));
    return (piece.blocks ?? []).map((at) => parts[at] as Part);
  });
}

function roleOf(message: Message): 'user' | 'model' {
  return message.role === 'assistant' ? 'model' : 'user';
}

/** Writes core messages as a new conversation. System messages have no place among the contents: they become the prompt. */
export function writeGemini(messages: readonly Message[]): GeminiConversation {
  const names = toolNames(messages);
  const pool = new PartPool([]);
  const prompt = messages.filter(isSystem).flatMap((message) => contentParts(message.content, pool));
  const fragments = messages
    .filter((message) => !isSystem(message))
    .map((message): Fragment => {
      const parts = writeParts(message, pool, names);
      return { role: roleOf(message), index: null, edited: true, parts };
    });
  const contents = assembleContents<GeminiContent>(fragments, []);
  return prompt.length === 0 ? { contents } : { systemInstruction: { parts: prompt }, contents };
}
