import { malformed, type Place } from '../native-error.ts';
import { type Fields, isRecord } from '../record.ts';
import { checkItemAt } from '../responses/check.ts';
import type { ResponsesItem } from '../responses/conversation.ts';

/** Items that only the agent itself has a use for. */
const ownItems: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'compaction_trigger', 'additional_tools', 'other']);

/** Compactions by the provider, which stand for what came before them. */
const compactions: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction']);

/** True for an item that takes the place of the history before it. */
export function isCompaction({ type }: ResponsesItem): boolean {
  return compactions.has(type);
}

/**
 * An item of the log as the Responses API has it; `null` for one that is never sent.
 * @param path what stands before the names of its fields: nothing, or `payload.`
 */
export function itemOf(fields: Fields, place: Place, path: string): ResponsesItem | null {
  if (ownItems.has(fields.type)) return null;
  const item = readable(fields);
  checkItemAt(item, place, path);
  return item as ResponsesItem;
}

/** Some versions wrote an output as an object that says whether the call went well. */
function readable(fields: Fields): Fields {
  const { type, output } = fields;
  const isOutput = type === 'function_call_output' || type === 'custom_tool_call_output';
  if (isOutput && isRecord(output) && typeof output.content === 'string') return { ...fields, output: output.content };
  return fields;
}

/** The items of a list, such as a compaction's. */
export function itemsOf(list: readonly unknown[], place: Place, path: string): readonly ResponsesItem[] {
  return list.flatMap((item, at) => {
    const own = `${path}[${at}]`;
    if (!isRecord(item)) throw malformed(place, own, 'is no object');
    return itemOf(item, place, `${own}.`) ?? [];
  });
}

/** What the agent puts into user messages besides what the user says. */
const contextual =
  /^\s*(?:<(?:environment_context|user_instructions|user_shell_command|turn_aborted|skill|subagent_notification|permissions instructions)\b|# AGENTS\.md instructions\b)/i;

/** True for what a user said, which is where a turn begins. */
export function isPrompt(item: ResponsesItem): boolean {
  const { type, role, content } = item as Fields;
  if (role !== 'user' || (type !== undefined && type !== 'message')) return false;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [{ text: content }];
  const texts = parts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : null));
  return texts.some((text) => text === null || !contextual.test(text));
}
