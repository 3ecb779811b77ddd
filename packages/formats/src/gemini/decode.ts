import type { Content, Message, Part } from '@palimpsest/core';
import type { Decoded, NativeOrigin, NativePiece } from '../codec.ts';
import { contentOf } from '../content.ts';
import { Memo } from '../memo.ts';
import { assistantMessage, functionCall, PromptMemo } from '../read-message.ts';
import { fieldsOf } from '../record.ts';
import { callId, type OpenCall, OpenCalls, openCallsOf } from '../unnamed-calls.ts';
import { checkContent, checkConversation } from './check.ts';
import { type GeminiContent, type GeminiConversation, isModel } from './conversation.ts';
import { callIn, fieldIn, hasResponses, kindOf, partsOf, responseIn, viewPart } from './part.ts';
import { responseContent, responseName } from './response.ts';

/** A core message, and what it was made from: all parts of a run of the model, or some of one content. */
interface Unit {
  readonly message: Message;
  readonly pieces: readonly NativePiece[];
}

const memo = new Memo<readonly Unit[]>();
const prompts = new PromptMemo();

export function decodeGemini<Native extends GeminiConversation>(native: Native): Decoded<Native> {
  checkConversation(native);
  const { contents } = native;
  const units: Unit[] = [];
  const system = systemOf(native);
  if (system) units.push({ message: readSystem(system, contents[0]), pieces: [{ index: -1 }] });
  contents.forEach(checkContent);
  // Results without ids belong to the calls before them, so they are read together with them.
  let calls: readonly OpenCall[] = [];
  let callsFrom = 0;
  for (let at = 0; at < contents.length; ) {
    const to = runEnd(contents, at);
    const run = contents.slice(at, to);
    const isAnswer = isModel(run[0]!);
    const natives = !isAnswer && hasResponses(partsOf(run[0]!)) ? [run[0]!, ...contents.slice(callsFrom, at)] : run;
    const from = at;
    const earlier = calls;
    const read = (): readonly Unit[] => (isAnswer ? modelUnits(run, from) : userUnits(run[0]!, from, earlier));
    const own = memo.recall(natives, read, [from]);
    for (const unit of own) units.push(unit);
    if (isAnswer) {
      calls = callsOf(own);
      callsFrom = at;
    } else calls = withoutAnswered(calls, own);
    at = to;
  }
  const origins = units.map(({ pieces }): NativeOrigin => ({ pieces }));
  const messages = units.map(({ message }) => message);
  const cached = fieldIn(fieldsOf(native), 'cachedContent');
  const isContinued = typeof cached === 'string' && cached !== '';
  return { native, messages, origins, ...(isContinued && { continues: 'cachedContent' }) };
}

/** The system prompt of a conversation; `null` for none. */
export function systemOf(native: GeminiConversation): GeminiContent | null {
  const system = fieldIn(fieldsOf(native), 'systemInstruction') as GeminiContent | null | undefined;
  return system && partsOf(system).length > 0 ? system : null;
}

/** Streamed answers are sent back as one content for each chunk, so neighbours of the model are one message. */
function runEnd(contents: readonly GeminiContent[], from: number): number {
  let to = from + 1;
  if (isModel(contents[from]!)) while (to < contents.length && isModel(contents[to]!)) to++;
  return to;
}

function readSystem(system: GeminiContent, first: GeminiContent | undefined): Message {
  const content = contentOf(asParts(partsOf(system)), viewPart);
  return typeof content === 'string' ? prompts.recall(content, first) : { role: 'system', content };
}

function modelUnits(run: readonly GeminiContent[], from: number): readonly Unit[] {
  const parts = run.flatMap(partsOf);
  const ofKind = (kind: string): readonly object[] => parts.filter((part) => kindOf(part) === kind);
  const calls = ofKind('call').map((part, number) => {
    const call = callIn(part)!;
    const input = { id: callId(call, from, number), name: call.name, input: call.args };
    return functionCall(input, { format: 'gemini', index: from }, 'functionCall whose args');
  });
  const thoughts = ofKind('thought').map((part) => fieldsOf(part).text);
  const message = assistantMessage(
    answerContent(asParts(ofKind('said'))),
    calls,
    thoughts.filter((text) => typeof text === 'string'),
  );
  const pieces = run.map((content, at) => ({ index: from + at, blocks: partsOf(content).map((_, block) => block) }));
  return [{ message, pieces }];
}

/** The words of an answer. A stream divides them anywhere, so texts are joined as they are. */
function answerContent(said: readonly Part[]): Content {
  if (said.length === 0) return null;
  const texts = said.map((part) => fieldsOf(part).text);
  return texts.every((text) => typeof text === 'string') ? texts.join('') : contentOf(said, viewPart);
}

/** Creates a tool message for each result, and user messages for the parts between them. */
function userUnits(content: GeminiContent, index: number, calls: readonly OpenCall[]): readonly Unit[] {
  const units: Unit[] = [];
  const parts = partsOf(content);
  const open = new OpenCalls(calls);
  let own: number[] = [];
  const flush = (): void => {
    if (own.length === 0) return;
    const said = asParts(own.map((at) => parts[at]!));
    units.push({ message: { role: 'user', content: contentOf(said, viewPart) }, pieces: [{ index, blocks: own }] });
    own = [];
  };
  parts.forEach((part, at) => {
    const response = responseIn(part);
    if (!response) {
      own.push(at);
      return;
    }
    flush();
    const id = open.answer(callId(response, index, at), responseName(response));
    const message: Message = { role: 'tool', tool_call_id: id, content: responseContent(response) };
    units.push({ message, pieces: [{ index, blocks: [at] }] });
  });
  flush();
  return units.length > 0 ? units : [{ message: { role: 'user', content: [] }, pieces: [{ index, blocks: [] }] }];
}

function callsOf(units: readonly Unit[]): readonly OpenCall[] {
  return units.flatMap(({ message }) => openCallsOf(message));
}

function withoutAnswered(calls: readonly OpenCall[], units: readonly Unit[]): readonly OpenCall[] {
  const answered = new Set(units.map(({ message }) => message.tool_call_id));
  return calls.filter(({ id }) => !answered.has(id));
}

function asParts(parts: readonly object[]): readonly Part[] {
  return parts as readonly Part[];
}
