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

/** One fault that a provider would reject: the violated rule and the messages involved. */
export interface Fault {
  readonly rule: string;
  readonly messages: readonly unknown[];
}

/** One strict validation of a prompt. */
interface WireCheck {
  readonly name: string;
  /**
   * True if outputs of faulty inputs are validated, too. This requires faults that name their messages, so that existing
   * faults are recognized. False if only outputs of valid inputs are validated.
   */
  readonly traceable: boolean;
  faultsOf(messages: readonly Message[]): readonly Fault[];
}

/**
 * All validations: core's own for its three dialects; independent implementations in this file, which share no code with
 * core; and the validators of other wire formats, applied to the messages as `formats` encodes them.
 */
export const wireChecks: readonly WireCheck[] = [
  { name: 'OpenAI chat: tool pairs, JSON, empty messages', traceable: true, faultsOf: byCore('openai') },
  { name: 'Anthropic: roles alternate', traceable: true, faultsOf: byCore('anthropic') },
  // Outside the `strict` dialect, a transcript that already has two user turns in a row keeps its tail as it is.
  { name: 'strict chat templates', traceable: false, faultsOf: byCore('strict') },
  { name: 'tool pairs, checked independently', traceable: false, faultsOf: brokenPair },
  { name: 'Mistral-style chat template', traceable: false, faultsOf: mistralRaises },
  { name: 'Gemma-style chat template', traceable: false, faultsOf: gemmaRaises },
  { name: 'Anthropic Messages, encoded by formats', traceable: false, faultsOf: byCodec(anthropic) },
  { name: 'OpenAI Responses, encoded by formats', traceable: false, faultsOf: byCodec(openaiResponses) },
  { name: 'AI SDK, encoded by formats', traceable: false, faultsOf: byCodec(aiSdk) },
];

/** Validation for engines whose host uses the `strict` dialect. */
export const strictCheck: WireCheck = {
  name: 'strict chat templates, in the strict dialect',
  traceable: true,
  faultsOf: byCore('strict'),
};

/**
 * Returns the faults of an output that its input did not have on the same messages.
 * @param sources maps changed output messages to their input messages; unchanged message objects need no entry
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

/** Returns the faults for which the Messages API would reject a native conversation. */
export function anthropicFaults(native: AnthropicConversation): readonly Fault[] {
  return anthropic.validate(native).map(({ index, rule }) => ({ rule, messages: [native.messages[index] ?? null] }));
}

function byCore(dialect: Dialect): WireCheck['faultsOf'] {
  return (messages) =>
    validateTranscript(messages, { dialect }).map(({ rule, index, involved }) => ({
      // Removing messages between an unanswered call and a stray result changes the rule, but it is the same broken call.
      rule: rule === 'result-misplaced' ? 'call-unanswered' : rule,
      messages: (rule === 'roles-not-alternating' ? involved : [index]).map((at) => messages[at]),
    }));
}

/** Encoded messages are new objects and cannot be traced to their sources, so the faults name no messages. */
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

/** Requires at most one system message, first; then alternating user and assistant messages, ignoring calls and results. */
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

/** Requires strictly alternating user and assistant messages after an optional system prompt; no tools. */
function gemmaRaises(messages: readonly Message[]): readonly Fault[] {
  const turns = isSystem(messages[0] ?? { role: 'user' }) ? messages.slice(1) : messages;
  const at = turns.findIndex(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant'));
  return at < 0 ? [] : [{ rule: 'order', messages: [turns[at]] }];
}
