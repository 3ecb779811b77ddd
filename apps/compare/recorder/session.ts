import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import type { OfferedTool, RecordedCall, RecordedMessage } from './recording.ts';
import type { ToolResult } from './tools/tool.ts';
import type { ToolSet } from './tools/tool-set.ts';
import type { Workspace } from './workspace.ts';

/** Runs the calls of a scenario, and records its messages, calls and results. */
export class Session {
  readonly messages: RecordedMessage[] = [];
  readonly #id: string;
  readonly #tools: ToolSet;
  readonly #workspace: Workspace;
  #calls = 0;

  constructor(id: string, tools: ToolSet, workspace: Workspace) {
    this.#id = id;
    this.#tools = tools;
    this.#workspace = workspace;
  }

  get offered(): OfferedTool[] {
    return Object.values(this.#tools).map(({ name, tool }) => ({
      type: 'function',
      function: { name, description: tool.description, parameters: tool.parameters },
    }));
  }

  /** Records the system prompt. */
  system(words: string): void {
    this.messages.push({ role: 'system', content: words });
  }

  /** Records a message of the user. */
  user(words: string): void {
    this.#workspace.advanceClock(300);
    this.messages.push({ role: 'user', content: words });
  }

  /** Records a message of the agent without calls. */
  say(words: string): void {
    this.#workspace.advanceClock(20);
    this.messages.push({ role: 'assistant', content: words });
  }

  /**
   * Records an assistant message with these calls, runs them and records the results.
   * @returns the texts of the results, so that later messages can quote them
   * @throws if a call does not have the expected outcome
   */
  async act(words: string | null, ...calls: readonly Call[]): Promise<string[]> {
    this.#workspace.advanceClock(40);
    const toolCalls = calls.map((call) => this.#recorded(call));
    this.messages.push({ role: 'assistant', content: words, tool_calls: toolCalls });
    const texts: string[] = [];
    for (const [index, call] of calls.entries()) {
      const result = await this.#tools[call.action].tool.run(call.input as never, this.#workspace);
      this.#check(call, result);
      texts.push(result.text);
      this.messages.push({ role: 'tool', tool_call_id: toolCalls[index]!.id, content: result.text });
    }
    return texts;
  }

  #recorded(call: Call): RecordedCall {
    this.#calls += 1;
    // Looks like an id of a provider, but is the same in every recording.
    const digest = createHash('sha256').update(`${this.#id}/${this.#calls}`).digest('hex').slice(0, 24);
    const name = this.#tools[call.action].name;
    return { id: `call_${digest}`, type: 'function', function: { name, arguments: JSON.stringify(call.input) } };
  }

  #check({ action, input, expected }: Call, result: ToolResult): void {
    const wrongCode = expected.exitCode !== undefined && result.exitCode !== expected.exitCode;
    if (result.ok === expected.ok && !wrongCode) return;
    const wanted =
      expected.exitCode === undefined ? (expected.ok ? 'success' : 'failure') : `exit ${expected.exitCode}`;
    throw new Error(
      `${this.#id}, message ${this.messages.length}: ${action} ${JSON.stringify(input).slice(0, 300)} was expected to end with ${wanted}, but its output ends with:\n${result.text.slice(-1_500)}`,
    );
  }
}

/** Returns what the first group of a pattern matches in an output. @throws if there is no match */
export function extract(output: string | undefined, pattern: RegExp): string {
  const found = output?.match(pattern)?.[1];
  if (found === undefined) throw new Error(`Expected ${pattern} in:\n${output}`);
  return found;
}
