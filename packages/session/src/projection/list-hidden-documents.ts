import { instructionFiles, isLoadingTool, readInsertedSkill, readToolName, toolClass } from '@palimpsest/agents';
import { contentText, isToolResult, type Message } from '@palimpsest/core';
import type { RecallRef } from '@palimpsest/recall';
import type { Assembled } from './assemble.ts';

/** A text that the model loaded or read. */
interface Document {
  readonly at: number;
  /** Length of the text in characters. */
  readonly length: number;
  /** The call on one line. */
  readonly name: string;
  readonly ref: string;
  /** Skills and instructions first, then documents, then other files. */
  readonly rank: number;
}

/** A conversation of which documents are hidden. */
export interface DocumentContext extends Pick<Assembled, 'provenance'> {
  /** The caller's messages. */
  readonly source: readonly Message[];
  /** By index of the caller's message. */
  readonly refs: ReadonlyMap<number, readonly RecallRef[]>;
  /** Masks secrets. */
  readonly redact: (text: string) => string;
}

/** Maximum length of one name, in characters. */
const maxNameLength = 160;

/** Bounds of the length of all lines, in characters. Between them, it is a tenth of the handoff, which may be small like its window. */
const [minListLength, maxListLength] = [300, 1_200] as const;

/** Matches which part of a file was read, in the head of a call. */
const range: RegExp = / \([^()]*\)$/;

/** A shorter text is not worth a ref, such as "Launching skill: x". Characters. */
const minLength = 200;

/** Matches the name of a document, as opposed to source code. */
const document: RegExp = /\.(?:mdx?|txt|rst|adoc|pdf|docx?|html?|ipynb)\b|https?:\/\//i;

/**
 * Lists skills, instructions, documents and files that the model read in messages which a handoff replaces, with their
 * refs, so that one call of `expand` brings each back.
 * @param covers the caller's messages that the handoff replaces
 * @param handoffLength its length in characters
 * @returns lines, oldest first
 */
export function listHiddenDocuments(
  { source, refs, provenance, redact }: DocumentContext,
  covers: { readonly from: number; readonly to: number },
  handoffLength: number,
): readonly string[] {
  // Of several readings of one file, the longest.
  const byName = new Map<string, Document>();
  for (const [at, [first]] of refs) {
    const outcome = provenance.source[at]?.kind;
    const isReplaced = at >= covers.from && at < covers.to && (outcome === 'summarized' || outcome === 'dropped');
    const found = isReplaced && first ? documentOf(source[at]!, at, first) : null;
    const key = found?.name.replace(range, '');
    if (found && found.length >= (byName.get(key!)?.length ?? 0)) byName.set(key!, found);
  }
  let room = Math.min(maxListLength, Math.max(minListLength, handoffLength / 10));
  return [...byName.values()]
    .sort((one, other) => one.rank - other.rank || other.at - one.at)
    .map(({ at, name, ref }) => ({ at, line: `- ${redact(name).slice(0, maxNameLength)} [ref ${ref}]` }))
    .filter(({ line }) => (room -= line.length) >= 0)
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line);
}

function documentOf(message: Message, at: number, { head, ref, tool }: RecallRef): Document | null {
  const text = contentText(message.content);
  const { length } = text;
  if (length < minLength) return null;
  if (!isToolResult(message)) {
    const skill = message.role === 'user' ? readInsertedSkill(text) : null;
    return skill === null ? null : { at, length, name: `skill ${skill}`, ref, rank: 0 };
  }
  if (isLoadingTool(tool)) return { at, length, name: head, ref, rank: 0 };
  const kind = toolClass(readToolName(tool).tool);
  if (kind !== 'read' && kind !== 'fetch') return null;
  const isInstruction = head.split(' ').some((word) => instructionFiles.is(word));
  return { at, length, name: head, ref, rank: isInstruction ? 0 : document.test(head) ? 1 : 2 };
}
