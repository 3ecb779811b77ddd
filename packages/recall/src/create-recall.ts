import { isRecallTool } from '@palimpsest/agents';
import { type Message, systemClock } from '@palimpsest/core';
import {
  checkOptions,
  filledTextRule,
  functionRule,
  groupRule,
  methodsRule,
  numberRule,
  type RulesOf,
  timeoutRule,
} from '@palimpsest/core/authoring';
import { createTokenCounter } from '@palimpsest/tokens';
import { Archive } from './archive/archive.ts';
import type { RecallEvent } from './archive/key-value-storage.ts';
import { type Entry, type Found, HiddenIndex } from './hidden/hidden-index.ts';
import type { Projection } from './hidden/hidden-text.ts';
import { sharedIndexes } from './hidden/index-pool.ts';
import type { Recall, RecallHit, RecallOptions } from './recall.ts';
import type { CountText } from './tools/answer.ts';
import { answerExpand } from './tools/answer-expand.ts';
import { answerRecall } from './tools/answer-recall.ts';
import { type CallArguments, readArguments } from './tools/arguments.ts';
import { searchHidden } from './tools/search-hidden.ts';
import type { ToolContext } from './tools/tool-context.ts';
import { defaultHits, recallTools } from './tools/tool-schemas.ts';

const minTokens = 200;
/** Maximum number of invalid refs whose call is remembered. */
const maxFormer = 1000;

/**
 * Creates a {@link Recall} for one conversation. It reads only what the host passes to it.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function createRecall(options: RecallOptions): Recall {
  checkOptions('createRecall', options, recallRules, 'an object with sessionId and redact');
  const { sessionId, redact, maxTokens = 2000, clock = systemClock } = options;
  const count: CountText = options.countText ?? createTokenCounter().countText;
  const emit = (event: RecallEvent): void => options.onEvent?.(event);
  const archive = new Archive({ sessionId, redact, clock, emit, store: options.store, bounds: options.archive ?? {} });
  let index = new HiddenIndex(sessionId);
  const formerHeads = new Map<string, string>();
  let history: readonly Message[] = [];
  let projection: Projection | null = null;
  let isCurrent = true;

  const drop = (): void => {
    index = new HiddenIndex(sessionId);
    isCurrent = false;
  };
  const lease = sharedIndexes.lease(drop);
  const forget = rememberHeads(formerHeads);
  const follow = (): void => {
    if (!isCurrent) index.follow(history, projection, archive.texts(), forget);
    isCurrent = true;
    lease.reportUse(index.bytes);
  };
  const context = (): ToolContext => ({
    index,
    history,
    projection,
    count,
    maxTokens,
    formerHeads,
    aliases: archive.aliases,
    isIncomplete: archive.isIncomplete,
  });

  return {
    tools: recallTools,
    update(messages, shown = null) {
      history = [...messages];
      projection = shown;
      isCurrent = false;
    },
    async callTool(name, input) {
      if (!isRecallTool(name)) return `Unknown tool: ${String(name).slice(0, 80)}`;
      const given: CallArguments | null = readArguments(input);
      if (given === null) return 'The arguments are not a JSON object.';
      if (await archive.load()) isCurrent = false;
      follow();
      return name.endsWith('expand') ? answerExpand(given, context()) : answerRecall(given, context());
    },
    async search(query, limit = defaultHits) {
      if (await archive.load()) isCurrent = false;
      follow();
      return searchHidden(query, limit, { index, history }).map(toHit);
    },
    refsOf(at) {
      follow();
      return index.at(at).map(({ ref, tool, head }) => ({ ref, tool, head }));
    },
    async archive(messages, shown) {
      await archive.load();
      await archive.keep(messages, shown ?? null);
      isCurrent = false;
    },
    async clearArchive() {
      await archive.clear();
      isCurrent = false;
    },
    release() {
      lease.reportUse(0);
      drop();
    },
  };
}

function toHit({ entry: { ref, tool, head, at, text }, chunk }: Found): RecallHit {
  return { ref, tool, head, at, line: chunk.row, text: text.slice(chunk.from, chunk.to).trimEnd() };
}

/** Remembers the call of a text that is no longer hidden, so that an answer can name it if its ref is used again. */
function rememberHeads(heads: Map<string, string>): (entry: Entry) => void {
  return ({ ref, head }) => {
    if (heads.size >= maxFormer) heads.delete(heads.keys().next().value!);
    heads.set(ref, head);
  };
}

/** A rule for each option. The compiler rejects a list that is not complete. */
export const recallRules: RulesOf<RecallOptions> = {
  sessionId: { ...filledTextRule, isRequired: true },
  redact: { ...functionRule, isRequired: true },
  countText: functionRule,
  maxTokens: numberRule(minTokens, 1e6),
  store: methodsRule(
    'a storage with getItem, setItem, removeItem and getKeys, such as createStorage() of unstorage',
    ...['getItem', 'setItem', 'removeItem', 'getKeys'],
  ),
  archive: groupRule({
    maxCharacters: numberRule(0, 1e12),
    maxAgeMs: numberRule(0, 1e15),
    deadlineMs: timeoutRule,
  }),
  clock: methodsRule('a clock with now and schedule', 'now', 'schedule'),
  onEvent: functionRule,
};
