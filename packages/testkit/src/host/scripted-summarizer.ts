import type { SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { failureError, type SummarizerFailure } from './summarizer-failure.ts';

/** One reply of a scripted summarizer: a text, a response, a failure, or a function of the request. */
export type ScriptedReply =
  | string
  | SummarizeResponse
  | SummarizerFailure
  | ((request: SummarizeRequest, call: number) => string | SummarizeResponse);

/** A summarizer that plays a script and records its calls. */
export interface ScriptedSummarizer extends Summarizer {
  /** Every request so far, oldest first, including those after the end of the script. */
  readonly calls: readonly SummarizeRequest[];
  /** Number of calls after the end of the script. Assert on it too, because an engine may swallow the error. */
  readonly overrun: number;
}

/**
 * Creates a summarizer that plays one reply per call and rejects after the last one. A single reply instead of a list
 * is used for every call.
 *
 * @example
 * createScriptedSummarizer([{ failure: 'status', status: 503 }, writeShortSummary])
 */
export function createScriptedSummarizer(
  script: ScriptedReply | readonly ScriptedReply[],
  identity: Partial<Pick<Summarizer, 'id' | 'contextLength' | 'offline'>> = {},
): ScriptedSummarizer {
  const calls: SummarizeRequest[] = [];
  const replies = Array.isArray(script) ? (script as readonly ScriptedReply[]) : null;
  const endless = replies ? null : (script as ScriptedReply);
  return {
    id: 'scripted',
    ...identity,
    calls,
    get overrun() {
      return replies ? Math.max(0, calls.length - replies.length) : 0;
    },
    async summarize(request) {
      calls.push(request);
      const reply = endless ?? replies?.[calls.length - 1];
      if (reply === undefined)
        throw new Error(
          `The script of this summarizer has ${replies?.length} replies; it was called ${calls.length} times. Add replies to the script.`,
        );
      return play(reply, request, calls.length - 1);
    },
  };
}

async function play(reply: ScriptedReply, request: SummarizeRequest, call: number): Promise<SummarizeResponse> {
  if (typeof reply === 'function') return asResponse(reply(request, call));
  if (typeof reply === 'string' || !('failure' in reply)) return asResponse(reply);
  const error = failureError(reply);
  if (error) throw error.value;
  switch (reply.failure) {
    case 'html':
      return { text: '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>' };
    case 'empty':
      return { text: ' \n' };
    case 'refusal':
      return { text: "I'm sorry, but I can't help with that.", finishReason: 'refusal' };
    case 'cut-off': {
      const whole = writeShortSummary(request);
      return { text: whole.slice(0, Math.ceil(whole.length / 2)), finishReason: 'length' };
    }
    case 'too-long':
      return {
        text:
          writeShortSummary(request) +
          '\n- and one more thing'.repeat(Math.ceil((reply.characters ?? tooMany(request)) / 21)),
      };
    case 'no-headings':
      return { text: 'The user asked for something, the assistant did some of it, and the rest is still open.' };
    default:
      return stall(request.signal);
  }
}

/** Length of an output that is longer than the material it summarizes, in characters. */
function tooMany({ material }: SummarizeRequest): number {
  return Math.max(200_000, 2 * JSON.stringify(material.messages).length);
}

function asResponse(answer: string | SummarizeResponse): SummarizeResponse {
  return typeof answer === 'string' ? { text: answer } : answer;
}

function stall(signal: AbortSignal | undefined): Promise<SummarizeResponse> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal?.reason ?? new DOMException('This operation was aborted', 'AbortError'));
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Writes a short, well-formed summary for any template: a line under every third heading that a model is asked for. */
export function writeShortSummary(request: SummarizeRequest): string {
  const { template, messages } = request.material;
  return template.sections
    .filter(({ byRules }) => !byRules)
    .filter((_, index) => index % 3 === 0)
    .map(({ heading }) => `## ${heading}\nNoted from ${messages.length} messages.`)
    .join('\n\n');
}
