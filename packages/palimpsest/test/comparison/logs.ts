import type { Message } from '@palimpsest/core';
import { anthropic, openaiResponses } from '@palimpsest/formats';

/** A session as Claude Code writes it down: one block a line, and what its terminal shows next to it. */
export function claudeCodeLog(messages: readonly Message[], sessionId: string): string {
  const lines: object[] = [{ type: 'file-history-snapshot', messageId: 'm', snapshot: {}, isSnapshotUpdate: false }];
  anthropic.fromMessages(messages).messages.forEach(({ role, content }, at) => {
    for (const block of typeof content === 'string' ? [content] : content) {
      const uuid = `${sessionId}-${lines.length}`;
      const parentUuid = lines.length === 1 ? null : `${sessionId}-${lines.length - 1}`;
      const message = { role, id: `msg_${at}`, content: typeof block === 'string' ? block : [block] };
      lines.push({ parentUuid, uuid, sessionId, isSidechain: false, version: '2.1.14', type: role, message });
      if (role === 'user') Object.assign(lines.at(-1)!, { toolUseResult: { file: { content: block } } });
    }
  });
  return jsonLines(lines);
}

/** A session as Codex writes it down. */
export function codexLog(messages: readonly Message[], id: string): string {
  const record = (type: string, payload: object): object => ({ timestamp: '2026-01-27T12:34:56Z', type, payload });
  const items = openaiResponses.fromMessages(messages).input as readonly object[];
  return jsonLines([
    record('session_meta', { id, cwd: '/work', cli_version: '0.144.3', base_instructions: { text: 'Be careful.' } }),
    ...items.flatMap((item) => [record('response_item', item), record('event_msg', { type: 'token_count' })]),
  ]);
}

function jsonLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
