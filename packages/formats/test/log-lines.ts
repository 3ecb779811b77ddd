import type { AnthropicConversation, ResponsesItem } from '../src/index.ts';

const common = {
  isSidechain: false,
  userType: 'external',
  cwd: '/home/ada/range',
  sessionId: '5f8c7c0e-1',
  version: '2.1.14',
  gitBranch: 'main',
} as const;

/** A line of a Claude Code log, with its fields in an arbitrary order. */
export function claudeLine(uuid: string, parentUuid: string | null, fields: object): object {
  return { parentUuid, ...common, uuid, timestamp: '2026-01-21T20:53:19.229Z', ...fields };
}

export function said(uuid: string, parent: string | null, content: unknown, fields: object = {}): object {
  return claudeLine(uuid, parent, { type: 'user', message: { role: 'user', content }, ...fields });
}

export function answered(uuid: string, parent: string | null, id: string, content: unknown, fields = {}): object {
  const message = { id, type: 'message', role: 'assistant', model: 'a-model', content, stop_reason: null };
  return claudeLine(uuid, parent, { type: 'assistant', message, requestId: 'req_1', ...fields });
}

/**
 * Writes a conversation as a Claude Code log: one block of an assistant message or one result per line, with hooks and
 * snapshots between them. The parent of each result is the line of its call.
 */
export function claudeLog({ messages }: AnthropicConversation): object[] {
  const lines: object[] = [
    { type: 'file-history-snapshot', messageId: 'm', snapshot: { trackedFileBackups: {} }, isSnapshotUpdate: false },
    claudeLine('start', null, { type: 'progress', data: { type: 'hook_progress', hookEvent: 'SessionStart' } }),
  ];
  let parent = 'start';
  const callLines = new Map<string, string>();
  const add = (make: (uuid: string, parent: string) => object, after = parent): void => {
    const uuid = `line-${lines.length}`;
    lines.push(make(uuid, after));
    parent = uuid;
  };
  messages.forEach(({ role, content }, at) => {
    const blocks = typeof content === 'string' ? [content] : content;
    if (role === 'assistant') {
      for (const block of blocks) {
        add((uuid, after) => answered(uuid, after, `msg_${at}`, typeof block === 'string' ? block : [block]));
        const { type, id } = (typeof block === 'string' ? {} : block) as { type?: string; id?: string };
        if (type === 'tool_use' && id) callLines.set(id, parent);
      }
      return;
    }
    const results = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result');
    for (const result of results) {
      const { tool_use_id: id } = result as { tool_use_id?: string };
      add(
        (uuid, after) => said(uuid, after, [result], { toolUseResult: { stdout: 'as the terminal shows it' } }),
        callLines.get(id ?? ''),
      );
      add((uuid, after) => claudeLine(uuid, after, { type: 'progress', data: { type: 'hook_progress' } }));
    }
    const own = typeof content === 'string' ? content : content.filter(({ type }) => type !== 'tool_result');
    if (own.length > 0) add((uuid, after) => said(uuid, after, own));
  });
  lines.push(claudeLine('end', 'line-of-another-file', { type: 'system', subtype: 'turn_duration', durationMs: 7 }));
  return lines;
}

export function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The three log formats of Codex. */
export const codexEras: Readonly<Record<string, (items: readonly ResponsesItem[]) => string>> = {
  'lines with a payload': (items) =>
    jsonLines([
      record('session_meta', {
        id: 'thread-1',
        cwd: '/home/ada/range',
        originator: 'codex-tui',
        cli_version: '0.144.3',
        base_instructions: { text: 'You are a coding agent.' },
      }),
      record('event_msg', { type: 'task_started', turn_id: 'turn-1', model_context_window: 258000 }),
      record('turn_context', { cwd: '/home/ada/range', model: 'a-model' }),
      ...items.flatMap((item) => [
        record('response_item', item),
        record('event_msg', { type: 'token_count', info: null }),
      ]),
      record('response_item', { type: 'ghost_snapshot', ghost_commit: { id: 'c0ffee' } }),
    ]),
  'bare items': (items) =>
    jsonLines([
      { id: 'thread-1', timestamp: '2025-08-18T01:16:13.522Z', instructions: null, git: { branch: 'main' } },
      { record_type: 'state' },
      ...items,
    ]),
  'one document': (items) =>
    JSON.stringify({ session: { id: 'thread-1', timestamp: '2025-05-02T10:00:00Z', instructions: '' }, items }),
};

export function record(type: string, payload: object): object {
  return { timestamp: '2026-01-27T12:34:56Z', type, payload };
}
