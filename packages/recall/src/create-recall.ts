import { type Clock, type Message, PalimpsestError, systemClock, type ToolSchema } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { Archive } from './archive/archive.ts';
import type { ArchiveOptions, RecallEvent, RecallStore } from './archive/recall-store.ts';
import { type Entry, HiddenIndex } from './hidden/hidden-index.ts';
import type { Projection } from './hidden/hidden-text.ts';
import type { CountText } from './tools/answer.ts';
import { answerExpand } from './tools/answer-expand.ts';
import { answerRecall } from './tools/answer-recall.ts';
import { type CallArguments, readArguments } from './tools/arguments.ts';
import type { ToolContext } from './tools/tool-context.ts';
import { isRecallTool } from './tools/tool-names.ts';
import { recallTools } from './tools/tool-schemas.ts';

/** Options of {@link createRecall}. */
export interface RecallOptions {
  /** The conversation. Refs and archived messages are valid only under the same id. */
  readonly sessionId: string;
  /** Masks secrets in what is stored and reported. Answers to the model quote what it saw before. */
  readonly redact: (text: string) => string;
  /** Counts the tokens of answers. @default the estimator of `@palimpsest/tokens` */
  readonly countText?: CountText | undefined;
  /** Size limit of one answer. Tokens, at least 200. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Keeps archived messages over restarts: any `unstorage` storage. @default memory */
  readonly store?: RecallStore | undefined;
  /** Bounds of the archive. */
  readonly archive?: ArchiveOptions | undefined;
  readonly clock?: Clock | undefined;
  /** Receives problems of the store. Must not throw. */
  readonly onEvent?: ((event: RecallEvent) => void) | undefined;
}

/** A hidden text by its ref. */
export interface RecallRef {
  readonly ref: string;
  /** Name of the called tool, or the role of the message. */
  readonly tool: string;
  /** The call on one line. */
  readonly head: string;
}

/** Searches what is hidden from the model in one conversation. */
export interface Recall {
  /** The declarations of `recall` and `expand`, in the format of OpenAI's chat completions. */
  readonly tools: readonly ToolSchema[];
  /**
   * Sets the current history, and what the model gets of it. Costs a copy of the list: texts are indexed at the next
   * call of a tool, and only those that are new.
   * @param history the untouched messages
   * @param projection the result of a compression of `history`; `null` when nothing is hidden. @default null
   */
  update(history: readonly Message[], projection?: Projection | null): void;
  /**
   * Answers a call of one of the tools. Problems are answered, not thrown, because the model has to read them.
   * @param input the arguments, as an object or as the JSON text that the model wrote
   */
  callTool(name: string, input: unknown): Promise<string>;
  /** The refs of the hidden texts of a message of the history, for stubs and summaries that mention them. */
  refsOf(at: number): readonly RecallRef[];
  /**
   * Keeps messages that the host is about to remove from its history, masked. Resolves when they are written; problems
   * of the store are reported as events.
   * @param projection keeps only what it hides. @default all messages are kept
   */
  archive(messages: readonly Message[], projection?: Projection): Promise<void>;
  /** Removes everything that was archived under this session id, also from the store. */
  clearArchive(): Promise<void>;
}

const leastTokens = 200;
/** Refs that became invalid and whose call is remembered. */
const mostFormer = 1000;

/**
 * Creates the recall of one conversation. It reads only what the host passes to it.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function createRecall(options: RecallOptions): Recall {
  checkOptions(options);
  const { sessionId, redact, maxTokens = 2000, clock = systemClock } = options;
  const counter = createTokenCounter();
  const count: CountText = options.countText ?? ((text) => counter.countText(text));
  const emit = (event: RecallEvent): void => options.onEvent?.(event);
  const archive = new Archive({ sessionId, redact, clock, emit, store: options.store, bounds: options.archive ?? {} });
  const index = new HiddenIndex(sessionId);
  const formerHeads = new Map<string, string>();
  let history: readonly Message[] = [];
  let projection: Projection | null = null;
  let isCurrent = true;

  const forget = ({ ref, head }: Entry): void => {
    if (formerHeads.size >= mostFormer) formerHeads.delete(formerHeads.keys().next().value!);
    formerHeads.set(ref, head);
  };
  const follow = (): void => {
    if (isCurrent) return;
    index.follow(history, projection, archive.texts(), forget);
    isCurrent = true;
  };
  const context = (): ToolContext => ({
    index,
    history,
    projection,
    count,
    maxTokens: Math.max(leastTokens, maxTokens),
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
  };
}

function checkOptions({ sessionId, redact, maxTokens = leastTokens }: RecallOptions): void {
  const issues: { path: string; message: string }[] = [];
  if (typeof sessionId !== 'string' || sessionId === '')
    issues.push({ path: 'sessionId', message: 'Expected a string that is not empty.' });
  if (typeof redact !== 'function') issues.push({ path: 'redact', message: 'Expected a function.' });
  if (!(maxTokens >= leastTokens)) issues.push({ path: 'maxTokens', message: `Expected at least ${leastTokens}.` });
  if (issues.length === 0) return;
  const text = issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  throw new PalimpsestError('OPTION_INVALID', `createRecall: invalid options. ${text}`, { issues });
}
