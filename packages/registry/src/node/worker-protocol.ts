import type {
  Budget,
  CompressRequest,
  Dialect,
  Message,
  ModelInfo,
  Origin,
  SessionInfo,
  SummarizeResponse,
  TriggerOptions,
  Usage,
} from '@palimpsest/core';
import type { EngineTools, Plan } from '@palimpsest/core/authoring';
import type { SchemaIssue } from '../config/option-issue.ts';

/** The messages between the main thread and a worker. Everything here survives a structured clone. */

/** Data passed to the worker when it starts. */
export interface ThreadData {
  /** URL of the engine's module. */
  readonly module: string;
}

/** The properties of a plugin that are not functions. */
interface Descriptor {
  readonly name: string;
  readonly apiVersion: number;
  readonly stateVersion: number | undefined;
  readonly migrates: boolean;
}

export interface SummarizerInfo {
  readonly id: string;
  readonly contextLength: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly offline: boolean | undefined;
}

export interface CreateAnswer {
  readonly initial: unknown;
  readonly tools: EngineTools['schemas'] | null;
  readonly trigger: Partial<TriggerOptions> | null;
}

/** A transcript with the host's token counts and the indices of the requests. */
export interface SentTranscript {
  readonly messages: readonly Message[];
  readonly tokens: readonly number[];
  readonly requests: readonly number[];
  /** Key that signs the handoffs written in this call. */
  readonly handoffKey?: string | undefined;
}

/** The history behind a transcript, and the origin in it of each message of the transcript. */
interface SentSource extends SentTranscript {
  readonly origins: readonly Origin[];
}

/** The calls of the main thread: parameters and answers by name. */
export interface Calls {
  describe: { parameters: Record<never, never>; answer: Descriptor };
  validate: { parameters: { options: unknown }; answer: readonly SchemaIssue[] };
  create: {
    parameters: {
      options: unknown;
      dialect: Dialect;
      handoffKey?: string | undefined;
      summarizer: SummarizerInfo | null;
      fallbackSummarizer: SummarizerInfo | null;
    };
    answer: CreateAnswer;
  };
  budget: { parameters: { model: ModelInfo }; answer: Budget };
  migrate: { parameters: { state: unknown; fromVersion: number }; answer: unknown };
  plan: {
    parameters: {
      transcript: SentTranscript;
      source: SentSource | undefined;
      request: CompressRequest;
      budget: Budget;
      state: unknown;
      strikes: number;
    };
    answer: {
      readonly plan: Plan<unknown>;
      readonly status: Readonly<Record<string, unknown>>;
      /** Why `status` failed. The plan is used anyway. */
      readonly statusFailure: SentError | null;
    };
  };
  tool: {
    parameters: { name: string; input: Record<string, unknown>; messages: readonly Message[]; state: unknown };
    answer: string;
  };
  start: { parameters: { info: SessionInfo }; answer: unknown };
  turn: { parameters: { messages: readonly Message[]; usage: Usage | null }; answer: null };
  end: { parameters: { messages: readonly Message[] }; answer: null };
}

export type CallName = keyof Calls;

/** Messages from the main thread to the worker. */
export type ToThread =
  | {
      readonly [Name in CallName]: {
        readonly kind: 'call';
        readonly id: number;
        readonly name: Name;
        readonly parameters: Calls[Name]['parameters'];
      };
    }[CallName]
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'summarized'; readonly id: number; readonly response: SummarizeResponse }
  | { readonly kind: 'summary-failed'; readonly id: number; readonly error: SentError };

/** Messages from the worker to the main thread. */
export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'event'; readonly event: unknown }
  | {
      readonly kind: 'summarize';
      readonly id: number;
      readonly which: 'summarizer' | 'fallbackSummarizer';
      readonly request: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'summarize-abort'; readonly id: number };

/** An error as it is sent: the fields that the other side reads. */
export interface SentError {
  readonly message: string;
  readonly code: string | number | undefined;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** True for a {@link PalimpsestError}. */
  readonly ours: boolean;
}
