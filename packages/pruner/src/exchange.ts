import { type Group, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { readToolName, type ToolClass, type ToolName } from '@palimpsest/core/tools';
import { type Outcome, readOutcome } from './outcome.ts';
import { shownLines } from './shown-lines.ts';
import type { Classifier } from './tool.ts';

/** A tool call as it was made. */
export interface Call extends ToolName {
  /** What it was given: a JSON text for a function, free text for a custom tool. */
  readonly input: string;
}

/** A call and what came back, read on demand: most of a long transcript is never looked into. */
export class ToolExchange implements Call {
  readonly called: string;
  readonly tool: string;
  readonly server: string;
  readonly input: string;
  /** The result's text, as the model saw it. */
  readonly text: string;
  readonly class: ToolClass;
  #args: Readonly<Record<string, unknown>> | undefined;
  #outcome: Outcome | undefined;
  #shown: ReturnType<typeof shownLines> | undefined;

  constructor(call: Call, text: string, classify: Classifier) {
    this.called = call.called;
    this.tool = call.tool;
    this.server = call.server;
    this.input = call.input;
    this.text = text;
    this.class = classify(call, () => this.args);
  }

  /** The arguments as an object; empty when they are no JSON object. */
  get args(): Readonly<Record<string, unknown>> {
    this.#args ??= parseObject(this.input);
    return this.#args;
  }

  /** How the call ended, as far as the result says. */
  get outcome(): Outcome {
    this.#outcome ??= readOutcome(this.text);
    return this.#outcome;
  }

  /** First and last line number the output shows; `null` when its lines are not numbered. */
  get shown(): readonly [first: number, last: number] | null {
    if (this.#shown === undefined) this.#shown = shownLines(this.outcome.output);
    return this.#shown;
  }

  /** The first of these arguments that is a text. */
  argument(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.args[name];
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  }
}

/**
 * The call each tool result answers, by message index, for the exchanges whose pairs are sound: every call answered
 * once, directly behind its message, under an id of its own. What is broken is left out, and so never edited.
 * @param first index of the first message that matters
 */
export function pairCalls(
  messages: readonly Message[],
  groups: readonly Group[],
  first: number,
): readonly (Call | undefined)[] {
  const pairs: (Call | undefined)[] = new Array(messages.length).fill(undefined);
  for (const { kind, from, to } of groups) {
    if (kind !== 'exchange' || to <= first) continue;
    const caller = messages[from]!;
    const calls = toolCalls(caller);
    const legacy = caller.function_call;
    if (to - from - 1 !== calls.length + (legacy ? 1 : 0)) continue;
    const [only] = calls;
    if (calls.length === 1 && !legacy) {
      const { role, tool_call_id: id = '' } = messages[to - 1]!;
      if (role === 'tool' && id === only!.id) pairs[to - 1] = callOf(toolCallName(only!), toolCallInput(only!));
      continue;
    }
    const open = new Map(calls.map((call) => [call.id, call]));
    if (open.size < calls.length) continue;
    const found: Call[] = [];
    for (let at = from + 1; at < to; at++) {
      const { role, tool_call_id: id = '' } = messages[at]!;
      const call = role === 'tool' ? open.get(id) : undefined;
      if (call) found.push(callOf(toolCallName(call), toolCallInput(call)));
      else if (role === 'function' && legacy) found.push(callOf(legacy.name, legacy.arguments));
      else break;
      open.delete(id);
    }
    if (found.length === to - from - 1)
      for (let index = 0; index < found.length; index++) pairs[from + 1 + index] = found[index]!;
  }
  return pairs;
}

function callOf(name: string, input: string): Call {
  const { called, tool, server } = readToolName(name);
  return { called, tool, server, input };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
