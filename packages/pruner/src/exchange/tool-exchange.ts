import { readOutcome, type ToolClass, type ToolName, type ToolOutcome } from '@palimpsest/agents';
import { parseRecord } from '@palimpsest/core/authoring';
import { readLineRange } from '../salience/read/read-line-range.ts';

/** Decides the class of a call. Calls `args` only when the name is not enough. */
export type Classifier = (call: ToolName, args: () => Readonly<Record<string, unknown>>) => ToolClass;

/** A tool call with its result. Input and result are parsed on first use. */
export class ToolExchange implements ToolName {
  readonly called: string;
  readonly tool: string;
  readonly server: string;
  /** The input of the call: JSON text for a function, free text for a custom tool. */
  readonly input: string;
  /** The text of the result, as the model saw it. */
  readonly text: string;
  readonly #classify: Classifier;
  #class: ToolClass | undefined;
  #args: Readonly<Record<string, unknown>> | undefined;
  #outcome: ToolOutcome | undefined;
  #shown: ReturnType<typeof readLineRange> | undefined;

  constructor(name: ToolName, input: string, text: string, classify: Classifier) {
    this.called = name.called;
    this.tool = name.tool;
    this.server = name.server;
    this.input = input;
    this.text = text;
    this.#classify = classify;
  }

  /** The kind of work that the tool does. */
  get class(): ToolClass {
    this.#class ??= this.#classify(this, () => this.args);
    return this.#class;
  }

  /** The arguments as an object; empty when the input is not a JSON object. */
  get args(): Readonly<Record<string, unknown>> {
    this.#args ??= parseRecord(this.input) ?? {};
    return this.#args;
  }

  /** How the call ended, as far as the result states it. */
  get outcome(): ToolOutcome {
    this.#outcome ??= readOutcome(this.text);
    return this.#outcome;
  }

  /** The first and last line number in the output; `null` when its lines are not numbered. */
  get shown(): readonly [first: number, last: number] | null {
    if (this.#shown === undefined) this.#shown = readLineRange(this.outcome.output);
    return this.#shown;
  }

  /** The first of the named arguments that is a non-empty string, or `null`. */
  argument(...names: readonly string[]): string | null {
    for (const name of names) {
      const value = this.args[name];
      if (typeof value === 'string' && value !== '') return value;
    }
    return null;
  }

  /** Returns the same call with another result text. */
  withText(text: string): ToolExchange {
    return new ToolExchange(this, this.input, text, this.#classify);
  }
}
