import { type Dialect, isToolResult, type Message, repairToolPairs, toolCalls } from '@palimpsest/core';
import { repairMessage } from './repair-message.ts';
import { withoutCacheMarks } from './strip-cache-marks.ts';
import { withoutTodo } from './todo-snapshot.ts';

/** The form in which an unedited message is sent. */
type MessageForm =
  /** The caller's object. Only cache marks were removed from the copy, and sending them is harmless. */
  | 'given'
  /** The caller's object until a compaction takes effect, which adds its own todo snapshot. */
  | 'given-until-compacted'
  /** The copy, because it was repaired. */
  | 'repaired';

/** A caller's conversation, prepared for the engine: cache marks removed, broken parts repaired. */
export interface Intake {
  readonly source: readonly Message[];
  /** The repaired messages. Checkpoints and engines work on these. */
  readonly messages: readonly Message[];
  /** Index in `source` of each message; -1 for one that was added. */
  readonly from: readonly number[];
  readonly form: readonly MessageForm[];
  /** Number of repairs by kind. Empty when nothing was broken. */
  readonly repairs: Readonly<Record<string, number>>;
}

/** A message without cache marks and with its own repairs, along with the fields it was made from. */
interface CleanedMessage {
  readonly content: unknown;
  readonly calls: unknown;
  readonly parts: number;
  /** `null` for a message that was only a todo snapshot. */
  readonly message: Message | null;
  readonly form: MessageForm;
  readonly repair: string | null;
}

type CleanedMessages = WeakMap<Message, CleanedMessage>;

/**
 * Creates the function that prepares a caller's messages. It caches the result for each message object, so that the work
 * for a growing conversation is proportional to its new messages.
 */
export function createIntake(dialect: Dialect): (source: readonly Message[]) => Intake {
  const known: CleanedMessages = new WeakMap();
  return (source) => takeIn(source, known, dialect);
}

function takeIn(source: readonly Message[], known: CleanedMessages, dialect: Dialect): Intake {
  const repairs: Record<string, number> = {};
  const count = (repair: string): void => {
    repairs[repair] = (repairs[repair] ?? 0) + 1;
  };
  const single: Message[] = [];
  const from: number[] = [];
  const form: MessageForm[] = [];
  const places = new Map<Message, number>();
  source.forEach((given, at) => {
    const cleaned = cleanOnce(given, known);
    if (cleaned.repair) count(cleaned.repair);
    if (!cleaned.message) return;
    // The same object twice could not be told apart, so the second one is copied.
    const message = places.has(cleaned.message) ? { ...cleaned.message } : cleaned.message;
    places.set(message, single.length);
    single.push(message);
    from.push(at);
    form.push(cleaned.form);
  });
  const distinct = distinctCalls(single);
  for (const at of distinct.changed) {
    form[at] = 'repaired';
    places.set(distinct.messages[at]!, at);
    count('call-id-changed');
  }
  const paired = repairToolPairs(distinct.messages, { dialect });
  for (const { action } of paired.repairs) count(action);
  if (paired.messages === distinct.messages) return { source, messages: distinct.messages, from, form, repairs };
  // Added results, and messages whose calls were removed, are new objects.
  const origin = paired.messages.map((message) => places.get(message as Message) ?? -1);
  return {
    source,
    messages: paired.messages as readonly Message[],
    from: origin.map((place) => (place < 0 ? -1 : from[place]!)),
    form: origin.map((place) => (place < 0 ? 'repaired' : form[place]!)),
    repairs,
  };
}

/** Cleans a message, or returns the cached result. A change inside a part of the message is not noticed. */
function cleanOnce(message: Message, known: CleanedMessages): CleanedMessage {
  const { content, tool_calls: calls } = message;
  const parts = Array.isArray(content) ? content.length : 0;
  const before = known.get(message);
  if (before && before.content === content && before.calls === calls && before.parts === parts) return before;
  const plain = withoutCacheMarks(message);
  const own = withoutTodo(plain);
  const { message: repaired, repair } = own ? repairMessage(own) : { message: null, repair: null };
  const form: MessageForm = repair !== null ? 'repaired' : own === plain ? 'given' : 'given-until-compacted';
  const cleaned = { content, calls, parts, message: repaired, form, repair };
  known.set(message, cleaned);
  return cleaned;
}

/**
 * Gives calls of one message that share an id different ids, and renames the ids of their results in the same order. Ids
 * that repeat across messages stay, because every provider accepts them.
 * @returns the array itself when no message repeats an id
 */
function distinctCalls(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly changed: ReadonlySet<number>;
} {
  const changed = new Set<number>();
  let output: Message[] | null = null;
  messages.forEach((message, at) => {
    const calls = toolCalls(message);
    if (calls.length < 2 || new Set(calls.map(({ id }) => id)).size === calls.length) return;
    output ??= [...messages];
    const taken = new Set<string>();
    const renamed = calls.map((call) => {
      let id = call.id;
      for (let copy = 2; taken.has(id); copy++) id = `${call.id}_${copy}`;
      taken.add(id);
      return { before: call.id, id, call: id === call.id ? call : { ...call, id } };
    });
    output[at] = { ...message, tool_calls: renamed.map(({ call }) => call) };
    changed.add(at);
    const open = [...renamed];
    for (let next = at + 1; next < messages.length && isToolResult(messages[next]!); next++) {
      const answered = open.findIndex(({ before }) => before === messages[next]!.tool_call_id);
      const [match] = answered < 0 ? [] : open.splice(answered, 1);
      if (!match || match.id === match.before) continue;
      output[next] = { ...messages[next]!, tool_call_id: match.id };
      changed.add(next);
    }
  });
  return { messages: output ?? messages, changed };
}
