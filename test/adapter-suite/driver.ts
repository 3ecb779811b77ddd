import type { Session } from '@palimpsest/session';
import type { LoopbackServer } from '../loopback-server/index.ts';

/** What an adapter can support. Each is a group of cases, and a column of docs/adapters.md. */
export const features = [
  'streaming',
  'parallel calls',
  'reasoning',
  'images',
  'abort',
  'recovery',
  'recall',
  'undo',
  'resume',
  'pages',
] as const;
export type Feature = (typeof features)[number];

/** A framework with its adapter, as the suite drives it. */
export interface AdapterDriver {
  /** The name in the first column of docs/adapters.md. */
  readonly name: string;
  /** Features that do not work, with the reason as docs/adapters.md states it. Their cases are skipped by name. */
  readonly cannot?: Readonly<Partial<Record<Feature, string>>>;
  /** Rounds of the longest case, a multiple of 25. Fewer for a second way into the same framework. @default 100 */
  readonly rounds?: number;
  /** Starts an agent of the framework on the loopback server, with the adapter on `session`. */
  start(options: AgentOptions): RunningAgent | Promise<RunningAgent>;
}

/** What an agent has to be started with. */
export interface AgentOptions {
  /** The agent calls one of these, with the model "m" and any key, and does not repeat failed calls by itself. */
  readonly server: Pick<LoopbackServer, 'openaiUrl' | 'anthropicUrl'>;
  readonly session: Session;
  /** The system prompt. */
  readonly system: string;
  readonly tools: readonly AgentTool[];
  /** The longest answer, in tokens. */
  readonly maxTokens: number;
  /** Answers are streamed. */
  readonly streaming: boolean;
  /** The model gets the tools of `session.tools()`. */
  readonly recall: boolean;
  /** The model thinks before each answer. Use a protocol that sends the thoughts back, if the framework has one. */
  readonly reasoning: boolean;
  /** The history of an earlier agent after a round trip through JSON, to continue from. Empty for a new conversation. */
  readonly history: readonly unknown[];
}

/** A tool of the agent. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Returns the result as text. Never throws. */
  run(input: Readonly<Record<string, unknown>>): string;
}

/** An agent in one conversation. */
export interface RunningAgent {
  /** Sends a request of the user, and runs tools until the model answers without a call. Rejects if the framework fails. */
  ask(request: UserRequest): Promise<AgentAnswer>;
  /** The whole conversation as the framework keeps it, as plain JSON values, oldest first. */
  history(): readonly unknown[] | Promise<readonly unknown[]>;
  /** Releases what the agent holds. */
  close?(): Promise<void> | void;
}

export interface UserRequest {
  readonly text: string;
  /** A picture behind the text, as the base64 of a PNG. */
  readonly image?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AgentAnswer {
  /** The text of the last answer. */
  readonly text: string;
  /** Number of pieces in which the framework passed on the text of the whole turn. 0 without streaming. */
  readonly pieces: number;
}
