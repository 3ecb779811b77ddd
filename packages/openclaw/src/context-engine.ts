import type { PiMessage } from '@palimpsest/formats';
import type { Conversation } from './conversation.ts';
import type { OpenclawContextEngine, ReadEvents } from './openclaw-api.ts';

/** The id of the plugin and of its engine, for `plugins.slots.contextEngine`. */
export const pluginId = 'palimpsest';

/** OpenClaw counts four characters as a token. Output of commands has fewer. */
const charactersPerToken = 3;

/** The smallest window that a history is prepared for, in tokens. A long turn leaves less. */
const minRoomTokens = 2_000;

/** Creates the engine of one turn. OpenClaw asks it for the history before the turn, and appends the turn itself. */
export function createContextEngine(
  open: (sessionId: string) => Conversation,
  readEvents: ReadEvents,
): OpenclawContextEngine {
  /** The whole history before the turn. `null` before the first request. */
  let history: PiMessage[] | null = null;
  /** Tokens for the messages of this turn, without the system prompt and the answer. */
  let messageBudget = 0;
  /** Tokens that the history may have after a refusal for size. */
  let ceiling = Number.POSITIVE_INFINITY;
  const committed = new Set<string>();
  return {
    info: {
      id: pluginId,
      name: 'Palimpsest',
      ownsCompaction: true,
      acceptedHostParams: ['runtimeContext', 'runtimeSettings', 'sessionKey'],
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
      hostRequirements: { 'agent-run': { requiredCapabilities: ['assemble-before-prompt'] } },
    },
    // OpenClaw has stored the whole history, so there is nothing to store.
    ingest: async () => ({ ingested: false }),
    async commitTurn({ advancementKey }) {
      const status = committed.has(advancementKey) ? 'duplicate' : 'committed';
      committed.add(advancementKey);
      return { status };
    },
    async assemble({ sessionId, sessionKey, messages, tokenBudget = 0, model = 'unknown', runtimeSettings }) {
      const conversation = open(sessionId);
      let [room, turnTokens] = [tokenBudget, 0];
      if (history === null || typeof runtimeSettings?.limits.maxOutputTokens === 'number') {
        history = conversation.history.endingWith(
          messages,
          sessionKey ? await readEvents({ sessionId, sessionKey }) : [],
        );
        messageBudget = tokenBudget;
      } else if (tokenBudget > 0) {
        // Later budgets are the whole window without the messages of this turn.
        turnTokens = (runtimeSettings?.limits.promptTokenBudget ?? tokenBudget) - tokenBudget;
        room = Math.max(minRoomTokens, messageBudget - Math.ceil((turnTokens * 4) / charactersPerToken));
      }
      room = room > 0 ? Math.min(room, ceiling) : room;
      return conversation.prepare([...history] as typeof messages, { model, room, turnTokens });
    },
    async compact({ sessionId, currentTokenCount, customInstructions, abortSignal, runtimeContext, runtimeSettings }) {
      const conversation = open(sessionId);
      if (runtimeSettings?.diagnostics?.degradedReason === 'context_overflow') {
        const shrunk = await conversation.shrink();
        if (!shrunk) return { ok: false, compacted: false, reason: 'The history cannot be made smaller.' };
        ceiling = shrunk.room;
        const tokensBefore = currentTokenCount ?? shrunk.before;
        return {
          ok: true,
          compacted: true,
          reason: `The history has ${shrunk.after} tokens instead of ${shrunk.before}.`,
          result: { tokensBefore, tokensAfter: tokensBefore - shrunk.before + shrunk.after },
        };
      }
      // Without a request of the user, the agent waits, so rules write.
      const llm = runtimeContext?.trigger === 'manual' ? runtimeContext.llm : undefined;
      const feedback = await conversation.compact(customInstructions, abortSignal, llm);
      if (!feedback) return { ok: true, compacted: false, reason: 'The next request is compacted if it is too long.' };
      const { outcome, noop, headline, report } = feedback;
      return {
        ok: outcome !== 'failed' && outcome !== 'aborted',
        compacted: !noop,
        reason: headline,
        ...(report && {
          result: { tokensBefore: currentTokenCount ?? report.tokensBefore, tokensAfter: report.tokensAfter },
        }),
      };
    },
  };
}
