import type { Draft } from '@palimpsest/core/authoring';

const note =
  'Note: earlier parts of this conversation may have been condensed into a context handoff; build on it instead of redoing what it lists.';

/** Appends one sentence about compaction to the first system message, once. Skips a message whose content is not text. */
export function noteSystemPrompt(draft: Draft): void {
  const at = 0;
  const content = draft.transcript.leading > 0 ? draft.original(at).content : undefined;
  if (typeof content !== 'string' || content.endsWith(note)) return;
  draft.rewrite(
    at,
    { content: `${content}\n\n${note}` },
    { code: 'system-note', note: 'says that earlier turns were condensed' },
  );
}
