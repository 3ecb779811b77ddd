import type { CompactionRecord } from '@palimpsest/session';
import type { UpstreamName } from '../upstreams.ts';

/** A conversation that a request belongs to, in events. */
export interface EventConversation {
  readonly id: string;
  /** True if it is compacted only when it must be. */
  readonly isHeldOut: boolean;
}

/** What happens in a proxy, for logs and metrics. Contains no text of a conversation and no key. */
export type ProxyEvent =
  | {
      readonly type: 'request';
      readonly tenant: string | null;
      readonly upstream: UpstreamName;
      readonly method: string;
      /** The status that the client got; 0 when it left before. */
      readonly status: number;
      /** Milliseconds from the headers of the request to the end of the reply. */
      readonly durationMs: number;
      /** Milliseconds from the end of the request's body to the first call of the provider; `null` without a call. */
      readonly addedMs: number | null;
      /** `null` for a request without a conversation. */
      readonly conversation: EventConversation | null;
    }
  /** What was sent and paid since the last event of a conversation. */
  | {
      readonly type: 'usage';
      readonly tenant: string | null;
      readonly conversation: EventConversation;
      /** Prompt tokens that were sent, and those that the client sent. */
      readonly sentTokens: number;
      readonly originalTokens: number;
      /** Dollars at list prices; 0 where no price is known. */
      readonly paidDollars: number;
      /** What the answers would have cost if the client's prompts had been sent. */
      readonly originalDollars: number;
    }
  | {
      readonly type: 'compaction';
      readonly tenant: string | null;
      readonly conversation: EventConversation;
      readonly trigger: CompactionRecord['trigger'];
      /** Who wrote the summary. */
      readonly writer: 'model' | 'rules';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** A summary that could not be used: the model failed, or its page was rejected. */
  | {
      readonly type: 'summary-failed';
      readonly tenant: string | null;
      readonly conversation: EventConversation;
      readonly reason: string;
    }
  /** A request that the proxy refused. */
  | {
      readonly type: 'refused';
      readonly tenant: string | null;
      /** The address that the connection comes from, such as that of a load balancer; `null` if it is closed already. */
      readonly client: string | null;
      readonly status: number;
      readonly reason: string;
    }
  /** A state could not be stored or read. The reason names the store. */
  | { readonly type: 'store-failed'; readonly reason: string }
  /** The store answers again. Comes once after any number of failures. */
  | { readonly type: 'store-back'; readonly downMs: number };

/** Gets all events of a proxy. */
export type ProxyObserver = (event: ProxyEvent) => void;
