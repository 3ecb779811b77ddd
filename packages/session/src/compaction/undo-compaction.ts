import type { SessionParts } from '../parts/session-parts.ts';

const held = 'The compaction was undone. Automatic compaction waits until the prompt no longer fits the window.';
const notHeld =
  'The compaction was undone, but without it the prompt does not fit the window, so the next request is compacted again. To continue without compaction, use a model with a larger window.';

/**
 * Drops the checkpoint in effect, and pauses automatic compaction if the prompt fits the window without it.
 * @returns the number of the dropped checkpoint, or `null`
 */
export async function undoCompaction(parts: SessionParts): Promise<number | null> {
  const { engine, events, viewer } = parts;
  const { automatic, chain, log } = parts.compactions;
  const { lastRequest, requests } = parts.conversation;
  const { model } = parts.provider;
  const input = requests.lastInput;
  const checkpoint = (input && chain.newest(input.intake.messages)) ?? chain.checkpoints.at(-1);
  if (!checkpoint) return null;
  const { number, engineBefore } = checkpoint;
  chain.remove(checkpoint);
  // The last request has the handoff that is gone now.
  lastRequest.forget();
  if (engineBefore) await engine.ready.restore(engineBefore);
  log.change(number, { undone: true });
  automatic.isHeld = input === null || !model.isExceeded(viewer.view(input).size, input.maxTokens);
  const holds = automatic.isHeld;
  events.publish({ type: 'checkpoint-undo', checkpoint: number, holds, message: holds ? held : notHeld });
  return number;
}
