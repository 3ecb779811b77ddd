import type { Clock, Dialect, Message } from '@palimpsest/core';
import { createIntake, type Intake } from '../intake/intake.ts';
import { LastRequest } from './last-request.ts';
import { RecentRequests } from './recent-requests.ts';
import type { RememberedRounds } from './remembered-rounds.ts';

/** The caller's conversation: its last requests, and what is not in the caller's messages. */
export class ConversationState {
  readonly requests: RecentRequests = new RecentRequests();
  /** The last answered request, which a summarizer may send again to use its cache. */
  readonly lastRequest: LastRequest;
  /** Calls that were answered inside fetches. */
  readonly rounds: RememberedRounds;
  /** Repairs the caller's messages. */
  readonly intake: (source: readonly Message[]) => Intake;

  constructor(clock: Clock, dialect: Dialect | undefined, rounds: RememberedRounds) {
    this.rounds = rounds;
    this.lastRequest = new LastRequest(clock);
    this.intake = createIntake(dialect ?? 'openai');
  }

  forget(): void {
    this.requests.forget();
    this.lastRequest.forget();
    this.rounds.clear();
  }
}
