import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { Group } from '@palimpsest/core/authoring';
import { readToolName, type ToolClass, type ToolName } from '@palimpsest/core/tools';
import { shownLines } from '@palimpsest/salience';
import { type Outcome, readOutcome } from './outcome.ts';

/** Decides the class of a call; reads the arguments only when it has to. */
export type Classifier = (call: ToolName, args: () => Readonly<Record<string, unknown>>) => ToolClass;

/** A call and what came back, read on demand: most of a long transcript is never looked into. */
export class ToolExchange implements ToolName {
  readonly called: string;
  readonly tool: string;
  readonly server: string;
  /** What it was given: a JSON text for a function, free text for a custom tool. */
  readonly input: string;
  /** The result's text, as the model saw it. */
  readonly text: string;
  readonly class: ToolClass;
  #args: Readonly<Record<string, unknown>> | undefined;
  #outcome: Outcome | undefined;
  #shown: ReturnType<typeof shownLines> | undefined;

  constructor(name: ToolName, input: string, text: string, classify: Classifier) {
    this.called = name.called;
    this.tool = name.tool;
    this.server = name.server;
    this.input = input;
    this.text = text;
    this.class = classify(name, () => this.args);
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

  /** Lets go of what was read: copies of much of the call and the result, of no use once a stub is written. */
  protected release(): void {
    this.#args = undefined;
    this.#outcome = undefined;
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

/** Told of a tool result's index, and of the call it answers. */
type Pair = (at: number, name: ToolName, input: string) => void;

/**
 * Tells of every exchange in a group whose pairs are sound: every call answered once, directly behind its message, under
 * an id of its own. What is broken is left out, and so never edited.
 */
export function pairCalls(messages: readonly Message[], { from, to }: Group, tell: Pair): void {
  const caller = messages[from]!;
  const calls = toolCalls(caller);
  const legacy = caller.function_call;
  if (to - from - 1 !== calls.length + (legacy ? 1 : 0)) return;
  if (calls.length === 1 && !legacy) {
    const only = calls[0]!;
    const { role, tool_call_id: id = '' } = messages[to - 1]!;
    if (role === 'tool' && id === only.id) tell(to - 1, readToolName(toolCallName(only)), toolCallInput(only));
    return;
  }
  const open = new Map(calls.map((call) => [call.id, call]));
  if (open.size < calls.length) return;
  const found: (readonly [name: string, input: string])[] = [];
  for (let at = from + 1; at < to; at++) {
    const { role, tool_call_id: id = '' } = messages[at]!;
    const call = role === 'tool' ? open.get(id) : undefined;
    if (call) found.push([toolCallName(call), toolCallInput(call)]);
    else if (role === 'function' && legacy) found.push([legacy.name, legacy.arguments]);
    else return;
    open.delete(id);
  }
  found.forEach(([name, input], index) => tell(from + 1 + index, readToolName(name), input));
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
