import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { fingerprint, type Transcript } from '@palimpsest/core/authoring';

/** A stretch of the history with a summary. JSON, because the engine's state holds it. */
export interface Node {
  /** Level and place: `0.7` is the eighth leaf, `1.0` stands for the leaves `0.0` to `0.5`. */
  readonly id: string;
  /** Half-open range of messages. */
  readonly from: number;
  readonly to: number;
  readonly summary: string;
  /** Ids of the nodes below; empty for a leaf, whose children are the messages. */
  readonly children: readonly string[];
  /** Fingerprint of the messages of a leaf; a leaf of another conversation is not used again. */
  readonly key: string;
}

const fanOut = 6;
const groupsPerLeaf = 8;
const maxSummaryLength = 160;

/**
 * One leaf for each request with what answers it, or for some groups of a long answer.
 * @param redact the host's redactor, because summaries are stored
 */
export function leavesOf(
  transcript: Transcript,
  [from, to]: readonly [number, number],
  known: readonly Node[],
  redact: (text: string) => string,
): Node[] {
  const { groups, messages } = transcript;
  const starts: number[] = [];
  for (let group = from; group < to; group++)
    if (transcript.isFromPerson(groups[group]!.from) || group - (starts.at(-1) ?? -groupsPerLeaf) >= groupsPerLeaf)
      starts.push(group);
  const written = new Map(known.map((node) => [node.key, node.summary]));
  return starts.map((start, at): Node => {
    const range = { from: groups[start]!.from, to: groups[(starts[at + 1] ?? to) - 1]!.to };
    const own = messages.slice(range.from, range.to);
    const key = fingerprint(own);
    return { id: `0.${at}`, ...range, summary: written.get(key) ?? summaryOf(own, redact), children: [], key };
  });
}

/** All nodes: every six of one level get a node above them. Ids stay the same while the history grows. */
export function nodesOver(leaves: readonly Node[]): Node[] {
  const all: Node[] = [...leaves];
  for (let below = leaves, level = 1; below.length >= fanOut; level++) {
    const parents = Array.from({ length: Math.floor(below.length / fanOut) }, (_, at): Node => {
      const children = below.slice(at * fanOut, (at + 1) * fanOut);
      const [first, last] = [children[0]!, children.at(-1)!];
      const summary = cut(children.map((child) => cut(child.summary, maxSummaryLength / fanOut)).join(' | '));
      const range = { from: first.from, to: last.to };
      return { id: `${level}.${at}`, ...range, summary, children: children.map(({ id }) => id), key: '' };
    });
    all.push(...parents);
    below = parents;
  }
  return all;
}

/** The nodes that no other node stands for, in order. */
export function topNodes(nodes: readonly Node[]): Node[] {
  const below = new Set(nodes.flatMap(({ children }) => children));
  return nodes.filter(({ id }) => !below.has(id)).sort((a, b) => a.from - b.from);
}

/** A message as the model reads it again. */
export function messageText(message: Message): string {
  const calls = toolCalls(message).map((call) => `${toolCallName(call)}(${toolCallInput(call)})`);
  return `${message.role}: ${[contentText(message.content), ...calls].filter(Boolean).join('\n')}`;
}

/** What a model would write here: what was asked, and the tools that were called. */
function summaryOf(messages: readonly Message[], redact: (text: string) => string): string {
  const asked = messages.find(({ role }) => role === 'user') ?? messages[0]!;
  const tools = [...new Set(messages.flatMap(toolCalls).map(toolCallName))].join(', ');
  const text = redact(`${contentText(asked.content)}${tools && ` (${tools})`}`);
  // Redacted as a whole: a half of a secret is not recognized.
  return cut(text.replace(/\s+/g, ' ').trim());
}

function cut(text: string, length = maxSummaryLength): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
