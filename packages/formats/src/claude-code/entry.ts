import { isRecord } from '@palimpsest/core/authoring';
import { checkBlocks } from '../anthropic/check.ts';
import type { AnthropicBlock } from '../anthropic/conversation.ts';
import { checkRecord, malformationError } from '../native-error.ts';
import { type Fields, fieldsOf } from '../record.ts';
import type { LogLine } from '../session-log/line-source.ts';

/**
 * The role of a line in the conversation. `prompt`: user input. `results`: tool results. `summary`: the agent's own summary of
 * what it compacted. `boundary`: a compaction. `aside`: not sent to the model, but a link in the chain of lines.
 */
type EntryKind = 'prompt' | 'results' | 'assistant' | 'summary' | 'boundary' | 'aside';

/** A line of a Claude Code log, reduced to the fields that are needed here. */
export interface Entry {
  readonly kind: EntryKind;
  readonly uuid: string | null;
  /** Id of the line it follows: `null` for a first line, `undefined` in logs without it (`--output-format stream-json`). */
  readonly parent: string | null | undefined;
  /** Id of the message this line is a part of. The agent writes one block per line. */
  readonly messageId: string | null;
  readonly content: string | readonly AnthropicBlock[];
}

/** Reads a line of the log. @returns the entry, and for an aside the reason why it is left out */
export function entryOf({ fields, place }: LogLine): { readonly entry: Entry; readonly skipped: string | null } {
  const type = typeof fields.type === 'string' ? fields.type : '';
  const links = linksOf(fields);
  if (type === 'user' || type === 'assistant') {
    const reason = reasonNotSent(fields);
    if (reason) return aside(links, reason);
    const { message } = fields;
    checkRecord(message, place, 'message');
    const { content, id } = message;
    if (typeof content !== 'string' && !Array.isArray(content))
      throw malformationError(place, 'message.content', 'is neither a string nor an array of blocks');
    if (typeof content !== 'string') checkBlocks(content, place, 'message.content');
    const blocks = content as string | readonly AnthropicBlock[];
    const messageId = type === 'assistant' && typeof id === 'string' ? id : null;
    return {
      entry: { ...links, kind: kindOf(type, fields, links, blocks), messageId, content: blocks },
      skipped: null,
    };
  }
  if (type === 'system' && fields.subtype === 'compact_boundary')
    return { entry: { ...links, kind: 'boundary', messageId: null, content: '' }, skipped: null };
  // Prompts typed while the agent worked are only logged as attachments.
  const prompt = type === 'attachment' && isRecord(fields.attachment) ? readQueuedPrompt(fields.attachment) : null;
  if (prompt !== null) return { entry: { ...links, kind: 'prompt', messageId: null, content: prompt }, skipped: null };
  return aside(links, type === '' ? 'unknown' : type);
}

type Links = Pick<Entry, 'uuid' | 'parent'>;

function aside(links: Links, reason: string): { readonly entry: Entry; readonly skipped: string } {
  return { entry: { ...links, kind: 'aside', messageId: null, content: '' }, skipped: reason };
}

function linksOf({ uuid, parentUuid, logicalParentUuid: logical }: Fields): Links {
  // After a compaction a new chain begins; the logical parent is the last line of the old chain.
  const parent = typeof parentUuid === 'string' ? parentUuid : typeof logical === 'string' ? logical : parentUuid;
  return {
    uuid: typeof uuid === 'string' ? uuid : null,
    parent: typeof parent === 'string' ? parent : parent === undefined ? undefined : null,
  };
}

/** Returns why a message of the log was not sent to the model, or null. */
function reasonNotSent({
  type,
  isMeta,
  isCompactSummary,
  isVisibleInTranscriptOnly: shown,
  message,
}: Fields): string | null {
  if (isMeta === true) return 'meta';
  if (shown === true && isCompactSummary !== true) return 'transcript-only';
  const isSynthetic = type === 'assistant' && isRecord(message) && message.model === '<synthetic>';
  return isSynthetic ? 'synthetic' : null;
}

/** First words of the agent's summary, which older versions do not mark in any other way. */
const continued = /^This session is being continued from a previous conversation/;

function kindOf(type: string, { isCompactSummary }: Fields, { parent }: Links, content: Entry['content']): EntryKind {
  if (type === 'assistant') return 'assistant';
  const opensAgain = parent === null && continued.test(openingOf(content));
  if (isCompactSummary === true || opensAgain) return 'summary';
  const hasResults = typeof content !== 'string' && content.some((block) => block.type === 'tool_result');
  return hasResults ? 'results' : 'prompt';
}

function openingOf(content: Entry['content']): string {
  const opening = typeof content === 'string' ? content : fieldsOf(content[0] ?? {}).text;
  return typeof opening === 'string' ? opening : '';
}

function readQueuedPrompt({ type, prompt }: Fields): Entry['content'] | null {
  if (type !== 'queued_command') return null;
  if (typeof prompt === 'string') return prompt.trim() === '' ? null : prompt;
  const isBlocks = Array.isArray(prompt) && prompt.every((block) => isRecord(block) && block.type === 'text');
  return isBlocks ? (prompt as readonly AnthropicBlock[]) : null;
}
