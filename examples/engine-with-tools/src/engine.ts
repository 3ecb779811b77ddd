import type { Budget, CompressOptions, EngineHost, Message } from '@palimpsest/core';
import {
  alignTailStart,
  Draft,
  type EnginePlanner,
  type EngineTools,
  headEnd,
  type Plan,
  placeHandoff,
  Transcript,
  tailStarts,
} from '@palimpsest/core/authoring';
import { leavesOf, messageText, type Node, nodesOver, topNodes } from './nodes.ts';

/** Everything that has to outlive a restart. The messages are not in it: the caller's history has them. */
export interface NodesState {
  readonly nodes: readonly Node[];
}

const maxAnswerLength = 8_000;

/** Summarizes old messages into a tree of summaries, and lets the model open every node of it, down to the messages. */
export function nodesEngine(host: EngineHost): EnginePlanner<NodesState> {
  // Summaries written while the agent works, so that a compaction waits for none. A pure cache.
  let ingested: readonly Node[] = [];
  const ingest = (transcript: Transcript, range: readonly [number, number], state: NodesState): Node[] => {
    const leaves = leavesOf(transcript, range, [...state.nodes, ...ingested], host.redact);
    ingested = leaves;
    return leaves;
  };
  return {
    initial: { nodes: [] },
    budget: ({ contextLength }): Budget => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: Math.round(contextLength * 0.7),
      tailTokens: Math.round(contextLength * 0.3),
      summaryTokens: 0,
    }),
    async plan({ transcript: projection, source, asked, budget, state }): Promise<Plan<NodesState>> {
      // Over the history, if the session has it: so no node is ever made of other nodes.
      const transcript = source?.transcript ?? projection;
      const range = rangeToSummarize(transcript, asked, budget);
      if (!range) return { edits: [], state };
      const nodes = nodesOver(ingest(transcript, range, state));
      const draft = new Draft(transcript);
      placeHandoff(draft, range, bodyOf(nodes), { reason: { code: 'summarize' }, key: host.handoffKey });
      if (draft.isEmpty) return { edits: [], state };
      return { edits: draft.edits(), ...(source ? { basis: 'source' } : {}), state: { nodes } };
    },
    tools: openNode(host),
    session: {
      async response(messages) {
        const transcript = Transcript.of(messages, host.tokens, host);
        ingest(transcript, [headEnd(transcript, 0), transcript.groups.length], { nodes: [] });
      },
    },
  };
}

function openNode(host: EngineHost): EngineTools<NodesState> {
  const properties = { id: { type: 'string' }, from: { type: 'integer', description: 'Character to go on from.' } };
  const description = 'Opens a node of the summary: gives the nodes below it, or for a leaf the messages themselves.';
  const parameters = { type: 'object', properties, required: ['id'] };
  return {
    schemas: [{ type: 'function', function: { name: 'open_node', description, parameters } }],
    async handle(_, { id, from = 0 }, { messages, state: { nodes } }) {
      const node = nodes.find((one) => one.id === id);
      if (!node) return JSON.stringify({ error: `There is no node ${String(id)}.`, nodes: topNodes(nodes).map(line) });
      if (node.children.length > 0)
        return JSON.stringify({ id, nodes: nodes.filter((one) => node.children.includes(one.id)).map(line) });
      const text = host.redact(textOf(node, messages));
      const start = Math.max(0, Math.trunc(Number(from)) || 0);
      const end = start + maxAnswerLength;
      return JSON.stringify({ id, text: text.slice(start, end), ...(end < text.length ? { next: end } : {}) });
    },
  };
}

function textOf({ from, to }: Node, messages: readonly Message[]): string {
  return messages.slice(from, to).map(messageText).join('\n\n');
}

function bodyOf(nodes: readonly Node[]): string {
  return `## Nodes\nEach line stands for earlier messages. Call open_node with an id to see what is below it.\n${topNodes(
    nodes,
  )
    .map((node) => `- ${line(node)}`)
    .join('\n')}`;
}

function line({ id, from, to, summary }: Node): string {
  return `[${id}] messages ${from} to ${to - 1}: ${summary}`;
}

/** Range of groups to summarize: from behind the leading system messages to a legal tail within its budget. */
function rangeToSummarize(
  transcript: Transcript,
  asked: CompressOptions,
  { tailTokens }: Budget,
): [number, number] | null {
  const { groups, pendingCalls } = transcript;
  const from = headEnd(transcript, 0);
  const room = Math.min(tailTokens, (asked.targetTokens ?? Number.POSITIVE_INFINITY) / 2, transcript.totalTokens / 3);
  let wanted = pendingCalls ? transcript.groupOf(pendingCalls.from) : groups.length;
  while (wanted > from && transcript.tokensOfGroups(wanted - 1, groups.length) <= room) wanted--;
  const to = alignTailStart(transcript, { wanted, after: from, accepts: () => true });
  return to > from && tailStarts(transcript)[to] ? [from, to] : null;
}
