import type { Message } from './message.ts';
import type { Usage } from './model.ts';

/** One section of a summary. */
export interface TemplateSection {
  readonly heading: string;
  /** What the writer is asked for. */
  readonly ask: string;
  /** What stands there when there is nothing to say, such as `None.` */
  readonly empty: string;
}

/** The shape of a summary, as data. */
export interface SummaryTemplate {
  readonly name: string;
  readonly sections: readonly TemplateSection[];
}

/** What a summary is written from, for writers that are no language model. Redacted already. */
export interface SummaryMaterial {
  /** The turns to condense, in order. */
  readonly messages: readonly Message[];
  /** Positions in `messages` of the current request, which stands behind the summary word for word: none of it has to be quoted. */
  readonly carried?: readonly number[] | undefined;
  /**
   * Positions in `messages` of what a person typed. Other user messages are a harness's or a document's: data. A message
   * that holds both comes as two. @default those that core's `isRequest` takes for requests
   */
  readonly requests?: readonly number[] | undefined;
  /** The summary so far, to be carried on; `null` the first time. */
  readonly previousSummary: string | null;
  readonly template: SummaryTemplate;
  readonly focusTopic: string | null;
}

export interface SummarizeRequest {
  /** The whole request for a language model, as one user message. Redacted already. */
  readonly prompt: string;
  /** How long the summary should be, in tokens. A wish, said in the prompt; never a hard cap on the wire. */
  readonly budgetTokens: number;
  readonly material: SummaryMaterial;
  readonly signal?: AbortSignal | undefined;
}

export interface SummarizeResponse {
  readonly text: string;
  /** Why the writer stopped; `length` means the text is cut off. @default 'stop' */
  readonly finishReason?: 'stop' | 'length' | 'refusal' | undefined;
  readonly usage?: Usage | undefined;
}

/** Who writes summaries: a model behind an SDK, or rules. Rejects when it cannot; an error's `status` and `code` are read. */
export interface Summarizer {
  /** Names the writer in reports, such as `openai:gpt-5-mini`. */
  readonly id: string;
  /** Its own context window in tokens; unknown means: as large as needed. */
  readonly contextLength?: number | undefined;
  /** True for a writer that calls no model: it is free, and runs where model calls are not allowed. @default false */
  readonly offline?: boolean | undefined;
  summarize(request: SummarizeRequest): Promise<SummarizeResponse>;
}
