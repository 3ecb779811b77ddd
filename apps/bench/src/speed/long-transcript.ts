import type { Message, ToolCall } from '@palimpsest/core';

/** How a generated transcript differs from the ordinary one. */
interface Variant {
  /** Number of its first step. Transcripts whose steps do not overlap have different texts. @default 0 */
  readonly from?: number;
  /** Length of the results, relative to the ordinary ones. @default 1 */
  readonly scale?: number;
}

/**
 * Generates a deterministic coding session of any length for timing: a request every 50 messages, calls and results in
 * the formats of several harnesses, about 2,000 characters per message. 4,000 messages hold about two million tokens.
 */
export function longTranscript(length: number, { from = 0, scale = 1 }: Variant = {}): Message[] {
  const messages: Message[] = [];
  for (let step = 0; messages.length < length; step++) {
    const at = from + step;
    if (step % 25 === 0) messages.push({ role: 'user', content: `Now look at part ${at} and make it work.` });
    const [call, output] = steps[at % steps.length]!(at, scale);
    messages.push({ role: 'assistant', content: `Step ${at}.`, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: output });
  }
  return messages.slice(0, length);
}

type Step = (at: number, scale: number) => readonly [ToolCall, string];

const call = (at: number, name: string, input: unknown): ToolCall => ({
  id: `call_${at}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

const code = (at: number, lines: number, gutter = ''): string =>
  Array.from(
    { length: Math.ceil(lines) },
    (_, line) =>
      `${gutter && String(line + 1).padStart(6) + gutter}  const value${at}_${line} = compute(${line * at}, options.depth);`,
  ).join('\n');

const steps: readonly Step[] = [
  (at, scale) => [call(at, 'Read', { file_path: `/repo/src/part${at}.ts` }), code(at, 70 * scale, '\u2192')],
  (at, scale) => [
    call(at, 'Bash', { command: `npm test -- part${at}` }),
    `${at % 3 === 0 ? 'Exit code 1\n' : ''}${code(at, 60 * scale)}`,
  ],
  (at, scale) => [
    call(at, 'terminal', { command: `make part${at}` }),
    JSON.stringify({ output: code(at, 60 * scale), exit_code: at % 2, error: null }),
  ],
  (at, scale) => [
    call(at, 'Grep', { pattern: `value${at}`, path: '/repo/src', '-n': true }),
    code(at, 70 * scale, ':'),
  ],
  (at, scale) => [
    call(at, 'Edit', { file_path: `/repo/src/part${at}.ts`, old_string: code(at, 8), new_string: code(at + 1, 8) }),
    `The file /repo/src/part${at}.ts has been updated.\n${code(at, 50 * scale, '\u2192')}`,
  ],
  // Repeated reads of one file, for `dedupe` and `supersede`.
  (at, scale) => [
    call(at, 'Read', { file_path: '/repo/package.json' }),
    code(at % 60 < 30 ? 1 : 2, 90 * scale, '\u2192'),
  ],
];
