import { contentWithoutHandoff } from '../handoff/any-handoff.ts';
import { jsonText } from '../json/json-text.ts';
import { contentText, isSystem, type Message, type Part } from '../messages/message.ts';
import { type Dialect, type Violation, validateTranscript } from '../messages/validate.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Applied } from './apply.ts';
import { joinContents } from './inserted-message.ts';
import type { MessageOutcome, Provenance } from './provenance.ts';

/** A contract violation, with the number of the invariant in ARCHITECTURE.md. */
export interface ContractViolation {
  readonly invariant: 2 | 3 | 4 | 5;
  /** Index of a message in the source; for invariant 2, in the output. */
  readonly index: number;
  readonly reason: string;
}

/**
 * Checks the invariants that can be verified on the result of a plan: no new violations that a provider would reject,
 * the current task verbatim, system messages and the pending tool calls unchanged.
 */
export function checkContract(
  transcript: Transcript,
  applied: Applied<Message>,
  dialect: Dialect,
): ContractViolation[] {
  const { provenance } = applied;
  const found: ContractViolation[] = [];
  const inserts = provenance.output.some(({ kind }) => kind === 'inserted');
  /** A system message that is not a leading one may be summarized, if an inserted message can state its instructions. */
  const isSummarized = (index: number): boolean =>
    inserts && index >= transcript.leading && isGone(provenance.source[index]!);
  transcript.messages.forEach((message, index) => {
    if (
      isSystem(message) &&
      !isKeptOrNoted(message, provenance.source[index]!, applied.messages) &&
      !isSummarized(index)
    )
      found.push({ invariant: 4, index, reason: `system message ${index} was ${provenance.source[index]!.kind}` });
  });
  const { from, to } = transcript.pendingCalls ?? { from: 0, to: 0 };
  for (let index = from; index < to; index++)
    if (provenance.source[index]!.kind !== 'kept')
      found.push({
        invariant: 5,
        index,
        reason: `message ${index} of the pending tool calls was ${provenance.source[index]!.kind}`,
      });
  const lost = findLostTask(transcript, applied);
  if (lost !== null)
    found.push({
      invariant: 3,
      index: lost,
      reason: `the current task (message ${lost}) is not in the output verbatim`,
    });
  return [...found, ...newViolations(transcript, applied, dialect)];
}

function isGone({ kind }: MessageOutcome): boolean {
  return kind === 'summarized' || kind === 'dropped';
}

/** True when a system message is unchanged, or only extended by a note (an option of the engine). */
function isKeptOrNoted(message: Message, outcome: MessageOutcome, output: readonly Message[]): boolean {
  if (outcome.kind !== 'rewritten') return outcome.kind === 'kept';
  const { content } = output[outcome.at]!;
  const noted = outcome.reasons.every((reason) => reason.code === 'system-note');
  return noted && typeof content === 'string' && content.startsWith(contentText(message.content));
}

/** Index of a message of the task that is neither kept nor the suffix of the message that carries it, or `null`. */
function findLostTask(transcript: Transcript, applied: Applied<Message>): number | null {
  const { task, messages } = transcript;
  if (!task) return null;
  const outcomes = applied.provenance.source.slice(task.from, task.to);
  if (outcomes.every((outcome) => outcome.kind === 'kept')) return null;
  const gone = outcomes.findIndex((outcome) => outcome.kind !== 'carried' && outcome.kind !== 'kept');
  const bad = gone >= 0 ? gone : outcomes.findIndex((outcome) => outcome.kind !== 'carried');
  if (bad >= 0) return task.from + bad;
  const own = joinContents(
    messages.slice(task.from, task.to).map((message) => contentWithoutHandoff(message, transcript.reader)),
  );
  const carrier = applied.messages[(outcomes[0] as { at: number }).at];
  return carrier?.role === 'user' && endsWith(carrier.content, own) ? null : task.from;
}

function endsWith(content: Message['content'], own: string | readonly Part[]): boolean {
  if (typeof own === 'string') {
    const last = typeof content === 'string' ? content : contentText(content?.slice(-1));
    return last.endsWith(own);
  }
  return Array.isArray(content) && jsonText(content.slice(-own.length)) === jsonText(own);
}

/** Returns the violations in the output that the input did not have between the same neighbours. */
function newViolations(transcript: Transcript, applied: Applied<Message>, dialect: Dialect): ContractViolation[] {
  const after = validateTranscript(applied.messages, { dialect });
  if (after.length === 0) return [];
  const before = validateTranscript(transcript.messages, { dialect });
  const known = new Set(before.map((violation) => keyOf(violation, (at) => at)));
  // If the input already has two assistant messages in a row, summarizing may put another one directly after the first.
  const followed = new Set(
    before.flatMap(({ rule, involved: [first] }) =>
      rule === 'roles-not-alternating' && transcript.messages[first!]!.role === 'assistant' ? [first!] : [],
    ),
  );
  // Pending tool calls stay before later user messages, so the handoff may stand where the input already had two user
  // turns in a row.
  const pendingEnd = transcript.pendingCalls?.to ?? transcript.length;
  const late = new Set(
    before.flatMap(({ rule, index }) =>
      rule === 'roles-not-alternating' && index >= pendingEnd && transcript.messages[index]!.role === 'user'
        ? [index]
        : [],
    ),
  );
  return after
    .filter((violation) => !isInherited(violation, applied.provenance, { known, followed, late }))
    .map(({ index, rule, reason }) => ({
      invariant: 2,
      index,
      reason: `${rule} at message ${index} of the output: ${reason}`,
    }));
}

/** What is already wrong in the input. */
interface KnownViolations {
  /** Keys of its violations. */
  readonly known: ReadonlySet<string>;
  /** Assistant messages before another one. */
  readonly followed: ReadonlySet<number>;
  /** User messages after another one and after the pending tool calls. */
  readonly late: ReadonlySet<number>;
}

function isInherited(
  violation: Violation,
  provenance: Provenance,
  { known, followed, late }: KnownViolations,
): boolean {
  const second = provenance.output[violation.index]!;
  if (violation.rule === 'roles-not-alternating' && second.kind !== 'inserted' && late.has(second.from)) return true;
  const sources = new Map<number, number>();
  for (const at of violation.involved) {
    const origin = provenance.output[at]!;
    if (origin.kind === 'inserted') return false;
    sources.set(at, origin.from);
  }
  if (violation.rule === 'roles-not-alternating' && followed.has(sources.get(violation.involved[0]!)!)) return true;
  return known.has(keyOf(violation, (at) => sources.get(at)!));
}

/** A key to compare violations in input and output: both turns if two are in a row, otherwise the invalid message. */
function keyOf({ rule, index, involved }: Violation, source: (at: number) => number): string {
  if (rule === 'roles-not-alternating') return `${rule} ${involved.map(source).join(' ')}`;
  // If messages after an unanswered call are dropped, a stray result may move next to it. It is still the same broken
  // call.
  return `${rule === 'result-misplaced' ? 'call-unanswered' : rule} ${source(index)}`;
}
