import type { SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';
import { failureError, type SummarizerFailure } from './summarizer-failure.ts';

/** What a scripted summarizer does when it is called: answers, answers by a function of the request, or fails. */
export type ScriptedReply =
  | string
  | SummarizeResponse
  | SummarizerFailure
  | ((request: SummarizeRequest, call: number) => string | SummarizeResponse);

/** A summarizer that does what it is told and remembers what it was asked. */
export interface ScriptedSummarizer extends Summarizer {
  /** Every request so far, oldest first, those beyond the script included. */
  readonly calls: readonly SummarizeRequest[];
  /** How often it was called after its script had ended. An engine may have swallowed the error: assert on this too. */
  readonly overrun: number;
}

/**
 * Plays a script, one reply a call, and rejects when it is asked for more. A single reply instead of a list is given
 * to every call.
 *
 * @example
 * scriptedSummarizer([{ failure: 'status', status: 503 }, writtenSummary])
 */
export function scriptedSummarizer(
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
          `The script of this summarizer has ${replies?.length} replies; it was called ${calls.length} times.`,
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
      const whole = writtenSummary(request);
      return { text: whole.slice(0, Math.ceil(whole.length / 2)), finishReason: 'length' };
    }
    case 'too-long':
      return {
        text:
          writtenSummary(request) +
          '\n- and one more thing'.repeat(Math.ceil((reply.characters ?? tooMany(request)) / 21)),
      };
    case 'no-headings':
      return { text: 'The user asked for something, the assistant did some of it, and the rest is still open.' };
    default:
      return stall(request.signal);
  }
}

/** More characters than what is summarized holds, pictures counted generously. */
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

/** A short, well-formed summary for whatever template the request has: every heading, with a line or its empty value. */
export function writtenSummary(request: SummarizeRequest): string {
  const { template, messages } = request.material;
  return template.sections
    .map(
      ({ heading, empty }, index) =>
        `## ${heading}\n${index % 3 === 0 ? `Noted from ${messages.length} messages.` : empty}`,
    )
    .join('\n\n');
}
