import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, isNothing } from '../record.ts';
import type { Body } from '../wire/wire.ts';

/** What a request of Anthropic Messages asks for in `context_management` or `compaction`. */
export interface ContextManagement {
  /** Edits that clear old content, in their order. */
  readonly clears: readonly Fields[];
  /** The compaction; `null` if none is asked for. */
  readonly compact: CompactEdit | null;
}

/** When and how to compact. */
export interface CompactEdit {
  /** The prompt size in tokens from which on to compact; 0 for now. */
  readonly trigger: number;
  /** True if the answer is to be the compaction alone. */
  readonly isAlone: boolean;
  readonly instructions: string | null;
}

/** Size of the prompt from which on Anthropic compacts, unless a request says otherwise. Tokens. */
const compactTrigger = 150_000;

const editTypes = ['clear_tool_uses_20250919', 'clear_thinking_20251015', 'compact_20260112'];

/**
 * Reads what a request asks for.
 * @returns `null` for a request that asks for nothing; a text that says what is wrong with one that asks wrongly
 */
export function readContextManagement(body: Body): ContextManagement | string | null {
  const { context_management: given, compaction } = body;
  if (isNothing(given) && isNothing(compaction)) return null;
  if (!isNothing(compaction))
    return isNothing(given) ? readSummarize(compaction) : 'compaction: cannot be combined with context_management';
  const edits = fieldsIn(given).edits ?? [];
  if (!isRecord(given) || !Array.isArray(edits))
    return 'context_management: Input should be an object with a list of edits';
  for (const [at, edit] of edits.entries()) {
    const problem = editProblem(edit);
    if (problem !== null) return `context_management.edits.${at}${problem}`;
  }
  const known = edits as readonly Fields[];
  if (new Set(known.map(({ type }) => type)).size < known.length)
    return 'context_management.edits: each type of edit may be given only once';
  if (known.findIndex(({ type }) => type === 'clear_thinking_20251015') > 0 && known[0]!.type !== 'compact_20260112')
    return 'context_management.edits: clear_thinking_20251015 has to be the first edit';
  const compact = known.find(({ type }) => type === 'compact_20260112');
  return {
    clears: known.filter((edit) => edit !== compact),
    compact: compact
      ? {
          trigger: amountIn(compact.trigger) ?? compactTrigger,
          isAlone: compact.pause_after_compaction === true,
          instructions: instructionsOf(compact),
        }
      : null,
  };
}

/** The number in `{ type, value }`; `undefined` without one. */
export function amountIn(given: unknown): number | undefined {
  const { value } = fieldsIn(given);
  return typeof value === 'number' ? value : undefined;
}

function readSummarize(compaction: unknown): ContextManagement | string {
  if (!isRecord(compaction) || compaction.type !== 'summarize') return "compaction.type: Input should be 'summarize'";
  return { clears: [], compact: { trigger: 0, isAlone: true, instructions: instructionsOf(compaction) } };
}

function instructionsOf({ instructions }: Fields): string | null {
  return typeof instructions === 'string' && instructions.trim() !== '' ? instructions.trim() : null;
}

/** What is wrong with an edit, behind its place; `null` for a valid one. */
function editProblem(edit: unknown): string | null {
  if (!isRecord(edit)) return ': Input should be an object';
  if (!editTypes.includes(String(edit.type)))
    return `: Input tag '${String(edit.type)}' does not match any of the expected tags: ${editTypes.join(', ')}`;
  const isThinking = edit.type === 'clear_thinking_20251015';
  for (const name of ['trigger', 'keep', 'clear_at_least']) {
    const given = edit[name];
    if (isNothing(given) || (isThinking && name === 'keep' && (given === 'all' || fieldsIn(given).type === 'all')))
      continue;
    const value = amountIn(given);
    const min = name === 'keep' && !isThinking ? 0 : 1;
    if (value === undefined || !Number.isInteger(value) || value < min)
      return `.${name}.value: Input should be an integer of at least ${min}`;
  }
  const { exclude_tools: excluded } = edit;
  const isList = Array.isArray(excluded) && excluded.every((name) => typeof name === 'string');
  return isNothing(excluded) || isList ? null : '.exclude_tools: Input should be a list of names';
}
