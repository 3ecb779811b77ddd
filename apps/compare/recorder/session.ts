import { createHash } from 'node:crypto';
import type { Call } from './call.ts';
import type { OfferedTool, RecordedCall, RecordedMessage } from './recording.ts';
import type { ToolResult } from './tools/tool.ts';
import type { ToolSet } from './tools/tool-set.ts';
import type { Workspace } from './workspace.ts';

/** Plays a scenario's words and calls, and writes down what was said, called and really answered. */
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

  /** What the agent is told before the session. */
  system(words: string): void {
    this.messages.push({ role: 'system', content: words });
  }

  /** What the user says. */
  user(words: string): void {
    this.#workspace.pass(300);
    this.messages.push({ role: 'user', content: words });
  }

  /** What the agent says when it calls nothing. */
  say(words: string): void {
    this.#workspace.pass(20);
    this.messages.push({ role: 'assistant', content: words });
  }

  /**
   * One assistant message with these calls, and their results. The texts of the results come back, so that later
   * words can quote them. Throws where a call ends otherwise than the scenario says, for then its words are wrong.
   */
  async act(words: string | null, ...calls: readonly Call[]): Promise<string[]> {
    this.#workspace.pass(40);
    const toolCalls = calls.map((call) => this.#recorded(call));
    this.messages.push({ role: 'assistant', content: words, tool_calls: toolCalls });
    const texts: string[] = [];
    for (const [index, call] of calls.entries()) {
      const result = await this.#tools[call.deed].tool.run(call.given as never, this.#workspace);
      this.#check(call, result);
      texts.push(result.text);
      this.messages.push({ role: 'tool', tool_call_id: toolCalls[index]!.id, content: result.text });
    }
    return texts;
  }

  #recorded(call: Call): RecordedCall {
    this.#calls += 1;
    // Looks like a provider's id, and is the same in every recording.
    const digest = createHash('sha256').update(`${this.#id}/${this.#calls}`).digest('hex').slice(0, 24);
    const name = this.#tools[call.deed].name;
    return { id: `call_${digest}`, type: 'function', function: { name, arguments: JSON.stringify(call.given) } };
  }

  #check({ deed, given, expected }: Call, result: ToolResult): void {
    const wrongCode = expected.exitCode !== undefined && result.exitCode !== expected.exitCode;
    if (result.ok === expected.ok && !wrongCode) return;
    const wanted =
      expected.exitCode === undefined ? (expected.ok ? 'success' : 'failure') : `exit ${expected.exitCode}`;
    throw new Error(
      `${this.#id}, message ${this.messages.length}: ${deed} ${JSON.stringify(given).slice(0, 300)} should have ended with ${wanted}, but its output ends with:\n${result.text.slice(-1_500)}`,
    );
  }
}

/** The part of an output that a pattern's first group matches; throws where it is not there. */
export function fact(output: string | undefined, pattern: RegExp): string {
  const found = output?.match(pattern)?.[1];
  if (found === undefined) throw new Error(`Expected ${pattern} in:\n${output}`);
  return found;
}
