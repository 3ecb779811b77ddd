import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** A button that opens a dialog to paste a transcript as text. */
export function PasteDialog({ onText }: { onText(text: string): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <button type="button" class="button" onClick={() => dialog.current?.showModal()}>
        Paste
      </button>
      <dialog ref={dialog} class="paste" aria-label="Paste a transcript">
        <form
          method="dialog"
          onSubmit={() => {
            const text = field.current?.value ?? '';
            if (field.current) field.current.value = '';
            if (text.trim() !== '') onText(text);
          }}
        >
          <label class="field">
            <span>A transcript in JSON, or with one JSON value per line</span>
            <textarea ref={field} rows={12} spellcheck={false} />
          </label>
          <div class="source-row">
            <button type="submit" class="button">
              Read it
            </button>
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
