import {
  type Carried,
  type Edit,
  type Inserted,
  isSystem,
  isTextPart,
  type Message,
  type Part,
  type ReplaceEdit,
  type RewriteEdit,
  readHandoff,
  toolCalls,
} from '@palimpsest/core';
import { type Group, groupMessages, prependHandoff, quoteText, writeHandoff } from '@palimpsest/core/authoring';
import { type Random, random } from '../../src/transcripts/random.ts';

/** A replace edit whose insertions can still be changed. */
type OpenReplace = Omit<ReplaceEdit, 'with'> & { with: { handoff: string; quote: Carried[]; carry: Carried[] }[] };

/**
 * A valid plan for these messages that follows from the seed alone: rewrites, drops, insertions, replacements. It carries
 * and quotes messages: of its own groups, of others, and kept ones. Of a handoff, it rewrites pictures only.
 */
export function planFor(messages: readonly Message[], seed: number): Edit[] {
  const from = random(seed);
  const groups = groupMessages(messages);
  const replaces: OpenReplace[] = [];
  const rewrites: RewriteEdit[] = [];
  const removed: number[] = [];
  const replace = (first: number, last: number, count: number): void => {
    const reason = { code: from.pick(['summarize', 'drop']), note: `edit ${replaces.length}` };
    const inserted = Array.from({ length: count }, () => ({
      handoff: writeHandoff(`Notes ${from.below(99)}.`),
      quote: [],
      carry: [],
    }));
    replaces.push({ kind: 'replace', groups: [first, last], with: inserted, reasons: [reason] });
  };
  for (let group = 0; group <= groups.length; group++) {
    if (from.chance(8)) replace(group, group, 1 + from.below(2));
    if (group === groups.length) break;
    if (from.chance(20)) {
      const last = Math.min(groups.length, group + 1 + from.below(4));
      removed.push(...usersIn(messages, groups.slice(group, last)));
      replace(group, last, from.below(3));
      group = last - 1;
    } else {
      const { from: start, to } = groups[group]!;
      for (let at = start; at < to; at++)
        if (from.chance(25)) {
          const edit = rewrite(messages[at]!, at, from);
          if (edit) rewrites.push(edit);
        }
    }
  }
  const inserted = replaces.flatMap((edit) => edit.with);
  const kept = usersIn(messages, groups).filter((at) => !removed.includes(at) && from.chance(10));
  for (const at of inserted.length === 0 ? [] : [...removed, ...kept]) {
    if (from.chance(40)) continue;
    const { quote, carry } = from.pick(inserted);
    const list = from.chance(30) ? quote : carry;
    if (from.chance(80)) list.push(carried(messages[at]!, at, from));
    else list.unshift(carried(messages[at]!, at, from));
  }
  const closed = replaces.map((edit): ReplaceEdit => {
    const written = edit.with.map(({ quote, ...one }): Inserted => (quote.length > 0 ? { ...one, quote } : one));
    return { ...edit, with: written };
  });
  const edits = [...closed, ...rewrites];
  // A plan is a set of edits; the order they stand in means nothing.
  return from.chance(50) ? edits.reverse() : edits;
}

/** The transcript with users' messages that are hard to carry: parts, handoffs, text that looks like a quoted block. */
export function withOddUsers(messages: readonly Message[], seed: number): Message[] {
  const from = random(seed);
  const text = (words: string): Part => ({ type: 'text', text: words }) as Part;
  const marked = (words: string): Part => ({ ...text(words), cache_control: { type: 'ephemeral' } }) as Part;
  const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } } as Part;
  const quote = quoteText('It is late.', 'harness-message');
  const handoff = writeHandoff('Earlier notes.');
  const contents: readonly (string | readonly Part[] | null)[] = [
    null,
    ' ',
    '\n\nFix it.',
    `${quote}\n\nFix it.`,
    `${quote}\n\n${quote}`,
    quoteText('', 'harness-message'),
    prependHandoff(handoff, 'Fix it.'),
    prependHandoff(handoff, `${quote}\n\nFix it.`),
    prependHandoff(handoff, [image, text(`${quote}\n\nFix it.`)]),
    prependHandoff(handoff, [image, text(quote), text('Fix it.')]),
    prependHandoff(handoff, [text('Fix it.'), text(quote), image]),
    prependHandoff(handoff, ''),
    [image],
    [image, text(quote), text('Fix it.')],
    [text('Look.'), image, text('Fix it.')],
    [text('Look.'), text('Fix it.')],
    [marked('Look.'), text(' '), image, marked('Fix it.')],
    [text('Look.')],
  ];
  return messages.map((message) => {
    if (message.role !== 'user' || from.chance(40)) return message;
    const content = from.pick(contents) as Message['content'];
    return from.chance(30) ? { ...message, content, name: from.pick(['ada', 'bob']) } : { ...message, content };
  });
}

function usersIn(messages: readonly Message[], groups: readonly Group[]): number[] {
  const found: number[] = [];
  for (const { from, to } of groups)
    for (let at = from; at < to; at++) if (messages[at]!.role === 'user' && !isSystem(messages[at]!)) found.push(at);
  return found;
}

/** A message to carry: as it is, without its first characters, or with other content. */
function carried(message: Message, at: number, from: Random): Carried {
  const edit = from.chance(20) ? rewrite(message, at, from) : null;
  if (edit?.set.content) return { at, content: edit.set.content };
  const { content } = message;
  const first = typeof content === 'string' ? content : content?.[0] && isTextPart(content[0]) ? content[0].text : '';
  if (first === '' || readHandoff(message) || from.chance(85)) return at;
  return { at, skip: from.below(first.length + 1) };
}

function rewrite(message: Message, at: number, from: Random): RewriteEdit | null {
  const reasons = [{ code: 'stub', note: `rewrite ${from.below(9)}` }];
  if (readHandoff(message)) {
    const { content } = message;
    if (!Array.isArray(content)) return null;
    const removed = { type: 'text', text: '[image removed]' } as Part;
    const parts = (content as readonly Part[]).map((part) => (isTextPart(part) || from.chance(30) ? part : removed));
    return { kind: 'rewrite', at, set: { content: parts as Part[] }, reasons };
  }
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
