import { type Dialect, type Message, repairToolPairs } from '@palimpsest/core';
import { unmarked } from './cache-marks.ts';
import { distinctCalls } from './distinct-calls.ts';
import { repairMessage } from './repair-message.ts';
import { withoutTodo } from './todo-snapshot.ts';

/** Which form of a message is sent when no edit touches it. */
type Stance =
  /** The caller's object: what was cleaned away does no harm. */
  | 'given'
  /** The caller's object until a compaction is in effect, which brings a todo snapshot of its own. */
  | 'given-until-compacted'
  /** The message as it stands here: it was repaired. */
  | 'cleaned';

/** A caller's conversation made fit to work on: marks that wander left out, broken parts repaired. */
export interface Intake {
  readonly source: readonly Message[];
  /** What checkpoints and engines are relative to. */
  readonly messages: readonly Message[];
  /** Index in `source` of each message; -1 for one that was written here. */
  readonly from: readonly number[];
  readonly stance: readonly Stance[];
  /** What was repaired, and how often. Empty when nothing was broken. */
  readonly repairs: Readonly<Record<string, number>>;
}

interface Cleaned {
  readonly content: unknown;
  readonly calls: unknown;
  readonly parts: number;
  readonly message: Message | null;
  readonly stance: Stance;
  readonly repair: string | null;
}

/** Makes the function that takes a caller's messages in. It remembers what it made of each object, so that a growing conversation costs its new messages. */
export function createIntake(dialect: Dialect): (source: readonly Message[]) => Intake {
  const known = new WeakMap<Message, Cleaned>();

  const clean = (message: Message): Cleaned => {
    const { content, tool_calls: calls } = message;
    const parts = Array.isArray(content) ? content.length : 0;
    const before = known.get(message);
    if (before && before.content === content && before.calls === calls && before.parts === parts) return before;
    const plain = unmarked(message);
    const own = withoutTodo(plain);
    const { message: repaired, repair } = own ? repairMessage(own) : { message: null, repair: null };
    const stance: Stance = repair !== null ? 'cleaned' : own === plain ? 'given' : 'given-until-compacted';
    const cleaned = { content, calls, parts, message: repaired, stance, repair };
    known.set(message, cleaned);
    return cleaned;
  };

  return (source) => {
    const repairs: Record<string, number> = {};
    const count = (repair: string): void => {
      repairs[repair] = (repairs[repair] ?? 0) + 1;
    };
    const single: Message[] = [];
    const from: number[] = [];
    const stance: Stance[] = [];
    const places = new Map<Message, number>();
    source.forEach((given, at) => {
      const cleaned = clean(given);
      if (cleaned.repair) count(cleaned.repair);
      if (!cleaned.message) return;
      // The same object twice would be told apart by nothing; a copy is.
      const message = places.has(cleaned.message) ? { ...cleaned.message } : cleaned.message;
      places.set(message, single.length);
      single.push(message);
      from.push(at);
      stance.push(cleaned.stance);
    });
    const distinct = distinctCalls(single);
    for (const at of distinct.changed) {
      stance[at] = 'cleaned';
      places.set(distinct.messages[at]!, at);
      count('call-id-changed');
    }
    const paired = repairToolPairs(distinct.messages, { dialect });
    for (const { action } of paired.repairs) count(action);
    if (paired.messages === distinct.messages) return { source, messages: distinct.messages, from, stance, repairs };
    // Results written for calls without one, and messages whose calls were removed, are new objects.
    const origin = paired.messages.map((message) => places.get(message as Message) ?? -1);
    return {
      source,
      messages: paired.messages as readonly Message[],
      from: origin.map((place) => (place < 0 ? -1 : from[place]!)),
      stance: origin.map((place) => (place < 0 ? 'cleaned' : stance[place]!)),
      repairs,
    };
  };
}
