import type { PiMessage } from '@palimpsest/formats';
import type { PiAnswer } from './answer.ts';

/**
 * The part of pi's `ExtensionAPI` that the extension uses. Structurally typed, because pi has two package names:
 * `@mariozechner/pi-coding-agent` and `@earendil-works/pi-coding-agent`.
 */
export interface PiApi {
  on(event: 'session_start' | 'session_shutdown', handler: (event: object, context: PiContext) => Promise<void>): void;
  on(
    event: 'context',
    handler: <M extends PiMessage>(
      event: { readonly messages: M[] },
      context: PiContext,
    ) => Promise<{ messages: M[] } | undefined>,
  ): void;
  on(event: 'before_provider_request', handler: (event: { readonly payload: unknown }) => void): void;
  on(
    event: 'after_provider_response',
    handler: (event: { readonly headers: Readonly<Record<string, string>> }) => void,
  ): void;
  on(event: 'message_end', handler: (event: { readonly message: PiMessage }) => void): void;
  on(
    event: 'session_before_compact',
    handler: (event: PiCompaction, context: PiContext) => Promise<{ compaction: PiCompactionResult } | undefined>,
  ): void;
  registerTool(tool: PiTool): void;
  registerCommand(name: string, command: PiCommand): void;
  getActiveTools(): readonly string[];
  getAllTools(): readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[];
}

/** The part of pi's `ExtensionContext` that the extension uses. */
export interface PiContext {
  readonly model: PiModel | undefined;
  readonly signal: AbortSignal | undefined;
  readonly modelRegistry: PiModelRegistry;
  readonly sessionManager: {
    getSessionId(): string;
    getSessionDir(): string;
    /** Undefined for a session that is not stored. */
    getSessionFile(): string | undefined;
    getBranch(): readonly PiEntry[];
  };
  getSystemPrompt(): string;
  readonly ui: { notify(message: string, type?: 'info'): void };
}

/** Sends requests with pi's own access to its models. */
interface PiModelRegistry {
  /** Not in 0.73. */
  readonly streamSimple?: PiStream;
}

/** `streamSimple` of pi's package `pi-ai`. */
type PiStream = (
  model: PiModel,
  context: { readonly messages: readonly PiMessage[] },
  options: object,
) => { result(): Promise<PiAnswer> };

/** A model of pi. */
export interface PiModel {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** The longest answer in tokens. */
  readonly maxTokens: number;
}

/** A line of a session file: a message, or something else that has other fields. */
export interface PiEntry {
  readonly type: string;
  readonly id: string;
}

/** A compaction that pi is about to make. */
export interface PiCompaction {
  readonly preparation: { readonly tokensBefore: number };
  readonly branchEntries: readonly PiEntry[];
  /** What a person wrote after `/compact`. */
  readonly customInstructions?: string | undefined;
  /** Why pi compacts. Not known in 0.73. */
  readonly reason?: 'manual' | 'threshold' | 'overflow';
  readonly signal: AbortSignal;
}

/** A compaction, as pi stores it in its session file. */
export interface PiCompactionResult {
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
}

/** A command that a person enters. */
export interface PiCommand {
  description: string;
  handler(input: string, context: PiContext): Promise<void>;
}

/** A tool that the model can call. */
export interface PiTool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(
    id: string,
    input: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: undefined }>;
}
