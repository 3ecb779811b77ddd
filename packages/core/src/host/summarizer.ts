import type { Message } from '../messages/message.ts';

/**
 * A part of a handoff that rules write from the transcript: the open task, the user's rules, the user's messages with
 * the agent's words, what the agent did, how things stand, the files, the task list, and quotations.
 */
export type RecordPart = 'task' | 'rules' | 'messages' | 'work' | 'state' | 'files' | 'plan' | 'context';

/** One section of a summary. A section without content is left out. */
export interface TemplateSection {
  readonly heading: string;
  /** Instruction for the writer. */
  readonly ask: string;
  /**
   * What rules write into the section, before the model's words. A part that no section names gets a section of its
   * own. @default nothing
   */
  readonly part?: RecordPart | undefined;
  /** True for a section that only rules write. A model is not asked for it. @default false */
  readonly byRules?: boolean | undefined;
  /**
   * True for a section whose text a reader would take for the user's words. A model's words in it are marked as such, as
   * they are in each section with a part. @default false
   */
  readonly isOfUser?: boolean | undefined;
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
  readonly fromPerson: readonly number[];
}

/** The source of a summary, for writers that use no language model. Already redacted. */
export interface SummaryMaterial {
  /** The turns to summarize, in order. */
  readonly messages: readonly Message[];
  /**
   * Positions in `messages` of the current task. The task follows the summary verbatim, so the summary need not
   * repeat it.
   */
  readonly carried?: readonly number[] | undefined;
  /**
   * Positions in `messages` of a person's words. Other user messages are data from a harness or a document. A message
   * with both is passed as two messages. @default the messages that contain a person's words
   */
  readonly fromPerson?: readonly number[] | undefined;
  /**
   * Messages that stay before and after the summary, without system messages. The summary need not repeat them. They
   * may show the results of earlier work. @default nothing
   */
  readonly kept?: { readonly before: KeptMessages; readonly after: KeptMessages } | undefined;
  /** The previous summary, to be updated; `null` the first time. */
  readonly previousSummary: string | null;
  readonly template: SummaryTemplate;
  readonly focusTopic: string | null;
  /** Positions in `messages` of texts to carry verbatim. @default none */
  readonly pins?: readonly number[] | undefined;
}

/** What a summarizer is asked. */
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

/** Token usage of one request, as the provider reported it. */
export interface Usage {
  /** Tokens of the whole prompt, including cached ones. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** What a summarizer returns. */
export interface SummarizeResponse {
  readonly text: string;
  /** Why the writer stopped; `length` means the text is cut off. @default 'stop' */
  readonly finishReason?: 'stop' | 'length' | 'refusal' | undefined;
  readonly usage?: Usage | undefined;
  /** Who wrote it, if a summarizer asked another one. @default the id of the summarizer */
  readonly writer?: string | undefined;
  /** From an offline writer: the lines whose source it knows, in the order of the text. @default none */
  readonly lines?: readonly SummaryLine[] | undefined;
  /** True if the text is a whole handoff, to which rules need not add anything. @default false */
  readonly hasRecord?: boolean | undefined;
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
