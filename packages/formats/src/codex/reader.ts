import { isRecord } from '@palimpsest/core/authoring';
import type { Place } from '../native-error.ts';
import { malformationError } from '../native-error.ts';
import type { Fields } from '../record.ts';
import type { ResponsesConversation, ResponsesItem } from '../responses/conversation.ts';
import { decodeResponses } from '../responses/decode.ts';
import { LineSource } from '../session-log/line-source.ts';
import { readAll, type SessionLog, type SessionLogReader } from '../session-log/session-log.ts';
import { isCompaction, isPrompt, itemOf, itemsOf } from './item.ts';

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
      if (!isRecord(payload)) throw malformationError(place, 'payload', 'is not an object');
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
