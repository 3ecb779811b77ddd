import type { Draft } from '@palimpsest/core';

const note =
  'Note: earlier parts of this conversation may have been condensed into a context handoff; build on it instead of redoing what it lists.';

/** Appends one sentence about compaction to the first system message, once. Only texts are continued. */
export function noteSystemPrompt(draft: Draft): void {
  const at = draft.transcript.messages.findIndex(
    (message) => message.role === 'system' || message.role === 'developer',
  );
  const content = at < 0 ? undefined : draft.original(at).content;
  if (typeof content !== 'string' || content.endsWith(note)) return;
  draft.rewrite(
    at,
    { content: `${content}\n\n${note}` },
    { code: 'system-note', note: 'says that earlier turns were condensed' },
  );
}
