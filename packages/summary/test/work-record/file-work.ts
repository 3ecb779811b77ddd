import type { Message } from '@palimpsest/core';
import { assistant, call, result } from '@palimpsest/testkit';
import type { FileChange } from '../../src/work-record/changes/file-changes.ts';
import { readWorkRecord } from '../../src/work-record/read-work-record.ts';

/** A call by its tool name, arguments and result. */
export type Exchange = readonly [tool: string, input: Readonly<Record<string, unknown>> | string, output?: string];

/** The messages of calls with their results. A call without a result is pending. */
export function exchanges(all: readonly Exchange[]): Message[] {
  return all.flatMap(([tool, input, output], at) => {
    const id = `call_${at}`;
    const asked: Message =
      typeof input === 'string'
        ? { role: 'assistant', content: '', tool_calls: [{ id, type: 'custom', custom: { name: tool, input } }] }
        : assistant('', call(id, tool, input));
    return output === undefined ? [asked] : [asked, result(id, output)];
  });
}

/** The changes of files by calls. */
export function changesBy(...all: readonly Exchange[]): readonly FileChange[] {
  return readWorkRecord({ messages: exchanges(all) }).changes;
}

/** The changes of files by shell scripts that succeed. */
export function changesIn(...scripts: readonly string[]): readonly FileChange[] {
  return changesBy(...scripts.map((command): Exchange => ['bash', { command }, '']));
}

/** A change on one line: `C` created, `D` deleted, the number of edits, the path, the old path. */
export function shown({ created, deleted, edits, path, renamedFrom }: FileChange): string {
  return `${created ? 'C' : ''}${deleted ? 'D' : ''}${edits} ${path}${renamedFrom === null ? '' : ` < ${renamedFrom}`}`;
}
