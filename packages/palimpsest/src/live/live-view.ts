import { printable } from '@palimpsest/command-line/printable';
import type { CompactionRecord } from '@palimpsest/session';
import { compactionWords } from '../conversations/compaction-words.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { Trouble } from '../conversations/trouble-log.ts';
import type { ProblemLog } from '../proxy/problem-log.ts';
import { type LiveBlock, liveBlocks } from './blocks.ts';
import { contextWords, type LiveMode, removalWords, savingWords } from './words.ts';

/** What the live view shows: the page and `palimpsest top` are drawn from it. JSON, without text of a conversation. */
export interface LiveView {
  readonly version: 2;
  readonly engine: string;
  /** Where requests go. */
  readonly addresses: string;
  /** True if requests are sent unchanged, and only figures are reported. */
  readonly isObserving: boolean;
  /** What went wrong over all conversations, in sentences. */
  readonly problems: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The most recently used first. */
  readonly conversations: readonly LiveConversation[];
}

/** What the live view shows of a conversation. */
export interface LiveConversation extends ConversationStats {
  /** The agent and the model. */
  readonly title: string;
  readonly mode: LiveMode;
  /** Tokens of a prompt from which it is compacted; `null` if that is not known. */
  readonly compactsAt: number | null;
  /** What the context holds. */
  readonly now: readonly LiveBlock[];
  /** What left it. */
  readonly left: readonly LiveBlock[];
  /** Sentences: what was saved, what the context holds, what left it. */
  readonly words: { readonly saved: readonly string[]; readonly context: string; readonly left: string | null };
  /** The compactions, the newest first. */
  readonly history: readonly LiveCompaction[];
  /** Refusals and failures, the newest first. */
  readonly troubles: readonly Trouble[];
  /** The answer to the last button or key. */
  readonly notice: Notice | null;
}

/** A compaction, and why it was made. */
export interface LiveCompaction extends Pick<CompactionRecord, 'at' | 'tokensBefore' | 'tokensAfter' | 'undone'> {
  readonly words: string;
}

/** The answer to a button or key. */
export interface Notice {
  readonly at: number;
  readonly words: string;
}

/** What the live view shows of the proxy itself. */
export interface ProxyStatus {
  /** The name of the engine. */
  readonly engine: string;
  readonly addresses: string;
  readonly isObserving: boolean;
  readonly problems: Pick<ProblemLog, 'summary'>;
  now(): number;
}

/** The live view of conversations. @param noticeOf the answer to the last button */
export async function liveView(
  conversations: readonly Conversation[],
  { engine, addresses, isObserving, problems, now }: ProxyStatus,
  noticeOf: (conversation: Conversation) => Notice | null,
): Promise<LiveView> {
  return {
    version: 2,
    engine: printable(engine, 100),
    addresses: printable(addresses, 600),
    isObserving,
    problems: problems.summary.map((text) => `${text[0]!.toUpperCase()}${text.slice(1)}.`),
    now: now(),
    conversations: await Promise.all(conversations.map((one) => liveConversation(one, noticeOf(one)))),
  };
}

async function liveConversation(conversation: Conversation, notice: Notice | null): Promise<LiveConversation> {
  const { hasPrices, shown, stats, troubles } = conversation;
  const session = await conversation.session?.catch(() => null);
  const status = session?.status();
  const records = new Map(session?.records().map((record) => [record.number, record]));
  const mode: LiveMode = stats.isHeldOut ? 'held-out' : status?.held ? 'paused' : 'automatic';
  const compactsAt = status?.compactsAt ?? null;
  const { now, left } = shown ? liveBlocks(shown) : { now: [], left: [] };
  const named = { ...stats, model: printable(stats.model, 60), agent: printable(stats.agent, 60) };
  return {
    ...named,
    title: `${named.agent.replace(/ .*/, '').replace(/\/(?=v?\d)/, ' ') || 'unknown agent'}, ${named.model}`,
    mode,
    compactsAt,
    now,
    left,
    words: {
      saved: savingWords(named, hasPrices),
      context: contextWords({ ...named, compactsAt, mode }),
      left: removalWords(left),
    },
    history: stats.compactions.toReversed().map((then) => {
      // Its costs, and whether it was undone, come later.
      const record = records.get(then.number) ?? then;
      const { at, tokensBefore, tokensAfter, undone } = record;
      return { at, tokensBefore, tokensAfter, undone, words: `${compactionWords(record)}${undone ? ', undone' : ''}` };
    }),
    troubles: troubles.newest,
    notice,
  };
}
