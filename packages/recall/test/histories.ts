import type { Message, MessageOutcome } from '@palimpsest/core';
import type { Projection } from '../src/index.ts';

/** A call of a tool and its result. */
export function exchange(tool: string, input: Readonly<Record<string, unknown>>, result: string): Message[] {
  const id = `call-${tool}-${JSON.stringify(input)}`;
  const call = { id, type: 'function' as const, function: { name: tool, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

/** A projection that summarizes the first `hidden` messages. */
export function summarized(history: readonly Message[], hidden: number): Projection {
  const source = history.map(
    (_, at): MessageOutcome =>
      at < hidden ? { kind: 'summarized', edit: 0, reasons: [] } : { kind: 'kept', at: at - hidden },
  );
  return { provenance: { output: [], source } };
}

/** Masks everything that begins with `SECRET`. */
export function redact(text: string): string {
  return text.replace(/SECRET\w*/g, '[masked]');
}

/** The refs in an answer, in order. */
export function refsIn(answer: string): string[] {
  return [...answer.matchAll(/^\[\d+\] ref ([0-9a-f-]+):/gm)].map((match) => match[1]!);
}
