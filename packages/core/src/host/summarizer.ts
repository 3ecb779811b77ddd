import type { Usage } from '../engine/model.ts';
import type { Message } from '../messages/message.ts';

/** One section of a summary. */
export interface TemplateSection {
  readonly heading: string;
  /** Instruction for the writer. */
  readonly ask: string;
  /** The text of an empty section, such as `None.` */
  readonly empty: string;
  /** True for a section that rules write from the transcript. A model is not asked for it. @default false */
  readonly byRules?: boolean | undefined;
}

/** The shape of a summary, as data. */
export interface SummaryTemplate {
  readonly name: string;
  readonly sections: readonly TemplateSection[];
}

/** Messages that stay in the transcript next to a summary. */
export interface KeptMessages {
  readonly messages: readonly Message[];
  /** Positions in `messages` of a person's words. */
  readonly requests: readonly number[];
}

/** The source of a summary, for writers that use no language model. Already redacted. */
export interface SummaryMaterial {
  /** The turns to condense, in order. */
  readonly messages: readonly Message[];
  /**
   * Positions in `messages` of the current request. The request follows the summary verbatim, so the summary need not
   * repeat it.
   */
  readonly carried?: readonly number[] | undefined;
  /**
   * Positions in `messages` of a person's words. Other user messages are data from a harness or a document. A message
   * with both is passed as two messages. @default the messages that contain a person's words
   */
  readonly requests?: readonly number[] | undefined;
  /**
   * Messages that stay before and after the summary, without system messages. The summary need not repeat them. They
   * may show the results of earlier work. @default nothing
   */
  readonly kept?: { readonly before: KeptMessages; readonly after: KeptMessages } | undefined;
  /** The previous summary, to be updated; `null` the first time. */
  readonly previousSummary: string | null;
  readonly template: SummaryTemplate;
  readonly focusTopic: string | null;
}

export interface SummarizeRequest {
  /** The whole prompt for a language model, as one user message. Already redacted. */
  readonly prompt: string;
  /**
   * The prompt without the turns, for a model that already has the conversation. Redacted. Absent when the turns are
   * sent in parts.
   */
  readonly instruction?: string | undefined;
  /** Desired length of the summary in tokens. Stated in the prompt; not a hard limit. */
  readonly budgetTokens: number;
  /**
   * For an offline writer: tokens of the budget to leave free for the user's rules, which are added later.
   * @default 0
   */
  readonly reservedTokens?: number | undefined;
  readonly material: SummaryMaterial;
  readonly signal?: AbortSignal | undefined;
}

/** A line of a summary and the messages that it is about. */
export interface SummaryLine {
  /** The text of the line, exactly as in the summary, without its line break. */
  readonly text: string;
  /** Positions in {@link SummaryMaterial.messages}. */
  readonly from: readonly number[];
}

export interface SummarizeResponse {
  readonly text: string;
  /** Why the writer stopped; `length` means the text is cut off. @default 'stop' */
  readonly finishReason?: 'stop' | 'length' | 'refusal' | undefined;
  readonly usage?: Usage | undefined;
  /** From an offline writer: the lines whose source it knows, in the order of the text. @default none */
  readonly lines?: readonly SummaryLine[] | undefined;
}

/**
 * Writes summaries, with a model or by rules. Rejects on failure; the error's `status` and `code` are used to classify
 * it.
 */
export interface Summarizer {
  /** Names the writer in reports, such as `openai:small-2`. */
  readonly id: string;
  /** Its context window in tokens. If omitted, it is assumed to be large enough. */
  readonly contextLength?: number | undefined;
  /** The longest wait for an answer of one call, in milliseconds. @default the engine's limit */
  readonly timeoutMs?: number | undefined;
  /** True for a writer that calls no model. It is also used where model calls are not allowed. @default false */
  readonly offline?: boolean | undefined;
  summarize(request: SummarizeRequest): Promise<SummarizeResponse>;
}
