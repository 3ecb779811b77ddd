import type { ContextConfig } from '@palimpsest/registry';
import type { ModelPrices } from '@palimpsest/tokens/models';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { ConversationLimits } from '../conversations/conversations.ts';
import type { ProxyObserver } from './events/proxy-event.ts';
import type { ServerLimits } from './serving/create-limited-server.ts';
import type { Tenants } from './tenants/tenants.ts';
import type { Upstreams } from './upstreams.ts';

/** How a proxy is started. */
export interface ProxyOptions {
  readonly upstreams: Upstreams;
  /** The address to listen on. Other machines reach it only with tenants. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** Those who may use the proxy, by their tokens. With them, there is no live view. @default programs on this machine */
  readonly tenants?: Tenants | undefined;
  readonly serverLimits?: ServerLimits | undefined;
  /** The engine and its options. */
  readonly config: ContextConfig;
  /** The file that `config` is from, for errors. @default none */
  readonly configFile?: string | undefined;
  /** The home folder, with the socket on which `palimpsest mcp` finds the conversations. @default no socket */
  readonly home?: string | undefined;
  /** The project folder, where engines and packages are looked for. */
  readonly directory: string;
  /** The largest window to use, in tokens; also the window of unknown models. */
  readonly window?: number | undefined;
  /** The prices of all models. @default list prices */
  readonly prices?: ModelPrices | undefined;
  /** Sends every request unchanged, and only reports what would have been changed. */
  readonly isObserving?: boolean | undefined;
  /** Lets the model search what was removed. Its calls are answered by the proxy. @default true */
  readonly recall?: boolean | undefined;
  /**
   * Who writes the summaries: the model of the conversation, with the agent's own login, or rules. While observing, always
   * rules. @default 'model'
   */
  readonly summaries?: 'model' | 'rules' | undefined;
  /**
   * Share of the conversations that is compacted only when it must be, 0 to 1, so that the others can be compared with
   * them. @default 0
   */
  readonly holdout?: number | undefined;
  /**
   * Compaction as the provider defines it: `serve` to make it here, `auto` to make it here where the upstream refuses it.
   * @default 'auto'
   */
  readonly compaction?: 'auto' | 'serve' | undefined;
  /** Keeps conversations across restarts, and for other processes. Not closed. @default memory only */
  readonly store?: ConversationStore | undefined;
  readonly limits?: ConversationLimits | undefined;
  /** Called after each compaction. */
  readonly onCompaction?: ((conversation: ConversationStats) => void) | undefined;
  /** Called with every event for logs and metrics. */
  readonly onEvent?: ProxyObserver | undefined;
  /** Called when a conversation cannot be compacted or stored. The text contains nothing of the conversation. */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined;
}
