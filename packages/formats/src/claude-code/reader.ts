import type { AnthropicConversation } from '../anthropic/conversation.ts';
import { decodeAnthropic } from '../anthropic/decode.ts';
import { LineSource } from '../session-log/line-source.ts';
import { readAll, type SessionLog, type SessionLogReader } from '../session-log/session-log.ts';
import { type Entry, entryOf } from './entry.ts';
import { messagesOf } from './messages.ts';

/**
 * Creates a reader for the log of a Claude Code session (`~/.claude/projects/<project>/<session>.jsonl`), of any version since
 * 0.2, or the output of `claude --output-format stream-json`. Sub-agents are left out, except in their own logs.
 */
export function createClaudeCodeReader(): SessionLogReader<AnthropicConversation> {
  return new ClaudeCodeReader();
}

/**
 * Reads a whole log of a Claude Code session. @param log its text, or its lines
 * @throws {PalimpsestError} `MESSAGES_INVALID`; `details`: `format`, `line` (from 1), `index` (from 0), `field`
 */
export function readClaudeCode(log: string | Iterable<string>): SessionLog<AnthropicConversation> {
  return readAll(createClaudeCodeReader(), log);
}

class ClaudeCodeReader implements SessionLogReader<AnthropicConversation> {
  readonly #lines = new LineSource('claudeCode');
  readonly #seen = new Set<string>();
  readonly #main: Entry[] = [];
  /** Lines of sub-agents; null once a line of the main conversation was read. */
  #side: Entry[] | null = [];
  #sideCount = 0;

  add(text: string | object): void {
    const line = this.#lines.read(text);
    if (!line) return;
    const { fields } = line;
    const { sessionId, session_id: id, cwd: folder, version } = fields;
    this.#lines.note({ id: sessionId ?? id, folder, version });
    const isSide = fields.isSidechain === true || typeof fields.parent_tool_use_id === 'string';
    const { entry, skipped } = entryOf(line);
    // A resumed session repeats the lines of the session it continues.
    if (entry.uuid !== null && entry.kind !== 'aside') {
      if (this.#seen.has(entry.uuid)) {
        this.#lines.skip('repeated');
        return;
      }
      this.#seen.add(entry.uuid);
    }
    if (isSide) {
      this.#sideCount++;
      this.#side?.push(entry);
      return;
    }
    if (skipped !== null) this.#lines.skip(skipped);
    else if (entry.kind !== 'boundary') this.#side = null;
    if (entry.kind === 'boundary') this.#lines.noteCompaction();
    this.#main.push(entry);
  }

  end(): SessionLog<AnthropicConversation> {
    const entries = this.#side ?? this.#main;
    if (!this.#side) for (let count = 0; count < this.#sideCount; count++) this.#lines.skip('sidechain');
    const live = liveEntries(entries);
    entries.forEach(({ kind }, at) => {
      if (!live[at] && kind !== 'aside') this.#lines.skip('abandoned');
    });
    const messages = messagesOf(wholeHistory(entries, live), (reason) => this.#lines.skip(reason));
    return this.#lines.end(decodeAnthropic({ messages } as AnthropicConversation));
  }
}

/** The lines of the whole history, without the agent's compactions. */
function wholeHistory(entries: readonly Entry[], live: readonly boolean[]): Entry[] {
  const isSaid = ({ kind }: Entry, at: number): boolean => live[at]! && kind !== 'aside' && kind !== 'boundary';
  // A summary at the very beginning is kept, because the log does not contain the lines it replaced.
  const first = entries.findIndex(isSaid);
  return entries.filter((entry, at) => isSaid(entry, at) && (entry.kind !== 'summary' || at === first));
}

/**
 * Returns for each line whether it is part of the live branch. If a user goes back and enters another prompt, the old branch
 * stays in the file: of several prompts after the same message only the last counts, and a dropped prompt takes all its
 * descendants with it. All other lines are live, because the tree of lines differs from the conversation: parallel tool
 * calls, hooks and background agents create forks, and resumed sessions have gaps.
 */
function liveEntries(entries: readonly Entry[]): boolean[] {
  const anchors = anchorsOf(entries);
  const lastPrompt = new Map<number, number>();
  entries.forEach(({ kind }, at) => {
    if (kind === 'prompt') lastPrompt.set(anchors[at]!, at);
  });
  const live: boolean[] = [];
  entries.forEach(({ kind }, at) => {
    const anchor = anchors[at]!;
    const stands = anchor < 0 || live[anchor]!;
    live.push(stands && (kind !== 'prompt' || lastPrompt.get(anchor) === at));
  });
  return live;
}

/** For each line, the index of its parent, ignoring asides; -1 for none. A missing parent becomes the previous line. */
function anchorsOf(entries: readonly Entry[]): readonly number[] {
  const places = new Map<string, number>();
  const anchors: number[] = [];
  entries.forEach(({ kind, uuid, parent }, at) => {
    const isRoot = parent === null && kind !== 'summary' && kind !== 'boundary';
    const known = typeof parent === 'string' ? places.get(parent) : undefined;
    const before = known ?? (isRoot ? -1 : at - 1);
    anchors.push(before < 0 || entries[before]!.kind !== 'aside' ? before : anchors[before]!);
    if (uuid !== null) places.set(uuid, at);
  });
  return anchors;
}
