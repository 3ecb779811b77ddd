import { isRecord } from '@palimpsest/core/authoring';
import { malformationError, type Place } from '../native-error.ts';
import type { Fields } from '../record.ts';
import { checkItemAt } from '../responses/check.ts';
import type { ResponsesItem } from '../responses/conversation.ts';

/** Types of items that are only used by the agent itself. */
const ownItems: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'compaction_trigger', 'additional_tools', 'other']);

/** Types of compactions by the provider, which replace the items before them. */
const compactions: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction']);

/** True for an item that replaces the history before it. */
export function isCompaction({ type }: ResponsesItem): boolean {
  return compactions.has(type);
}

/**
 * Converts an item of the log to an item of the Responses API; `null` for one that is never sent.
 * @param path prefix of its field names in error messages: empty, or `payload.`
 */
export function itemOf(fields: Fields, place: Place, path: string): ResponsesItem | null {
  if (ownItems.has(fields.type)) return null;
  const item = readable(fields);
  checkItemAt(item, place, path);
  return item as ResponsesItem;
}

/** Unwraps outputs, which some versions wrote as an object with the success of the call. */
function readable(fields: Fields): Fields {
  const { type, output } = fields;
  const isOutput = type === 'function_call_output' || type === 'custom_tool_call_output';
  if (isOutput && isRecord(output) && typeof output.content === 'string') return { ...fields, output: output.content };
  return fields;
}

/** Converts a list of items, such as those of a compaction. */
export function itemsOf(list: readonly unknown[], place: Place, path: string): readonly ResponsesItem[] {
  return list.flatMap((item, at) => {
    const own = `${path}[${at}]`;
    if (!isRecord(item)) throw malformationError(place, own, 'is not an object');
    return itemOf(item, place, `${own}.`) ?? [];
  });
}

/** Beginnings of texts that the agent adds as user messages. */
const contextual =
  /^\s*(?:<(?:environment_context|user_instructions|user_shell_command|turn_aborted|skill|subagent_notification|permissions instructions)\b|# AGENTS\.md instructions\b)/i;

/** True for a message the user wrote, which begins a turn. */
export function isPrompt(item: ResponsesItem): boolean {
  const { type, role, content } = item as Fields;
  if (role !== 'user' || (type !== undefined && type !== 'message')) return false;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [{ text: content }];
  const texts = parts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : null));
  return texts.some((text) => text === null || !contextual.test(text));
}
