import { isRecord } from '@palimpsest/core/authoring';
import { checkRecord, malformationError, type Place } from '../native-error.ts';
import type { Fields } from '../record.ts';
import { checkItemAt } from '../responses/check.ts';
import type { ResponsesConversation, ResponsesItem } from '../responses/conversation.ts';
import { decodeResponses } from '../responses/decode.ts';
import { LineSource } from '../session-log/line-source.ts';
import { readAll, type SessionLog, type SessionLogReader } from '../session-log/session-log.ts';

/**
 * Creates a reader for the log of a Codex session (`~/.codex/sessions/2026/01/31/rollout-….jsonl`): lines with a `payload`,
 * the bare items of versions before September 2025, and the single document of the first versions.
 */
export function createCodexReader(): SessionLogReader<ResponsesConversation> {
  return new CodexReader();
}

/**
 * Reads a whole log of a Codex session. @param log its text, or its lines
 * @throws {PalimpsestError} `MESSAGES_INVALID`; `details`: `format`, `line` (from 1), `index` (from 0), `field`
 */
export function readCodex(log: string | Iterable<string>): SessionLog<ResponsesConversation> {
  return readAll(createCodexReader(), log);
}

class CodexReader implements SessionLogReader<ResponsesConversation> {
  readonly #items: ResponsesItem[] = [];
  readonly #lines = new LineSource('codex');
  #id: string | null = null;
  #instructions: string | null = null;

  add(text: string | object): void {
    const line = this.#lines.read(text);
    if (!line) return;
    const { fields, place } = line;
    const { type, payload } = fields;
    if (typeof type === 'string' && 'payload' in fields) {
      checkRecord(payload, place, 'payload');
      this.#addRecord(type, payload, place);
    } else if (typeof type === 'string') this.#addItem(fields, place, '');
    else if (isRecord(fields.session) && Array.isArray(fields.items)) {
      this.#note(fields.session);
      for (const item of itemsOf(fields.items, place, 'items')) this.#add(item);
    } else if (typeof fields.id === 'string') this.#note(fields);
    else this.#lines.skip(typeof fields.record_type === 'string' ? fields.record_type : 'unknown');
  }

  #addRecord(type: string, payload: Fields, place: Place): void {
    if (type === 'response_item') this.#addItem(payload, place, 'payload.');
    else if (type === 'session_meta') this.#note(payload);
    else if (type === 'event_msg' && payload.type === 'thread_rolled_back') this.#rollBack(payload, place);
    // The whole history is read, as if the agent had never compacted it.
    else if (type === 'compacted') this.#lines.noteCompaction();
    else this.#lines.skip(type);
  }

  #addItem(fields: Fields, place: Place, path: string): void {
    const item = itemOf(fields, place, path);
    if (!item || !this.#add(item)) this.#lines.skip(String(fields.type));
  }

  /** @returns false for a compaction by the provider, which is left out */
  #add(item: ResponsesItem): boolean {
    if (isCompaction(item)) return false;
    this.#items.push(item);
    return true;
  }

  #rollBack({ num_turns: turns }: Fields, place: Place): void {
    if (typeof turns !== 'number') throw malformationError(place, 'payload.num_turns', 'is not a number');
    // Each turn begins with a prompt of the user.
    let left = turns;
    let at = this.#items.length;
    while (at > 0 && left > 0) if (isPrompt(this.#items[--at]!)) left--;
    this.#items.length = at;
  }

  /** Keeps the first metadata: a forked session repeats the lines of its origin, including their metadata. */
  #note({ id, cwd, cli_version: version, base_instructions: base }: Fields): void {
    if (typeof id === 'string') this.#id ??= id;
    this.#lines.note({ id: this.#id, folder: cwd, version });
    if (isRecord(base) && typeof base.text === 'string') this.#instructions ??= base.text;
  }

  end(): SessionLog<ResponsesConversation> {
    const input = this.#items;
    return this.#lines.end<ResponsesConversation>(
      decodeResponses(this.#instructions === null ? { input } : { instructions: this.#instructions, input }),
    );
  }
}

/** Types of items that are only used by the agent itself. */
const ownItems: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'compaction_trigger', 'additional_tools', 'other']);

/** Types of compactions by the provider, which replace the items before them. */
const compactions: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction']);

/** True for an item that replaces the history before it. */
function isCompaction({ type }: ResponsesItem): boolean {
  return compactions.has(type);
}

/**
 * Converts an item of the log to an item of the Responses API; `null` for one that is never sent.
 * @param path prefix of its field names in error messages: empty, or `payload.`
 */
function itemOf(fields: Fields, place: Place, path: string): ResponsesItem | null {
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
function itemsOf(list: readonly unknown[], place: Place, path: string): readonly ResponsesItem[] {
  return list.flatMap((item, at) => {
    const own = `${path}[${at}]`;
    checkRecord(item, place, own);
    return itemOf(item, place, `${own}.`) ?? [];
  });
}

/** Beginnings of texts that the agent adds as user messages. */
const contextual =
  /^\s*(?:<(?:environment_context|user_instructions|user_shell_command|turn_aborted|skill|subagent_notification|permissions instructions)\b|# AGENTS\.md instructions\b)/i;

/** True for a message the user wrote, which begins a turn. */
function isPrompt(item: ResponsesItem): boolean {
  const { type, role, content } = item as Fields;
  if (role !== 'user' || (type !== undefined && type !== 'message')) return false;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [{ text: content }];
  const texts = parts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : null));
  return texts.some((text) => text === null || !contextual.test(text));
}
