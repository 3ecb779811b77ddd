import {
  type Edit,
  type Inserted,
  type Message,
  type ReplaceEdit,
  type RewriteEdit,
  toolCalls,
} from '@palimpsest/core';
import { groupMessages, insertedUser } from '@palimpsest/core/authoring';
import { type Random, random } from '../../src/random.ts';

/** A valid plan for these messages that follows from the seed alone: rewrites, drops, insertions, replacements, carries. */
export function planFor(messages: readonly Message[], seed: number): Edit[] {
  const from = random(seed);
  const groups = groupMessages(messages);
  const edits: Edit[] = [];
  const replace = (
    first: number,
    last: number,
    written: readonly Inserted[],
    carries: readonly number[] = [],
  ): void => {
    const reason = { code: from.pick(['summarize', 'drop']), note: `edit ${edits.length}` };
    const edit: ReplaceEdit = { kind: 'replace', groups: [first, last], with: written, reasons: [reason] };
    edits.push(carries.length > 0 ? { ...edit, carries } : edit);
  };
  for (let group = 0; group <= groups.length; group++) {
    if (from.chance(8)) replace(group, group, inserted(from, 1 + from.below(2)));
    if (group === groups.length) break;
    const { from: start, to } = groups[group]!;
    if (from.chance(20)) {
      const last = Math.min(groups.length, group + 1 + from.below(4));
      const end = groups[last - 1]!.to;
      const own = messages.slice(start, end).findIndex((message) => message.role === 'user' && filled(message));
      if (own >= 0 && from.chance(40))
        replace(group, last, [insertedUser(messages[start + own]!.content!)], [start + own]);
      else replace(group, last, inserted(from, from.below(3)));
      group = last - 1;
    } else {
      for (let at = start; at < to; at++) if (from.chance(25)) edits.push(rewrite(messages[at]!, at, from));
    }
  }
  // A plan is a set of edits; the order they stand in means nothing.
  return from.chance(50) ? edits.reverse() : edits;
}

function filled(message: Message): boolean {
  return typeof message.content === 'string' && message.content.trim() !== '';
}

function inserted(from: Random, count: number): Inserted[] {
  return Array.from({ length: count }, () =>
    from.chance(50)
      ? { role: 'user', content: `inserted ${from.below(99)}` }
      : { role: 'assistant', content: `noted ${from.below(99)}` },
  );
}

function rewrite(message: Message, at: number, from: Random): RewriteEdit {
  const reasons = [{ code: 'stub', note: `rewrite ${from.below(9)}` }];
  const calls = toolCalls(message);
  if (calls.length > 0 && from.chance(60)) {
    const shorter = calls.map((call) =>
      call.type === 'custom'
        ? { ...call, custom: { ...call.custom, input: `${from.below(9)}` } }
        : { ...call, function: { ...call.function, arguments: `{"short":${from.below(9)}}` } },
    );
    return { kind: 'rewrite', at, set: { tool_calls: shorter, reasoning_content: null }, reasons };
  }
  const content = from.pick([`stub ${from.below(99)}`, [{ type: 'text', text: `stub ${from.below(99)}` }]]);
  return { kind: 'rewrite', at, set: from.chance(20) ? { content, reasoning_content: null } : { content }, reasons };
}
