import type { SummarizeResponse, Usage } from '@palimpsest/core';

/** The answer to a request for a page. */
export interface PageAnswer {
  readonly text: string;
  /** True if the model called a tool. */
  readonly hasCalls: boolean;
  /** True if the answer ends at its output cap. */
  readonly isCut: boolean;
  readonly usage: Usage | null;
}

/** The page in an answer: empty if the model called a tool instead. */
export function toPage({ text, hasCalls, isCut, usage }: PageAnswer): SummarizeResponse {
  return { text: hasCalls ? '' : text, finishReason: isCut ? 'length' : 'stop', ...(usage && { usage }) };
}
