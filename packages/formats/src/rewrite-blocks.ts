import { type Message, type Part, type ToolCall, toolCallInput, toolCalls } from '@palimpsest/core';
import { sameContent, textOf } from './content.ts';
import type { Grammar } from './grammar.ts';
import { hasMarks } from './marks.ts';
import { fieldsOf } from './record.ts';

/** Returns the blocks of one core message after an edit. Blocks that the edit does not touch are the same objects, in order. */
export function rewriteBlocks(
  grammar: Grammar,
  blocks: string | readonly Part[],
  before: Message,
  after: Message,
): string | readonly Part[] {
  if (typeof blocks === 'string')
    return typeof after.content === 'string' ? after.content : grammar.contentBlocks(after.content);
  const kinds = grammar.kindsOf(blocks);
  const isChanged = !sameContent(before.content, after.content);
  const said = isChanged ? rewriteSaid(grammar, blocks, before, after) : [];
  // An empty `reasoning_content` also removes encrypted thoughts, which have no text.
  const changesThoughts = Boolean(before.reasoning_content) || 'reasoning_content' in after;
  const dropsThoughts = changesThoughts && !after.reasoning_content;
  const rewritten: Part[] = [];
  // If the message had no text, a new text is placed after the thoughts and before the calls.
  const saidAt = kinds.includes('said') ? kinds.indexOf('said') : kinds.filter((kind) => kind === 'thought').length;
  let call = 0;
  blocks.forEach((block, at) => {
    const kind = kinds[at]!;
    if (at === saidAt) for (const part of said) rewritten.push(part);
    if (kind === 'call') rewritten.push(rewriteCall(grammar, block, toolCalls(before)[call], toolCalls(after)[call++]));
    else if (kind === 'result') rewritten.push(isChanged ? grammar.withContent(block, after.content) : block);
    else if (kind === 'aside' || (kind === 'thought' ? !dropsThoughts : !isChanged)) rewritten.push(block);
  });
  if (saidAt >= blocks.length) for (const part of said) rewritten.push(part);
  return rewritten;
}

function rewriteCall(grammar: Grammar, block: Part, old: ToolCall | undefined, next: ToolCall | undefined): Part {
  if (!old || !next || toolCallInput(old) === toolCallInput(next)) return block;
  return grammar.withInput(block, toolCallInput(next));
}

function rewriteSaid(grammar: Grammar, blocks: readonly Part[], before: Message, after: Message): readonly Part[] {
  const kinds = grammar.kindsOf(blocks);
  if (kinds.includes('result')) return [];
  const said = blocks.filter((_, at) => kinds[at] === 'said');
  if (typeof after.content !== 'string') return grammar.contentBlocks(after.content, grammar.poolOf(said));
  const old = typeof before.content === 'string' ? before.content : said.map(textOf).join('\n');
  // If text was only appended, the existing blocks keep their cache marks.
  if (said.length > 1 && after.content.startsWith(old))
    return [...said, ...grammar.contentBlocks(after.content.slice(old.length).trimStart())];
  const texts = said.filter(({ type }) => type === 'text');
  // One text replaces all of them, so it gets the mark behind the last one.
  const text = texts.findLast(hasMarks) ?? texts[0];
  if (!text || after.content === '') return grammar.contentBlocks(after.content);
  const { citations: _, ...envelope } = fieldsOf(text);
  return [{ ...envelope, type: 'text', text: after.content } as Part];
}
