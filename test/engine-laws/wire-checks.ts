import {
  type Dialect,
  hasToolCalls,
  isSystem,
  isToolResult,
  type Message,
  toolCalls,
  validateTranscript,
} from '@palimpsest/core';

/** One fault that a provider would reject: the violated rule and the messages involved. */
interface Fault {
  readonly rule: string;
  readonly messages: readonly unknown[];
}

type FaultsOf = (messages: readonly Message[]) => readonly Fault[];

/**
 * Core's own validation, and independent implementations that share no code with it. The other wire formats are validated in the
 * tests of `formats`.
 */
const checks: Readonly<Record<string, FaultsOf>> = {
  'OpenAI chat: tool pairs, JSON, empty messages': byCore('openai'),
  'Anthropic: roles alternate': byCore('anthropic'),
  'strict chat templates': byCore('strict'),
  'tool pairs, checked independently': brokenPair,
  'Mistral-style chat template': mistralRaises,
  'Gemma-style chat template': gemmaRaises,
};

/**
 * Checks whose faults name their messages, so that those of the input are recognized in the output. The others only apply to
 * valid inputs. Outside the `strict` dialect, a transcript that already has two user turns in a row keeps its tail as it is.
 */
const isTraceable = (check: FaultsOf, dialect: Dialect): boolean =>
  check === checks['OpenAI chat: tool pairs, JSON, empty messages'] ||
  check === checks['Anthropic: roles alternate'] ||
  (check === checks['strict chat templates'] && dialect === 'strict');

/**
 * Returns the faults of an output that its input did not have on the same messages.
 * @param run.sources maps changed output messages to their input messages; unchanged message objects need no entry
 * @param run.dialect the dialect of the engine's host
 */
export function newFaults(
  input: readonly Message[],
  output: readonly Message[],
  { sources, dialect }: { readonly sources: ReadonlyMap<unknown, unknown>; readonly dialect: Dialect },
): string[] {
  const source = (message: unknown): unknown => sources.get(message) ?? message;
  return Object.entries(checks).flatMap(([name, check]) => {
    const before = check(input);
    if (before.length > 0 && !isTraceable(check, dialect)) return [];
    const isKnown = ({ rule, messages }: Fault): boolean =>
      before.some(
        (known) =>
          known.rule === rule &&
          known.messages.length === messages.length &&
          messages.every((message, at) => source(message) === known.messages[at]),
      );
    return check(output).flatMap((fault) => (isKnown(fault) ? [] : [`${name}: ${fault.rule}`]));
  });
}

function byCore(dialect: Dialect): FaultsOf {
  return (messages) =>
    validateTranscript(messages, { dialect }).map(({ rule, index, involved }) => ({
      // Removing messages between an unanswered call and a stray result changes the rule, but it is the same broken call.
      rule: rule === 'result-misplaced' ? 'call-unanswered' : rule,
      // Strict templates skip the results that stay in front of a request. A turn before them may be summarized, and the handoff
      // takes its place in the fault.
      messages: (rule === 'roles-not-alternating' && dialect !== 'strict' ? involved : [index]).map(
        (at) => messages[at],
      ),
    }));
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
