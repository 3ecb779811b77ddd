import {
  type Content,
  contentText,
  isTextPart,
  type Message,
  type Part,
  toolCallInput,
  toolCalls,
} from '@palimpsest/core';
import { isRecord, jsonText } from '@palimpsest/core/authoring';
import { PartPool, sameContent } from '../content.ts';
import { type ItemReader, withoutLoneThoughts } from '../lone-thoughts.ts';
import { nativeOf } from '../marks.ts';
import { fieldsOf } from '../record.ts';
import type { ResponsesItem } from './conversation.ts';
import { actionField, isSaid, ownCalls } from './decode.ts';
import { callIdOf, kindOf } from './item.ts';
import { asParts } from './write.ts';

/** Returns the items of one core message after an edit. Items that the edit does not touch are the same objects. */
export function rewriteItems(
  items: readonly ResponsesItem[],
  before: Message,
  after: Message,
): readonly ResponsesItem[] {
  const contentChanged = !sameContent(before.content, after.content);
  const [first] = items;
  if (before.role === 'tool')
    return items.map((item) => (item === first && contentChanged ? rewriteOutput(item, after.content) : item));
  // An empty `reasoning_content` also removes encrypted thoughts, which have no text.
  const changesThoughts = Boolean(before.reasoning_content) || 'reasoning_content' in after;
  const dropsThoughts = changesThoughts && !after.reasoning_content;
  const inputs = rewriteCalls(items, before, after);
  const saidAt = contentChanged ? Math.max(0, items.findIndex(isSaid)) : -1;
  // If the message had no text, a new text is placed after the thoughts and before the calls.
  const at = contentChanged && !items.some(isSaid) ? items.filter((item) => kindOf(item) === 'thought').length : saidAt;
  const rewritten: ResponsesItem[] = [];
  items.forEach((item, index) => {
    if (index === at) for (const said of rewriteSaid(items.filter(isSaid), after.content)) rewritten.push(said);
    if (kindOf(item) === 'thought' && dropsThoughts) return;
    if (contentChanged && isSaid(item)) return;
    const next = inputs.get(index) ?? item;
    rewritten.push(dropsThoughts ? withoutId(next) : next);
  });
  if (at >= items.length) for (const said of rewriteSaid([], after.content)) rewritten.push(said);
  if (dropsThoughts) return rewritten;
  const kept = withoutLoneThoughts(items, rewritten, itemReader);
  return kept.length === rewritten.length ? kept : kept.map((item) => (isThought(item) ? item : withoutId(item)));
}

const isThought = (item: ResponsesItem): boolean => kindOf(item) === 'thought';

const itemReader: ItemReader<ResponsesItem> = {
  isThought,
  keyOf(item) {
    if (kindOf(item) === 'call') return callIdOf(item);
    // An edited message keeps its id.
    return kindOf(item) === 'message' ? (fieldsOf(item).id ?? 'message') : item;
  },
};

/** Removes the id of an item whose thought was removed: given the id, the provider would require the thought. */
function withoutId(item: ResponsesItem): ResponsesItem {
  if (kindOf(item) === 'kept') return item;
  const { id: _, ...rest } = fieldsOf(item);
  return rest as ResponsesItem;
}

function rewriteCalls(
  items: readonly ResponsesItem[],
  before: Message,
  after: Message,
): ReadonlyMap<number, ResponsesItem> {
  const old = toolCalls(before);
  const rewritten = new Map<number, ResponsesItem>();
  ownCalls(items).forEach(({ item, at }, call) => {
    const next = toolCalls(after)[call];
    if (next && toolCallInput(next) !== toolCallInput(old[call]!))
      rewritten.set(at, rewriteCall(item, toolCallInput(next)));
  });
  return rewritten;
}

function rewriteCall(item: ResponsesItem, written: string): ResponsesItem {
  if (item.type === 'custom_tool_call') return { ...item, input: written } as ResponsesItem;
  if (typeof fieldsOf(item).arguments === 'string') return { ...item, arguments: written } as ResponsesItem;
  return { ...item, [actionField(item)]: JSON.parse(written) as unknown } as ResponsesItem;
}

/** Writes content into the native message. Hosted calls keep their positions. */
function rewriteSaid(said: readonly ResponsesItem[], content: Content): readonly ResponsesItem[] {
  const envelope = fieldsOf(said.find((item) => kindOf(item) === 'message') ?? { type: 'message', role: 'assistant' });
  const withContent = (own: unknown): ResponsesItem => ({ ...envelope, content: own }) as ResponsesItem;
  // The provider rejects a message without content.
  if (typeof content === 'string' && content.trim() === '') return said.filter((item) => kindOf(item) !== 'message');
  if (typeof content === 'string' && typeof envelope.content === 'string') return [withContent(content)];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as Part] : (content ?? []);
  const texts = said.flatMap((item) => {
    const { content: own } = fieldsOf(item);
    return kindOf(item) === 'message' && Array.isArray(own) ? (own as readonly Part[]) : [];
  });
  const pool = new PartPool(texts);
  const type = envelope.role === 'assistant' ? 'output_text' : 'input_text';
  const hostedOf = itemFinder(said);
  const items: ResponsesItem[] = [];
  let run: Part[] = [];
  const flush = (): void => {
    if (run.length > 0) items.push(withContent(asParts(run, type, pool)));
    run = [];
  };
  for (const part of parts) {
    const hosted = hostedOf(part);
    if (!hosted) run.push(part);
    else {
      flush();
      items.push(hosted);
    }
  }
  flush();
  return items;
}

/** Finds the item a part represents, by identity, or by equal content after serialization as JSON. */
function itemFinder(said: readonly ResponsesItem[]): (part: Part) => ResponsesItem | undefined {
  const hosted = said.filter((item) => kindOf(item) !== 'message');
  const own = new Set<object>(hosted);
  let byText: Map<string, ResponsesItem> | null = null;
  return (part) => {
    if (isTextPart(part) || hosted.length === 0) return undefined;
    const native = nativeOf(part) ?? part;
    if (own.has(native)) return native as ResponsesItem;
    byText ??= new Map(hosted.map((item) => [jsonText(item), item]));
    return byText.get(jsonText(native));
  };
}

/** Rewrites an output, keeping its id and status. Screenshots and approvals cannot contain text, so they stay unchanged. */
function rewriteOutput(item: ResponsesItem, content: Content): ResponsesItem {
  const { type, output } = fieldsOf(item);
  if (type === 'computer_call_output' || type === 'mcp_approval_response') return item;
  if (type === 'shell_call_output') {
    const last = Array.isArray(output) ? (output as unknown[]).at(-1) : null;
    const outcome = isRecord(last) ? last.outcome : { type: 'exit', exit_code: 0 };
    return { ...item, output: [{ stdout: contentText(content), stderr: '', outcome }] } as ResponsesItem;
  }
  if (typeof content === 'string' || type === 'local_shell_call_output' || type === 'apply_patch_call_output')
    return { ...item, output: contentText(content) } as ResponsesItem;
  const pool = new PartPool(Array.isArray(output) ? (output as readonly Part[]) : []);
  return { ...item, output: asParts(content ?? [], 'input_text', pool) } as ResponsesItem;
}
