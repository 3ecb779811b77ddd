import { samples } from 'virtual:samples';
import { count, formatCount } from '@palimpsest/command-line/count';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { StoreState } from '../store/state.ts';
import type { Session } from './use-session.ts';

interface SourceBarProps {
  readonly state: StoreState;
  readonly session: Session;
  onOrdinal(ordinal: number): void;
  /** Further buttons. */
  readonly children: ComponentChildren;
}

/** Selects the transcript: a recorded sample or the user's own file. */
export function SourceBar({ state, session, onOrdinal, children }: SourceBarProps): JSX.Element {
  const { sample, awaited } = session;
  const chooser = useRef<HTMLInputElement>(null);
  const { opened, reading, problem } = state;
  const about = samples.find(({ file }) => file === sample);
  return (
    <section class="source" aria-label="Session">
      <div class="source-row">
        <label class="field sample">
          <span class="unseen">Session</span>
          <select value={awaited ?? sample ?? ''} onChange={(event) => session.openSample(event.currentTarget.value)}>
            {sample === null && <option value="">{opened?.file ?? 'your file'}</option>}
            {samples.map(({ file, title, messages }) => (
              <option key={file} value={file}>{`${formatCount(messages, 'message')}: ${title}`}</option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={() => chooser.current?.click()}>
          Open a file
        </button>
        <PasteDialog onText={session.openText} />
        {session.isStored && (
          <button type="button" class="button" onClick={session.forget}>
            Forget my file
          </button>
        )}
        {children}
        <input
          ref={chooser}
          id="file"
          type="file"
          accept=".json,.jsonl,.ndjson,application/json"
          aria-label="Open a transcript"
          tabIndex={-1}
          hidden
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // Reset, so that the same file can be chosen again after a change.
            event.currentTarget.value = '';
            if (file) session.openFiles([file]);
          }}
        />
      </div>
      <p class="soft about">
        {about?.description ??
          (opened
            ? `${opened.id}, read in this page. No data was sent anywhere. Drop or paste another anywhere on the page.`
            : '')}
      </p>
      {opened && (opened.more || opened.ordinal > 0) && (
        <div class="source-row">
          <button
            type="button"
            class="button"
            disabled={opened.ordinal === 0 || reading}
            onClick={() => onOrdinal(opened.ordinal - 1)}
          >
            Previous transcript
          </button>
          <span class="soft">transcript {count(opened.ordinal + 1)} of the file</span>
          <button
            type="button"
            class="button"
            disabled={!opened.more || reading}
            onClick={() => onOrdinal(opened.ordinal + 1)}
          >
            Next transcript
          </button>
        </div>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}

/** A button that opens a dialog to paste a transcript as text. */
function PasteDialog({ onText }: { onText(text: string): void }): JSX.Element {
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
