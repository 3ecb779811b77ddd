import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { Body } from '../wire/wire.ts';
import { amountIn } from './context-management.ts';

/** A body after edits that clear old content, and what the answer reports about them. */
export interface ClearedBody {
  /** The given body if nothing was cleared. */
  readonly body: Body;
  readonly applied: readonly Fields[];
}

/** Returns the size of a request's prompt, in tokens. */
type CountPrompt = (body: Body) => number;

/** Defaults of Anthropic: size of the prompt in tokens from which on tool results are cleared, and how many are kept. */
const clearTrigger = 100_000;
const keptUses = 3;

/** The text in place of a result that was cleared. */
const clearedResult = '[Old tool result content cleared]';

/** Carries out `clear_tool_uses_20250919` and `clear_thinking_20251015` on a request of Anthropic Messages. */
export function clearContent(body: Body, edits: readonly Fields[], count: CountPrompt): ClearedBody {
  let cleared = body;
  let counted: number | null = null;
  const size = (): number => (counted ??= count(cleared));
  const applied: Fields[] = [];
  for (const edit of edits) {
    const done =
      edit.type === 'clear_thinking_20251015' ? clearThinking(cleared, edit) : clearUses(cleared, edit, size);
    if (!done) continue;
    const left = count(done.body);
    const tokens = size() - left;
    if (tokens < done.minTokens) continue;
    cleared = done.body;
    counted = left;
    applied.push({ type: edit.type, ...done.report, cleared_input_tokens: Math.max(0, tokens) });
  }
  return { body: cleared, applied };
}

interface Cleared {
  readonly body: Body;
  readonly report: Fields;
  /** An edit that clears less is not carried out. */
  readonly minTokens: number;
}

function clearUses(body: Body, edit: Fields, promptTokens: () => number): Cleared | null {
  const messages = recordsIn(body.messages);
  const uses = messages.flatMap(({ content }) => recordsIn(content).filter(({ type }) => type === 'tool_use'));
  const limit = amountIn(edit.trigger) ?? clearTrigger;
  const size = fieldsIn(edit.trigger).type === 'tool_uses' ? uses.length : promptTokens();
  if (size <= limit) return null;
  const excluded = new Set(listOf(edit.exclude_tools));
  const kept = amountIn(edit.keep) ?? keptUses;
  // Results in the last message are new to the model.
  const unread = new Set(recordsIn(messages.at(-1)?.content).map(({ tool_use_id: id }) => id));
  const old = uses
    .slice(0, Math.max(0, uses.length - kept))
    .filter(({ id, name }) => !excluded.has(name) && !unread.has(id));
  if (old.length === 0) return null;
  const ids = new Set(old.map(({ id }) => id));
  const inputs = edit.clear_tool_inputs;
  const clearsInput = (name: unknown): boolean => inputs === true || listOf(inputs).includes(name);
  const cleared = mapBlocks(body, (block) => {
    if (block.type === 'tool_result' && ids.has(block.tool_use_id)) return { ...block, content: clearedResult };
    return block.type === 'tool_use' && ids.has(block.id) && clearsInput(block.name) ? { ...block, input: {} } : block;
  });
  return { body: cleared, report: { cleared_tool_uses: old.length }, minTokens: amountIn(edit.clear_at_least) ?? 0 };
}

function clearThinking(body: Body, { keep }: Fields): Cleared | null {
  if (keep === 'all' || fieldsIn(keep).type === 'all') return null;
  const messages = recordsIn(body.messages);
  // A user message that is not only results of tools starts a new turn.
  let turn = 0;
  const turns = messages.map(({ role, content }) => {
    const isSaid = role === 'user' && !recordsIn(content).some(({ type }) => type === 'tool_result');
    return isSaid ? ++turn : turn;
  });
  const cleared = new Set<number>();
  const edited = messages.map((message, at) => {
    const blocks = recordsIn(message.content);
    const rest = blocks.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
    const isOld = turns[at]! <= turn - (amountIn(keep) ?? 1);
    // A message needs content.
    if (!isOld || message.role !== 'assistant' || rest.length === 0 || rest.length === blocks.length) return message;
    cleared.add(turns[at]!);
    return { ...message, content: rest };
  });
  if (cleared.size === 0) return null;
  return { body: { ...body, messages: edited }, report: { cleared_thinking_turns: cleared.size }, minTokens: 0 };
}

function mapBlocks(body: Body, map: (block: Fields) => Fields): Body {
  const messages = recordsIn(body.messages).map((message) => {
    if (!Array.isArray(message.content)) return message;
    const blocks = recordsIn(message.content);
    const mapped = blocks.map(map);
    return mapped.some((block, at) => block !== blocks[at]) ? { ...message, content: mapped } : message;
  });
  return { ...body, messages };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
