import type { PiMessage } from '@palimpsest/formats';

/** The part of OpenClaw's `OpenClawPluginApi` that the plugin uses. */
export interface OpenclawApi {
  /** The plugin's options in `openclaw.json`, checked against the schema in `openclaw.plugin.json`. */
  readonly pluginConfig?: Record<string, unknown> | undefined;
  readonly logger: { warn(message: string): void };
  registerContextEngine(id: string, factory: (context: OpenclawEngineContext) => OpenclawContextEngine): void;
  registerTool(factory: (context: OpenclawToolContext) => OpenclawTool[], options: { names: string[] }): void;
  registerCommand(command: OpenclawCommand): void;
}

/** A command that a person enters in a chat. */
export interface OpenclawCommand {
  name: string;
  description: string;
  handler(context: { readonly sessionId?: string | undefined }): Promise<{ text: string }>;
}

/** What OpenClaw passes to the factory of an engine. */
export interface OpenclawEngineContext {
  /** The agent's folder for state. */
  readonly agentDir?: string | undefined;
}

/** The conversation in which a tool is offered. */
export interface OpenclawToolContext extends OpenclawEngineContext {
  readonly sessionId?: string | undefined;
}

/** A tool that the model can call. */
export interface OpenclawTool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  /** Otherwise the model has to find the tool with `tool_search` first. */
  catalogMode: 'direct-only';
  execute(
    id: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: unknown }>;
}

/** The part of OpenClaw's `ContextEngine` that the plugin implements. OpenClaw creates one for each turn. */
export interface OpenclawContextEngine {
  readonly info: {
    readonly id: string;
    readonly name: string;
    readonly ownsCompaction: true;
    readonly acceptedHostParams: ('runtimeContext' | 'runtimeSettings' | 'sessionKey')[];
    readonly transcriptSemantics: {
      readonly currentTurnFence: 'before-current-turn-entry-v1';
      readonly turnAdvancementIdempotency: 'atomic-idempotent-v1';
    };
    readonly hostRequirements: {
      readonly 'agent-run': { readonly requiredCapabilities: 'assemble-before-prompt'[] };
    };
  };
  ingest(given: object): Promise<{ ingested: boolean }>;
  assemble<Message extends PiMessage>(
    given: OpenclawHistory<Message>,
  ): Promise<{ messages: Message[]; estimatedTokens: number }>;
  compact(given: OpenclawCompaction): Promise<OpenclawCompactionResult>;
  commitTurn(given: { readonly advancementKey: string }): Promise<{ status: 'committed' | 'duplicate' }>;
}

/** The history before the current turn, and what is known of the request. */
interface OpenclawHistory<Message> {
  readonly sessionId: string;
  /** Names the session in OpenClaw's store. */
  readonly sessionKey?: string | undefined;
  /** The newest messages of the history. In later requests of a turn what the engine returned for the first one. */
  readonly messages: Message[];
  /** Tokens. First what is left for messages; in later requests of a turn the window without the messages of the turn. */
  readonly tokenBudget?: number | undefined;
  readonly model?: string | undefined;
  readonly runtimeSettings?: OpenclawSettings | undefined;
}

interface OpenclawSettings {
  /** Tokens. Only the first request of a turn, or after a refusal, has `maxOutputTokens`. */
  readonly limits: { readonly promptTokenBudget: number | null; readonly maxOutputTokens: number | null };
  /** Why OpenClaw asks: `context_overflow` after a refusal for size. */
  readonly diagnostics?: { readonly degradedReason: string | null };
}

interface OpenclawCompaction {
  readonly sessionId: string;
  /** Tokens of the prompt, as OpenClaw counts them. */
  readonly currentTokenCount?: number | undefined;
  /** What a person wrote after `/compact`. */
  readonly customInstructions?: string | undefined;
  readonly runtimeSettings?: OpenclawSettings | undefined;
  readonly runtimeContext?: OpenclawCallContext | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** What OpenClaw offers to an engine while it waits for the result. */
interface OpenclawCallContext {
  /** Why it asks: `manual` after `/compact`. */
  readonly trigger?: unknown;
  readonly llm?: OpenclawLlm | undefined;
}

/** Asks the model of the agent. */
export interface OpenclawLlm {
  complete(given: {
    messages: { role: 'user'; content: string }[];
    purpose: string;
    maxTokens: number;
    signal: AbortSignal;
  }): Promise<OpenclawCompletion>;
}

/** Tokens in `usage`. */
interface OpenclawCompletion {
  readonly text: string;
  readonly stopReason?: string;
  readonly usage: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cacheReadTokens?: number;
    readonly cacheWriteTokens?: number;
  };
}

/** What the engine answers to a request to compact. All sizes in tokens. */
export interface OpenclawCompactionResult {
  ok: boolean;
  compacted: boolean;
  reason?: string;
  result?: { tokensBefore: number; tokensAfter?: number };
}

/** What OpenClaw's `readSessionTranscriptEvents` returns: what it has stored of a session, with branches that were left. */
export interface OpenclawEvent {
  /** `message`, `reset` (the conversation starts again in the same session), and others. */
  readonly type: string;
  readonly id?: string | undefined;
  readonly parentId?: string | null | undefined;
  readonly message?: PiMessage | undefined;
}

/** Reads what OpenClaw has stored of a session. */
export type ReadEvents = (session: {
  readonly sessionId: string;
  readonly sessionKey: string;
}) => Promise<readonly OpenclawEvent[]>;
