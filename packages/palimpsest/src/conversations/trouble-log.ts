import type { SessionEvent } from '@palimpsest/session';
import { conversationProblem } from '../proxy/problem-log.ts';

/** Something that went wrong in a conversation. Has no text of it. */
export interface Trouble {
  /** One sentence. */
  readonly words: string;
  /** How often it happened in a row. */
  readonly times: number;
  /** The last time, in milliseconds since the epoch. */
  readonly at: number;
}

type Refused = Extract<SessionEvent, { readonly type: 'request-refused' }>;

const maxTroubles = 20;

/** The refusals and failures of one conversation. */
export class TroubleLog {
  #all: readonly Trouble[] = [];

  /** The newest first. */
  get newest(): readonly Trouble[] {
    return this.#all;
  }

  /** Notes an event of the session, if it is a refusal or a failure. */
  note(event: SessionEvent): void {
    const words = troubleWords(event);
    if (words === null) return;
    const [last, ...others] = this.#all;
    const isSame = last?.words === words;
    const rest = isSame ? others : this.#all;
    this.#all = [{ words, times: isSame ? last.times + 1 : 1, at: event.at }, ...rest].slice(0, maxTroubles);
  }
}

function troubleWords(event: SessionEvent): string | null {
  switch (event.type) {
    case 'request-refused':
      return refusalWords(event);
    case 'summary-end':
      return event.failure && `The model wrote no summary: ${event.failure}.`;
    case 'summary-fallback':
      return `Compacted without the summary that was asked for: ${event.reason}`;
    case 'store-failed':
      return `Its state could not be ${event.operation === 'read' ? 'read' : 'stored'}: ${event.reason}`;
    default:
      return conversationProblem(event);
  }
}

function refusalWords({ class: cause, status, action }: Refused): string {
  const by = status === null ? 'did not answer, or broke off' : `refused a request with ${status}`;
  return `The provider ${by} (${causes[cause]}); ${reactions[action]}.`;
}

const causes: Readonly<Record<Refused['class'], string>> = {
  'context-overflow': 'the prompt was too long',
  'output-cap': 'the answer was allowed to be too long',
  'payload-too-large': 'the request was too large',
  'image-too-large': 'a picture was too large',
  'rate-limit': 'too many requests or tokens',
  access: 'the key, plan or balance does not allow it',
  server: 'it failed or is overloaded',
  network: 'the connection failed',
  cancelled: 'cancelled',
  'invalid-request': 'the request was invalid',
  unknown: 'without a reason',
};

const reactions: Readonly<Record<Refused['action'], string>> = {
  compact: 'it was sent again, compacted',
  'lower-output': 'it was sent again with a lower limit for the answer',
  'strip-media': 'it was sent again with fewer or smaller pictures',
  'strip-reasoning': 'it was sent again without reasoning',
  'strip-tool-parts': 'it was sent again with plain text from tools',
  none: 'the agent got the refusal',
};
