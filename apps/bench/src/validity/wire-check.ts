import {
  type Dialect,
  hasToolCalls,
  isSystem,
  isToolResult,
  type Message,
  toolCalls,
  validateTranscript,
} from '@palimpsest/core';
import { type AnthropicConversation, aiSdk, anthropic, type Codec, openaiResponses } from '@palimpsest/formats';

/** One thing a provider would refuse: by which rule, and the messages it was judged on. */
export interface Fault {
  readonly rule: string;
  readonly messages: readonly unknown[];
}

/** One way to read a prompt as strictly as somebody who refuses it. */
export interface WireCheck {
  readonly name: string;
  /**
   * True if outputs of inputs with faults are judged, too: the faults name the messages they were judged on, so those
   * that were there before are known again. False if only outputs of valid inputs are judged.
   */
  readonly traceable: boolean;
  faultsOf(messages: readonly Message[]): readonly Fault[];
}

/**
 * The readers: core's own for its three dialects; walks of our own here that share nothing with core's; and what
 * `formats` writes of the messages in other wire formats, read by the validators of those.
 */
export const wireChecks: readonly WireCheck[] = [
  { name: 'OpenAI chat: calls and results, JSON, emptiness', traceable: true, faultsOf: byCore('openai') },
  { name: 'Anthropic: roles alternate', traceable: true, faultsOf: byCore('anthropic') },
  // Outside the `strict` dialect, a transcript that already has two user turns in a row keeps its tail as it is.
  { name: 'strict chat templates', traceable: false, faultsOf: byCore('strict') },
  { name: 'pairs of calls and results, walked apart', traceable: false, faultsOf: brokenPair },
  { name: 'template in the manner of Mistral', traceable: false, faultsOf: mistralRaises },
  { name: 'template in the manner of Gemma', traceable: false, faultsOf: gemmaRaises },
  { name: 'Anthropic Messages, written by formats', traceable: false, faultsOf: byCodec(anthropic) },
  { name: 'OpenAI Responses, written by formats', traceable: false, faultsOf: byCodec(openaiResponses) },
  { name: 'AI SDK, written by formats', traceable: false, faultsOf: byCodec(aiSdk) },
];

/** The reader for engines whose host has the `strict` dialect. */
export const strictCheck: WireCheck = {
  name: 'strict chat templates, in the strict dialect',
  traceable: true,
  faultsOf: byCore('strict'),
};

/**
 * The faults of an output that its input did not have on the same messages.
 * @param sources by message of the output, the one of the input that it was; none for one that is the very object
 */
export function ownFaults(
  before: readonly Fault[],
  after: readonly Fault[],
  sources: ReadonlyMap<unknown, unknown> = new Map(),
): readonly Fault[] {
  const source = (message: unknown): unknown => sources.get(message) ?? message;
  return after.filter(
    ({ rule, messages }) =>
      !before.some(
        (known) =>
          known.rule === rule &&
          known.messages.length === messages.length &&
          messages.every((message, at) => source(message) === known.messages[at]),
      ),
  );
}

/** What the Messages API would refuse of a native conversation. */
export function anthropicFaults(native: AnthropicConversation): readonly Fault[] {
  return anthropic.validate(native).map(({ index, rule }) => ({ rule, messages: [native.messages[index] ?? null] }));
}

function byCore(dialect: Dialect): WireCheck['faultsOf'] {
  return (messages) =>
    validateTranscript(messages, { dialect }).map(({ rule, index, involved }) => ({
      // A call without a result may get a stray one in sight when what stood between them goes: the same broken call.
      rule: rule === 'result-misplaced' ? 'call-unanswered' : rule,
      messages: (rule === 'roles-not-alternating' ? involved : [index]).map((at) => messages[at]),
    }));
}

/** Messages written anew are nobody's identical objects: only whether anything is refused can be told. */
function byCodec<Native>(codec: Codec<Native>): WireCheck['faultsOf'] {
  return (messages) => codec.validate(codec.fromMessages(messages)).map(({ rule }) => ({ rule, messages: [] }));
}

function brokenPair(messages: readonly Message[]): readonly Fault[] {
  let open: Set<string> | null = null;
  let legacy = false;
  for (const message of messages) {
    if (isToolResult(message)) {
      const answers = message.role === 'function' ? legacy : Boolean(open?.delete(message.tool_call_id ?? ''));
      if (!answers) return [{ rule: 'answers nothing', messages: [message] }];
      continue;
    }
    if (open && open.size > 0) return [{ rule: 'unanswered', messages: [message] }];
    open = hasToolCalls(message) ? new Set(toolCalls(message).map(({ id }) => id)) : null;
    legacy = Boolean(message.role === 'assistant' && message.function_call);
  }
  return [];
}

/** One system message at most, first; then user and assistant by turns, calls and results not counted. */
function mistralRaises(messages: readonly Message[]): readonly Fault[] {
  let turn = 0;
  for (const message of isSystem(messages[0] ?? { role: 'user' }) ? messages.slice(1) : messages) {
    if (isToolResult(message) || (message.role === 'assistant' && hasToolCalls(message))) continue;
    if (message.role !== 'user' && message.role !== 'assistant') return [{ rule: 'role', messages: [message] }];
    if ((message.role === 'user') !== (turn % 2 === 0)) return [{ rule: 'order', messages: [message] }];
    turn++;
  }
  return [];
}

/** User and assistant by turns and nothing else, the system prompt being part of the first: no tools, only text. */
function gemmaRaises(messages: readonly Message[]): readonly Fault[] {
  const turns = isSystem(messages[0] ?? { role: 'user' }) ? messages.slice(1) : messages;
  const at = turns.findIndex(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant'));
  return at < 0 ? [] : [{ rule: 'order', messages: [turns[at]] }];
}
